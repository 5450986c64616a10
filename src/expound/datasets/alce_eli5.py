"""ELI5 in ALCE (Gao et al. 2023): an answer from Reddit and the claims that a good answer makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import from_list, identifier, items, text, texts
from expound.records import question_id
from expound.types import Passage, Question


@dataclass(frozen=True)
class AlceEli5:
    """A list of `{"question", "answer", "claims": […], "docs"?: [{"title", "text"}]}`, gzip or not.

    `meta["claims"]` has the claims; a question without an id gets one made of its text.
    """

    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_list(self.path, "alce-eli5", _question)


def _question(row: Mapping[str, Any]) -> Question:
    asked = text(row["question"])
    # ALCE's own files have no ids.
    id = identifier(row["id"]) if "id" in row else question_id(asked)
    return Question(
        id=id,
        text=asked,
        references=(text(row["answer"]),),
        evidence=tuple(
            Passage(f"{id}-{number}", text(document["text"]), text(document.get("title", "")))
            for number, document in enumerate(items(row.get("docs", [])), start=1)
        ),
        meta={"claims": list(texts(row["claims"]))},
    )
