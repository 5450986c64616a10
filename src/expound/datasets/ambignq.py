"""AmbigNQ (Min et al. 2020): every plausible answer to a question, each with the question it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import fields, from_list, identifier, items, text, texts
from expound.types import Interpretation, Question

# Only in the full version, and needed for the paper's statistics of annotators (Figure 2, Table 9).
_FULL = ("nq_answer", "nq_doc_title", "viewed_doc_titles", "used_queries")
_LISTS = ("nq_answer", "viewed_doc_titles")


@dataclass(frozen=True)
class AmbigNq:
    """The official list of questions, light or full version, gzip or not.

    Every annotation becomes a set of readings; a single answer is one reading whose question is the question itself.
    Of the full version `meta` keeps NQ-open's answer and page, the pages annotators viewed and their queries.
    """

    profile = "ambigqa"
    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_list(self.path, "ambignq", _question)


def _question(row: Mapping[str, Any]) -> Question:
    asked = text(row["question"])
    annotations = tuple(_readings(fields(annotation), asked) for annotation in items(row["annotations"]))
    return Question(
        id=identifier(row["id"]),
        text=asked,
        # The set with the most readings is the one a complete answer covers.
        interpretations=max(annotations, key=len, default=()),
        annotations=annotations,
        meta=_meta(row),
    )


def _meta(row: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: row[name] for name in _FULL if name in row}
    # Only checked: the values are kept as they came.
    for name in _LISTS:
        texts(found.get(name, []))
    for used in items(found.get("used_queries", [])):
        text(fields(used)["query"])
    return found


def _readings(annotation: Mapping[str, Any], asked: str) -> tuple[Interpretation, ...]:
    kind = text(annotation["type"])
    if kind == "singleAnswer":
        return (Interpretation(asked, _answers(annotation)),)
    # A third kind would be read as no readings at all, and every system would look right on it.
    if kind != "multipleQAs":
        raise ValueError(f"unknown annotation type {kind!r}")
    pairs = items(annotation["qaPairs"])
    if not pairs:
        raise ValueError("'qaPairs' is empty")
    return tuple(Interpretation(text(pair["question"]), _answers(pair)) for pair in pairs)


def _answers(given: Mapping[str, Any]) -> tuple[str, ...]:
    found = texts(given["answer"])
    # Nothing could agree with it: every system would be wrong on such a reading.
    if not found:
        raise ValueError("'answer' is empty")
    return found
