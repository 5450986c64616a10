"""ELI5-Category (Gao et al. 2021): r/explainlikeimfive questions with all kept answers and their scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import fields, from_lines, identifier, items, text, texts
from expound.types import Question


@dataclass(frozen=True)
class Eli5Category:
    """Lines of `{"q_id", "title", "selftext", "category", "answers": {"text": […], "score": […]}}`, gzip or not.

    Answers become references, best score first; `meta["scores"]` has the scores in that order.
    """

    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_lines(self.path, "eli5-category", _question)


def _question(row: Mapping[str, Any]) -> Question:
    answers = fields(row["answers"])
    # Votes of readers are the only order that answers have.
    ranked = sorted(zip(texts(answers["text"]), items(answers["score"]), strict=True), key=lambda pair: -pair[1])
    return Question(
        id=identifier(row["q_id"]),
        # Many posts ask only in the text below the title: without it the question would be a headline.
        text=f"{text(row['title'])} {text(row.get('selftext', ''))}".strip(),
        references=tuple(answer for answer, _ in ranked),
        meta={"category": row.get("category", ""), "scores": [score for _, score in ranked]},
    )
