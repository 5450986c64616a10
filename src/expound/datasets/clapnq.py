"""CLAPNQ (Rosenthal et al. 2024): long answers grounded in one passage, and questions whose passage has none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import distinct, from_lines, identifier, items, text
from expound.types import Passage, Question


@dataclass(frozen=True)
class ClapNq:
    """Lines of `{"id", "input", "passages": [{"title", "text"}], "output": [{"answer"}]}`, gzip or not.

    `meta["is_answerable"]` says whether people found an answer in the passage.
    """

    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_lines(self.path, "clapnq", _question)


def _question(row: Mapping[str, Any]) -> Question:
    id = identifier(row["id"])
    answers = [text(output["answer"]).strip() for output in items(row["output"])]
    # Annotators may have written the same answer.
    references = distinct([answer for answer in answers if answer])
    return Question(
        id=id,
        text=text(row["input"]),
        references=references,
        evidence=tuple(
            Passage(f"{id}-{number}", text(passage["text"]), text(passage.get("title", "")))
            for number, passage in enumerate(items(row["passages"]), start=1)
        ),
        # By the answers and not by a flag, which some versions of the file lack.
        meta={"is_answerable": bool(references)},
    )
