"""Rows for writers out of any dataset with long answers: questions, what is found for them, and an answer of each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from expound.answer.support_document import support_text
from expound.datasets.leaks import without_leaks
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.files import check_folder
from expound.protocols import Retriever
from expound.retrieve.given import Given
from expound.train.data.span_groups import add_evidence
from expound.train.data.writer_files import WriterRow, write_writer_rows
from expound.train.description import Report
from expound.types import Passage, Question

DOCUMENTS = ("passages", "support", "random")
"""The best passages as they are, ELI5's support document made of them, or those of another question."""


@dataclass(frozen=True)
class WriterSources:
    """Datasets to learn from and to keep out, corpora to search, and which answers are taken."""

    train: tuple[str, ...]
    keep_out: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    documents: str = "passages"
    k: int = 5
    """Documents of a row at most."""
    most: int = 2000
    """Rows of each dataset at most."""
    words: tuple[int, int] = (1, 400)
    """The least and the most words of an answer: much longer ones would only be cut."""
    held_out: int = 100
    """Rows that go to `dev.jsonl`, drawn at random."""


def write_writer_data(sources: WriterSources, out: Path, *, seed: int, report: Report | None = None) -> dict[str, int]:
    """Write `train.jsonl` and `dev.jsonl`; how many rows each has."""
    check_folder(out)
    if sources.documents not in DOCUMENTS:
        raise UserError(f"no documents {sources.documents!r}; there are: {', '.join(DOCUMENTS)}")
    rng = random.Random(seed)
    rows = list(_iter_rows(sources, report))
    if len(rows) <= sources.held_out:
        raise UserError(f"{len(rows)} rows could be made, and {sources.held_out} are to be held out: --held-out N")
    # Before dev is cut off: rows come dataset by dataset, and it is to have some of each.
    rng.shuffle(rows)
    # After shuffling: the next row of a file may well be about the same thing.
    if sources.documents == "random":
        rows = swap_documents(rows)
    parts = {"dev.jsonl": rows[: sources.held_out], "train.jsonl": rows[sources.held_out :]}
    for name, part in parts.items():
        write_writer_rows(out / name, part)
    return {name: len(part) for name, part in parts.items()}


def swap_documents(rows: Sequence[WriterRow]) -> list[WriterRow]:
    """The rows, each with the documents of the one after it: as many and as long, and about something else."""
    # Documents that say nothing, as Krishna et al. 2021 gave them: who writes as well with these does not read.
    others = [*rows[1:], *rows[:1]]
    return [replace(row, documents=other.documents) for row, other in zip(rows, others, strict=True)]


def _iter_rows(sources: WriterSources, report: Report | None) -> Iterator[WriterRow]:
    questions = list(_questions(sources))
    for done, question in enumerate(add_evidence(questions, open_lexical(sources.corpora)), start=1):
        if report:
            report("finding documents", done, len(questions))
        yield WriterRow(_one_line(question.text), _answer(question, sources.words), _documents(question, sources))


def _questions(sources: WriterSources) -> Iterator[Question]:
    evaluation = [list(open_dataset(spec)) for spec in sources.keep_out]
    for spec in sources.train:
        usable = (q for q in without_leaks(open_dataset(spec), evaluation) if _answer(q, sources.words))
        # Cut last, so that `most` counts rows that can be used.
        yield from islice(usable, sources.most)


def open_lexical(corpora: Sequence[str]) -> Retriever | None:
    """A search by words in corpora; none without corpora."""
    from expound.corpus.library import open_corpora  # here: `expound train --help` needs none of it
    from expound.retrieve.single import Lexical

    return Lexical(open_corpora(corpora)) if corpora else None


def _answer(question: Question, words: tuple[int, int]) -> str:
    """The best reference of a fitting length; none where there is no such."""
    answers = map(_one_line, question.references)
    return next((answer for answer in answers if words[0] <= len(answer.split()) <= words[1]), "")


def _documents(question: Question, sources: WriterSources) -> tuple[Passage, ...]:
    if sources.documents != "support":
        return question.evidence[: sources.k]
    evidence = Given().retrieve_to(question)
    text = support_text(question.text, evidence)
    return (Passage("1", text),) if text else ()


def _one_line(text: str) -> str:
    return " ".join(text.split())
