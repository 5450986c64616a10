"""Questions on contexts in the SQuAD 2.0 layout: what a span reader is trained and measured on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.files import written_whole
from expound.records import read_json


@dataclass(frozen=True)
class Gold:
    """A right answer and the character at which it begins in the context."""

    text: str
    start: int


@dataclass(frozen=True)
class Reading:
    """A question on a context with its right answers; none means that the context does not answer it."""

    question: str
    context: str
    answers: tuple[Gold, ...]
    title: str
    id: str = ""


def read_squad(path: Path) -> list[Reading]:
    """The questions of a file in the SQuAD 2.0 layout, gzipped or not."""
    try:
        return [
            Reading(qa["question"], paragraph["context"], golds(qa), article["title"], qa["id"])
            for article in read_json(path)["data"]
            for paragraph in article["paragraphs"]
            for qa in paragraph["qas"]
        ]
    except (KeyError, TypeError) as error:
        raise BadInput(f"{path} is not in the SQuAD 2.0 layout: {error} is missing or of another kind") from error


def golds(qa: dict[str, Any]) -> tuple[Gold, ...]:
    """The distinct answers of a question, in their order."""
    return tuple(dict.fromkeys(Gold(a["text"], a["answer_start"]) for a in qa["answers"]))


def write_squad(path: Path, readings: Iterable[Reading]) -> None:
    """Write the questions, those of one title and context together."""
    ordered = sorted(readings, key=lambda reading: (reading.title, reading.context))
    articles = [
        {"title": title, "paragraphs": [paragraph(c, list(p)) for c, p in groupby(part, key=lambda r: r.context)]}
        for title, part in groupby(ordered, key=lambda reading: reading.title)
    ]
    with written_whole(path) as file:
        json.dump({"version": "v2.0", "data": articles}, file, ensure_ascii=False)


def paragraph(context: str, readings: Sequence[Reading]) -> dict[str, Any]:
    """A context with its questions as the layout has them."""
    qas = [
        {
            "id": reading.id or reading_id(reading),
            "question": reading.question,
            "answers": [{"text": gold.text, "answer_start": gold.start} for gold in reading.answers],
            "is_impossible": not reading.answers,
        }
        for reading in readings
    ]
    return {"context": context, "qas": qas}


def reading_id(reading: Reading) -> str:
    """An id made of question and context."""
    return sha256(f"{reading.question}\n{reading.context}".encode()).hexdigest()[:16]
