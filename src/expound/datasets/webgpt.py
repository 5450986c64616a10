"""The 271 ELI5 questions of WebGPT's test set (Nakano et al. 2021) with answers of people and systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import from_list, identifier, text
from expound.types import Question

_ANSWER = "_answer"
_HUMAN = "human_answer"


@dataclass(frozen=True)
class WebGpt:
    """A list of `{"question_id", "question", "human_answer", "<system>_answer"…}`, gzip or not.

    The person's answer is the reference; `meta["answers"]` has those of the systems by name.
    """

    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_list(self.path, "webgpt", _question)


def _question(row: Mapping[str, Any]) -> Question:
    # By the ending and not by a list: whichever systems a file has, none is lost.
    systems = [name for name in row if name.endswith(_ANSWER) and name != _HUMAN]
    return Question(
        id=identifier(row["question_id"]),
        text=text(row["question"]),
        references=(text(row[_HUMAN]),),
        meta={"answers": {name.removesuffix(_ANSWER): text(row[name]) for name in systems}},
    )
