"""What a trained writer was trained to read: kept beside its weights, so that it is asked as it was taught."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from expound.errors import BadInput
from expound.files import write_whole
from expound.records import read_json

CARD = "writer.json"
SHAPES = {"causal": "CausalLM", "seq2seq": "Seq2SeqLM"}
"""A writer goes on from what it is given, or reads it with an encoder first; and what transformers calls that."""


@dataclass(frozen=True)
class WriterCard:
    """How a question and its documents are written down for a writer."""

    shape: str = "causal"
    input: str = "eli5"
    """The name of the order in which question and documents stand (`expound.models.model_inputs`)."""
    k: int = 0
    """Documents that it reads; 0 is closed book."""
    most_tokens: int = 384
    """Of all that is read and written; documents are cut to what question and answer leave."""
    answer_tokens: int = 160
    """Room for the answer."""
    marker: str = ""
    """The mark of the task in front of what is read, for a writer that has learnt several."""

    def write(self, folder: Path) -> None:
        """Put it beside the weights."""
        with write_whole(folder / CARD) as file:
            json.dump(asdict(self), file, indent=1)


def read_card(folder: Path) -> WriterCard:
    """The card of a folder."""
    path = folder / CARD
    if not path.is_file():
        raise BadInput(f"{folder} is no trained writer: it has no {CARD}; train one with expound train writer")
    try:
        return WriterCard(**read_json(path))
    # A field that this version does not know, or no object at all.
    except TypeError as error:
        raise BadInput(f"{path} is not of this version: {error}") from error
