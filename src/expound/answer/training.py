"""Training questions and their answers, and which of them are nearest to a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from expound.answer.tfidf import Tfidf, best_first, table_of
from expound.datasets.leaks import without_leaks
from expound.datasets.spec import open_dataset
from expound.errors import BadInput, UserError
from expound.protocols import Embedder

if TYPE_CHECKING:
    from expound.protocols import Vectors

BY = ("auto", "embedder", "tfidf")


@dataclass(frozen=True)
class TrainingQuestion:
    """A training question and its answers, best first."""

    question: str
    answers: tuple[str, ...]


# Two: the training data at hand and the one before; both are as large as their files.
@lru_cache(maxsize=2)
def training_examples(train: str, without: str = "") -> tuple[TrainingQuestion, ...]:
    """The questions of a dataset that have an answer; without a long one, their short answers count.

    The questions of the dataset `without`, the one to be evaluated on, are left out.
    """
    examples = []
    for question in without_leaks(open_dataset(train), [open_dataset(without)] if without else []):
        # Short answers in place of a paragraph: NQ-open and AmbigNQ have no other.
        short = (" ".join(reading.answers[:1]) for reading in question.interpretations)
        answers = tuple(text for text in (question.references or short) if text.strip())
        if answers:
            examples.append(TrainingQuestion(question.text, answers))
    if not examples:
        raise BadInput(f"{train} has no question with an answer{f' that is not in {without}' if without else ''}")
    return tuple(examples)


def check_train(train: str) -> None:
    """Refuse to go on without training data."""
    if not train:
        raise UserError("where are the training answers? Write train='LAYOUT:PATH'")


def resolve_training(by: str, embedder: Embedder | None) -> str:
    """What `by` means here: `auto` is the embedder if there is one."""
    if by not in BY:
        raise UserError(f"no neighbours by {by!r}; there are: {', '.join(BY)}")
    if by == "embedder" and embedder is None:
        raise UserError("neighbours by 'embedder' need one: run `expound models get`, or write by='tfidf'")
    return by if by != "auto" else "embedder" if embedder else "tfidf"


@dataclass(frozen=True)
class Neighbours:
    """The training questions nearest to a question: by the embedder's vectors (ELI5, Fan et al. 2019) or by TF-IDF."""

    train: str
    without: str = ""
    by: str = "tfidf"
    embedder: Embedder | None = field(default=None, repr=False)

    @cached_property
    def examples(self) -> tuple[TrainingQuestion, ...]:
        """The training questions, read when first needed."""
        return training_examples(self.train, self.without)

    def nearest(self, question: str, k: int) -> list[TrainingQuestion]:
        """The `k` nearest, nearest first; fewer when no more have a word in common."""
        return [self.examples[row] for row in self._rank_texts(question)[:k]]

    def _rank_texts(self, question: str) -> Sequence[int]:
        if self.by == "tfidf":
            return best_first(self._table.similarities(question))
        import numpy as np

        assert self.embedder is not None
        cosines = self._vectors @ self.embedder.embed([question])[0]
        # Stable: of equals the first of the file, on every machine.
        ranked: list[int] = np.argsort(-cosines, kind="stable").tolist()
        return ranked

    @cached_property
    def _table(self) -> Tfidf:
        return table_of([example.question for example in self.examples])

    @cached_property
    def _vectors(self) -> Vectors:
        assert self.embedder is not None
        return self.embedder.embed([example.question for example in self.examples])
