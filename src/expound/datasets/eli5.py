"""ELI5 (Fan et al. 2019): explanations asked for on Reddit, with a document from the web."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import from_list, identifier, text
from expound.types import Passage, Question

# Between a post's title and its text, and between the paragraphs of its web document.
_TITLE_END, _PARAGRAPH = "--T--", "<P>"


@dataclass(frozen=True)
class Eli5:
    """A list, or lines, of `{"id", "question", "document"?, "answer"}`, as the official code writes, gzip or not."""

    profile = "eli5"
    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_list(self.path, "eli5", _question)


def _question(row: Mapping[str, Any]) -> Question:
    id = identifier(row["id"])
    paragraphs = text(row.get("document", "")).split(_PARAGRAPH)
    return Question(
        id=id,
        # The post's title and text are one question, as in the official code.
        text=" ".join(text(row["question"]).replace(_TITLE_END, " ").split()),
        references=(text(row["answer"]),),
        evidence=tuple(
            Passage(f"{id}-{number}", paragraph.strip())
            for number, paragraph in enumerate(paragraphs, start=1)
            if paragraph.strip()
        ),
    )
