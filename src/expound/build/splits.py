"""Validation questions without near neighbours in training: by words over all pairs, as in ELI5, and by meaning."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from expound.build.all_pairs import Nearest, nearest_by_words
from expound.build.building import Report
from expound.errors import UserError
from expound.protocols import Embedder
from expound.retrieve.neighbours import candidates, choose_questions, index_questions, score_neighbours
from expound.text.paraphrase import load_scorer
from expound.types import Question

TRAIN, VALID, TEST, ASIDE = "train", "valid", "test", "aside"
"""The sides of a split; what is set aside is on none."""


@dataclass(frozen=True)
class SplitRules:
    """From which cosine on two questions are close, and how much of a dataset validates and tests.

    The paper gives no threshold. At a half one in ten of its own validation and test questions would have been close to
    one of the training questions that we know (recipes/LOG.md). The shares are the paper's: 10,000 and 25,000 of
    272,000.
    """

    threshold: float = 0.5
    valid: float = 0.037
    test: float = 0.092
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise UserError(f"a threshold of {self.threshold:g} tells no neighbours; give one above 0 and at most 1")
        if min(self.valid, self.test) < 0 or self.valid + self.test >= 1:
            raise UserError(f"shares of {self.valid:g} and {self.test:g} leave nothing to train on")


@dataclass(frozen=True)
class Sides:
    """The side of every question, by its place, and why those that were set aside were."""

    sides: Sequence[str]
    reasons: Mapping[int, str]

    def names(self) -> list[str]:
        """The sides that have questions."""
        return [side for side in (TRAIN, VALID, TEST, ASIDE) if side in self.sides]

    def summary(self) -> dict[str, int]:
        """How many questions each side has, and how many were set aside for what."""
        counts = Counter(self.sides)
        why = Counter(reason.partition(" to ")[0] for reason in self.reasons.values())
        return {**{side: counts[side] for side in (TRAIN, VALID, TEST) if counts[side]}, **why}


def keep_apart(
    questions: Sequence[Question],
    train: Iterable[Question],
    rules: SplitRules,
    *,
    embedder: Embedder | None = None,
    report: Report | None = None,
) -> Sides:
    """Which of the questions have no near neighbour in training; `train` is read several times, as a stream."""
    known = [question.text for question in train]
    nearest = _by_words([question.text for question in questions], known, rules, report)
    reasons = {
        place: f"close by words to {other} ({similarity:.2f})"
        for place, other, similarity in _near(nearest, [question.id for question in train])
    }
    left = [place for place in range(len(questions)) if place not in reasons]
    reasons |= ask_the_same(questions, left, train, embedder=embedder, report=report)
    return Sides([ASIDE if place in reasons else VALID for place in range(len(questions))], reasons)


def draw_sides(
    questions: Sequence[Question],
    rules: SplitRules,
    *,
    by_meaning: bool = True,
    embedder: Embedder | None = None,
    report: Report | None = None,
) -> Sides:
    """Draw validation and test questions among those that have no close neighbour at all; the others train.

    Of the drawn ones those that ask what a training question asks in other words are set aside. They cannot train
    instead: a third question may be near them.
    """
    nearest = _by_words([question.text for question in questions], (), rules, report)
    alone = [place for place, other in enumerate(nearest.places.tolist()) if other < 0]
    Random(rules.seed).shuffle(alone)
    valid, test = round(rules.valid * len(questions)), round(rules.test * len(questions))
    sides = [TRAIN] * len(questions)
    for side, places in ((VALID, alone[:valid]), (TEST, alone[valid : valid + test])):
        for place in places:
            sides[place] = side
    drawn = [place for place, side in enumerate(sides) if side != TRAIN]
    train = [question for question, side in zip(questions, sides, strict=True) if side == TRAIN]
    reasons = ask_the_same(questions, drawn, train, embedder=embedder, report=report) if by_meaning else {}
    return Sides([ASIDE if place in reasons else side for place, side in enumerate(sides)], reasons)


def ask_the_same(
    questions: Sequence[Question],
    places: Sequence[int],
    train: Iterable[Question],
    *,
    embedder: Embedder | None,
    report: Report | None = None,
) -> dict[int, str]:
    """Which of these questions are asked in training in other words, by the check of `expound audit`; and by which."""
    asked = [questions[place] for place in places]
    tell = _reporter(report)
    with tempfile.TemporaryDirectory(prefix="expound-split-", ignore_cleanup_errors=True) as folder:
        index, frequencies = index_questions(train, Path(folder), tell)
        hits = candidates(index, asked, report=tell)
    numbers = (number for row in hits for number, _ in row)
    texts = {number: (question.id, question.text) for number, question in choose_questions(train, numbers)}
    rows = score_neighbours(asked, hits, texts, frequencies, embedder=embedder, report=tell)
    # The general threshold, which is the lower one: a question too many costs little, a leak costs the split.
    threshold = load_scorer(with_cosine=embedder is not None).threshold
    found = {}
    for place, row in zip(places, rows, strict=True):
        best = max(row, key=lambda item: item.paraphrase, default=None)
        if best and best.paraphrase >= threshold:
            found[place] = f"close by meaning to {best.id} ({best.paraphrase:.2f})"
    return found


def _by_words(texts: Sequence[str], others: Sequence[str], rules: SplitRules, report: Report | None) -> Nearest:
    def tell(done: int, total: int) -> None:
        if report:
            report("comparing by words", done, total)

    return nearest_by_words(texts, others, threshold=rules.threshold, report=tell)


def _near(nearest: Nearest, ids: Sequence[str]) -> Iterator[tuple[int, str, float]]:
    found = zip(nearest.places.tolist(), nearest.similarities.tolist(), strict=True)
    return ((place, ids[other], similarity) for place, (other, similarity) in enumerate(found) if other >= 0)


def _reporter(report: Report | None) -> Callable[[str, float, float], None]:
    def tell(doing: str, done: float, total: float) -> None:
        if report:
            report(doing, int(done), int(total))

    return tell
