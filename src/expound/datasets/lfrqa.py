"""LFRQA (Han et al. 2024): long answers that merge several short ones, with the documents they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import from_lines, identifier, items, text
from expound.types import Question


@dataclass(frozen=True)
class Lfrqa:
    """Lines of `{"qid", "question", "answer", "gold_doc_ids", "citation_numbers"?}`, gzip or not."""

    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_lines(self.path, "lfrqa", _question)


def _question(row: Mapping[str, Any]) -> Question:
    return Question(
        id=identifier(row["qid"]),
        text=text(row["question"]),
        references=(text(row["answer"]),),
        meta={"documents": [identifier(document) for document in items(row["gold_doc_ids"])]},
    )
