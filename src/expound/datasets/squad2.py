"""SQuAD 2.0 (Rajpurkar et al. 2018): spans of a paragraph, or no answer at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import WRONG, fields, identifier, items, reason, text, unique
from expound.errors import BadInput
from expound.records import read_json
from expound.types import Passage, Question


@dataclass(frozen=True)
class Squad2:
    """The official file, `{"data": [{"title", "paragraphs": [{"context", "qas": […]}]}]}`, gzip or not.

    Answers become references; `meta["is_answerable"]` says whether there are any.
    """

    profile = "squad2"
    path: Path

    def __iter__(self) -> Iterator[Question]:
        return unique(self._questions(), self.path)

    def _questions(self) -> Iterator[Question]:
        content = read_json(self.path)
        if not isinstance(content, dict) or not isinstance(content.get("data"), list):
            raise BadInput(f"{self.path} is not a SQuAD file: expected {{'data': [article, …]}}")
        for number, article in enumerate(content["data"], start=1):
            try:
                yield from _article(fields(article))
            except WRONG as error:
                # Of the article, since a file of SQuAD has no line numbers: it is one line.
                raise BadInput(f"{self.path}: article {number} is not in SQuAD's layout ({reason(error)})") from error


def _article(article: Mapping[str, Any]) -> Iterator[Question]:
    title = text(article.get("title", ""))
    for paragraph in items(article["paragraphs"]):
        for row in items(paragraph["qas"]):
            yield _question(row, title, text(paragraph["context"]))


def _question(row: Mapping[str, Any], title: str, context: str) -> Question:
    id = identifier(row["id"])
    answers = tuple(text(answer["text"]) for answer in items(row["answers"]))
    return Question(
        id=id,
        text=text(row["question"]),
        # All of them, repetitions too: the official scorer takes the best of the list, for which they make no
        # difference.
        references=answers,
        evidence=(Passage(id, context, title),),
        meta={"is_answerable": bool(answers)},
    )
