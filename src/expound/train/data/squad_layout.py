"""Questions on contexts in the SQuAD 2.0 layout: what a span reader is trained and measured on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from expound.files import write_whole
from expound.train.data.file_shapes import SQUAD, read_shaped


@dataclass(frozen=True)
class Gold:
    """A right answer and the character at which it begins in the context."""

    text: str
    start: int


@dataclass(frozen=True)
class SpanExample:
    """A question on a context with its right answers; none means that the context does not answer it."""

    question: str
    context: str
    answers: tuple[Gold, ...]
    title: str
    id: str = ""


def read_squad(path: Path) -> list[SpanExample]:
    """The questions of a file in the SQuAD 2.0 layout, gzipped or not."""
    return list(iter_squad(read_shaped(path, SQUAD, layout="SQuAD 2.0")["data"]))


def iter_squad(articles: Iterable[Mapping[str, Any]]) -> Iterator[SpanExample]:
    """The questions of articles as they are."""
    for article in articles:
        for paragraph in article["paragraphs"]:
            for qa in paragraph["qas"]:
                yield SpanExample(
                    question=qa["question"],
                    context=paragraph["context"],
                    answers=golds(qa),
                    title=article["title"],
                    id=qa["id"],
                )


def golds(qa: Mapping[str, Any]) -> tuple[Gold, ...]:
    """The distinct answers of a question, in their order."""
    # Dev questions have several annotators, who mostly mark the same words.
    return tuple(dict.fromkeys(Gold(a["text"], a["answer_start"]) for a in qa["answers"]))


def write_squad(path: Path, examples: Iterable[SpanExample]) -> None:
    """Write the questions, those of one title and context together."""
    # `groupby` joins neighbours only.
    ordered = sorted(examples, key=attrgetter("title", "context"))
    articles = [
        {"title": title, "paragraphs": [paragraph_of(c, list(p)) for c, p in groupby(part, key=attrgetter("context"))]}
        for title, part in groupby(ordered, key=attrgetter("title"))
    ]
    with write_whole(path) as file:
        json.dump({"version": "v2.0", "data": articles}, file, ensure_ascii=False)


def paragraph_of(context: str, examples: Sequence[SpanExample]) -> dict[str, Any]:
    """A context with its questions as the layout has them."""
    qas = [
        {
            # Made examples have none; the layout demands one.
            "id": example.id or example_id(example),
            "question": example.question,
            "answers": [{"text": gold.text, "answer_start": gold.start} for gold in example.answers],
            "is_impossible": not example.answers,
        }
        for example in examples
    ]
    return {"context": context, "qas": qas}


def example_id(example: SpanExample) -> str:
    """An id made of question and context."""
    # Of both: the same question is asked of a context that answers it and of others that do not.
    return sha256(f"{example.question}\n{example.context}".encode()).hexdigest()[:16]
