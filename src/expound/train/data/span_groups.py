"""The groups of ELI5's extractive reader: questions with long answers and their documents in, best spans out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from expound.datasets.leaks import without_leaks
from expound.datasets.spec import open_dataset
from expound.protocols import Retriever
from expound.train.data.best_spans import iter_span_groups
from expound.train.data.group_files import Group
from expound.train.data.leak_guard import LeakGuard
from expound.train.description import Report
from expound.types import Question

# As many as `ask` looks at.
_RETRIEVED = 20


@dataclass(frozen=True)
class SpanFiles:
    """What the reader is made of: datasets to learn from and to keep out, and corpora to search.

    Of each dataset the first `most` questions are taken. With corpora, a question's own evidence is followed by what is
    found there.
    """

    train: tuple[str, ...]
    keep_out: tuple[str, ...]
    corpora: tuple[str, ...]
    most: int = 2000


def find_span_groups(files: SpanFiles, *, seed: int, report: Report | None = None) -> list[Group]:
    """The groups of all datasets, without any question of those to keep out."""
    from expound.corpus.library import open_corpora  # here: `expound train --help` needs none of it
    from expound.retrieve.single import Lexical

    retriever = Lexical(open_corpora(files.corpora)) if files.corpora else None
    evaluation = [list(open_dataset(spec)) for spec in files.keep_out]
    questions: list[Question] = []
    for spec in files.train:
        questions += islice(without_leaks(open_dataset(spec), evaluation), files.most)
    guard = LeakGuard(question.text for part in evaluation for question in part)
    found = add_evidence(_report_each(questions, report), retriever)
    return list(iter_span_groups(found, guard, seed=seed))


def add_evidence(questions: Iterable[Question], retriever: Retriever | None) -> Iterator[Question]:
    """The questions, with the passages that a retriever finds after their own."""
    for question in questions:
        found = retriever.retrieve(question.text, k=_RETRIEVED) if retriever else []
        # Its own first: a dataset that has documents has those that its authors found for this very question.
        yield replace(question, evidence=(*question.evidence, *(item.passage for item in found)))


def _report_each(questions: Sequence[Question], report: Report | None) -> Iterator[Question]:
    for done, question in enumerate(questions, start=1):
        yield question
        if report:
            report("finding spans", done, len(questions))
