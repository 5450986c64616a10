"""A trained writer by llama.cpp: a text model with the adapter of `expound train writer`, asked as it was taught."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from expound.errors import BadInput
from expound.files import user_path
from expound.models.decoder import Decoding
from expound.models.text import open_text_model
from expound.models.writer_card import WriterCard, read_card
from expound.protocols import TextModel
from expound.types import Prompt

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ADAPTED = "+"
"""Between the name of a model and its adapter, as for `--model`."""


class GgufWriter:
    """Writes the likeliest words; beams are for writers in torch."""

    def __init__(self, model: TextModel, tokenizer: Tokenizer, card: WriterCard) -> None:
        self._model, self._tokenizer, self.card = model, tokenizer, card

    def token_ends(self, text: str) -> Sequence[int]:
        """Where in a text each of its tokens ends."""
        return [end for _, end in self._tokenizer.encode(text, add_special_tokens=False).offsets]

    def write(self, source: str, decoding: Decoding) -> str:
        """What it writes after what it is given."""
        [text] = self._model.complete([Prompt(f"{self.card.marker}{source}", max_tokens=decoding.most_tokens)])
        return text.strip()


# A run asks the same writer for every question.
@lru_cache(maxsize=2)
def open_gguf_writer(spec: str) -> GgufWriter:
    """The writer of `MODEL+RUN/adapter.gguf`; how it is asked stands in the folder `model` beside the adapter."""
    folder = user_path(spec.rpartition(ADAPTED)[2]).absolute().parent / "model"
    card = read_card(folder)
    if card.shape != "causal":
        raise BadInput(f"{folder} reads with an encoder, which no GGUF adapter does; name the folder itself")
    return GgufWriter(open_text_model(spec), _open_tokenizer(folder), card)


def _open_tokenizer(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    file = folder / "tokenizer.json"
    if not file.is_file():
        raise BadInput(f"{folder} has no tokenizer.json; train the writer anew with expound train writer")
    return Tokenizer.from_file(str(file))
