"""NQ-open (Lee et al. 2019): questions people asked a search engine, with short answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import from_lines, identifier, text, texts
from expound.records import question_id
from expound.types import Interpretation, Question


@dataclass(frozen=True)
class NqOpen:
    """Lines of `{"question", "answer": [alias, …], "id"?}`, gzip or not; the id is made of the question if missing.

    The answers are references, and aliases of the one reading.
    """

    profile = "nq-open"
    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_lines(self.path, "nq-open", _question)


def _question(row: Mapping[str, Any]) -> Question:
    asked = text(row["question"])
    answers = texts(row["answer"])
    return Question(
        id=identifier(row["id"]) if "id" in row else question_id(asked),
        text=asked,
        references=answers,
        # Both: metrics of long answers look for references, those of short answers for the answers of readings.
        interpretations=(Interpretation(asked, answers),),
    )
