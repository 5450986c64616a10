"""Questions with all their answers, and with one, out of datasets with readings, and documents found for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from expound.datasets.leaks import without_leaks
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.files import check_folder
from expound.text.normal import normalize_answer
from expound.train.data.answer_lists import AnswerList, write_answer_lists
from expound.train.data.span_groups import add_evidence
from expound.train.data.writer_data import open_lexical
from expound.train.description import Report
from expound.types import Passage, Question


@dataclass(frozen=True)
class AnswerSources:
    """Datasets whose readings are complete, datasets with one known answer, what is kept out, and where to search."""

    full: tuple[str, ...]
    partial: tuple[str, ...] = ()
    keep_out: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    k: int = 3
    most: int = 1000
    """Questions of each dataset at most."""
    must_be_found: bool = False
    """Whether only answers that stand in the passages are listed: a small model cannot know the others."""


def write_answer_data(sources: AnswerSources, out: Path, *, report: Report | None = None) -> dict[str, int]:
    """Write `full.jsonl` and, of partial datasets, `partial.jsonl`; how many questions each has."""
    check_folder(out)
    named = {"full.jsonl": sources.full, "partial.jsonl": sources.partial}
    # All is read before anything is written.
    parts = {name: _read_rows(specs, sources, report) for name, specs in named.items() if specs}
    for name, rows in parts.items():
        write_answer_lists(out / name, rows)
    return {name: len(rows) for name, rows in parts.items()}


def _read_rows(specs: tuple[str, ...], sources: AnswerSources, report: Report | None) -> list[AnswerList]:
    rows = list(_iter_rows(specs, sources, report))
    if not rows:
        raise UserError(f"no question of {', '.join(specs)} has an answer and is not kept out")
    return rows


def _iter_rows(specs: tuple[str, ...], sources: AnswerSources, report: Report | None) -> Iterator[AnswerList]:
    evaluation = [list(open_dataset(spec)) for spec in sources.keep_out]
    for spec in specs:
        questions = filter(_answers, without_leaks(open_dataset(spec), evaluation))
        found = add_evidence(questions, open_lexical(sources.corpora))
        rows = (_list_answers(question, question.evidence[: sources.k], sources) for question in found)
        for done, row in enumerate(islice((row for row in rows if row.answers), sources.most), start=1):
            if report:
                report("finding documents", done, sources.most)
            yield row


def _list_answers(question: Question, documents: tuple[Passage, ...], sources: AnswerSources) -> AnswerList:
    answers = _answers(question)
    if sources.must_be_found:
        texts = (f"{document.title} {document.text}" for document in documents)
        # Spaces on both sides, so that "10" is not found in "1810".
        said = f" {normalize_answer(' '.join(texts))} "
        answers = tuple(answer for answer in answers if f" {normalize_answer(answer)} " in said)
    return AnswerList(question.text, answers, documents)


def _answers(question: Question) -> tuple[str, ...]:
    """An answer of each reading, by its first name."""
    # Each once: readings may share an answer, and a list that says it twice teaches to repeat.
    return tuple(dict.fromkeys(reading.answers[0] for reading in question.interpretations if reading.answers))
