"""Agreement on marked words: alpha over the words of the answers, and F1 for every two raters.

A unit is a word of an answer, and what a rater said of it is the set of labels that it was marked with, mostly none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from expound.agreement.labels import Labels, categories_of, counts_of
from expound.stats import alpha
from expound.stats.proportions import NOTHING, Figure, pooled_figure
from expound.types import Judgment

Marks: TypeAlias = dict[tuple[str, str, int], frozenset[str]]
"""The labels of a word, by item, system and number of the word; words without any are left out."""

Seen: TypeAlias = dict[tuple[str, str], dict[str, int]]
"""How many words an answer has, by item and system, and by each rater who has seen it."""


@dataclass(frozen=True, slots=True)
class MarkedPair:
    """Two raters: F1 of the words that they marked with the same label, over the answers that both have seen."""

    one: str
    other: str
    answers: int
    f1: float


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """How far raters mark the same words; `alpha` has a figure for all labels together (``) and for each label."""

    criterion: str
    answers: int
    words: int
    alpha: dict[str, Figure]
    pairs: tuple[MarkedPair, ...]


def is_marked(one: Judgment) -> bool:
    """Whether a judgment holds marks with what they are counted in."""
    return isinstance(one.value, dict) and "spans" in one.value and "words" in one.value


def span_agreement(judgments: Sequence[Judgment], *, seed: int, samples: int = 1000) -> SpanAgreement:
    """Agreement by one criterion; answers that only one rater has seen count for nothing."""
    seen = _seen(judgments)
    shared = {answer: who for answer, who in seen.items() if len(who) > 1}
    labels = sorted({span["label"] for one in judgments for span in one.value["spans"]})
    marks = {one.rater: Marks() for one in judgments}
    for one in judgments:
        marks[one.rater].update(_marks(one))
    raters = sorted(marks)
    return SpanAgreement(
        criterion=judgments[0].criterion,
        answers=len(shared),
        # All raters saw the same answer; should a file say otherwise, no marked word may fall outside.
        words=sum(max(who.values()) for who in shared.values()),
        alpha={
            label: _alpha(shared, marks, label, seed=seed, samples=samples)
            for label in ("", *(labels if len(labels) > 1 else ()))
        },
        pairs=tuple(_pair(a, b, shared, marks) for a, b in combinations(raters, 2) if _both(a, b, shared)),
    )


def _seen(judgments: Iterable[Judgment]) -> Seen:
    """How many words an answer has, by item and system and by each rater who has seen it."""
    found: Seen = defaultdict(dict)
    for one in judgments:
        for system, words in one.value["words"].items():
            found[one.item, system][one.rater] = int(words)
    return found


def _marks(one: Judgment) -> Iterator[tuple[tuple[str, str, int], frozenset[str]]]:
    found: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    for span in one.value["spans"]:
        for number in range(*span["words"]):
            found[one.item, span["system"], number].add(span["label"])
    for word, labels in found.items():
        yield word, frozenset(labels)


def _alpha(shared: Seen, marks: dict[str, Marks], label: str, *, seed: int, samples: int) -> Figure:
    """Krippendorff's alpha over words, with an interval over answers: words of one answer are marked together."""
    import numpy as np

    tables = [_table(answer, who, marks, label) for answer, who in shared.items()]
    categories = categories_of({unit: said for table in tables for unit, said in table.items()})
    # Where nobody marked anything there is no chance to correct for: alpha is not defined.
    if len(categories) < 2:
        return NOTHING
    sums = [alpha.nominal_sums(counts_of(table, categories)).sum(axis=0) for table in tables]
    return pooled_figure(np.array(sums), alpha.nominal_of, seed=seed, samples=samples)


def _table(answer: tuple[str, str], who: dict[str, int], marks: dict[str, Marks], label: str) -> Labels:
    """What each rater said of each word of an answer."""
    words = ((*answer, number) for number in range(max(who.values())))
    return {word: {rater: _said(marks[rater].get(word), label) for rater in who} for word in words}


def _said(labels: frozenset[str] | None, label: str) -> str:
    if label:
        return "yes" if labels and label in labels else "no"
    # A word with two labels is a category of its own: raters who agree on one of them still differ.
    return " + ".join(sorted(labels)) if labels else ""


def _both(a: str, b: str, shared: Seen) -> list[tuple[str, str]]:
    return [answer for answer, who in shared.items() if a in who and b in who]


def _pair(a: str, b: str, shared: Seen, marks: dict[str, Marks]) -> MarkedPair:
    answers = set(_both(a, b, shared))
    one, other = (
        {(*word, label) for word, labels in marks[rater].items() if word[:2] in answers for label in labels}
        for rater in (a, b)
    )
    total = len(one) + len(other)
    # Two raters who marked nothing agree: there was nothing to mark.
    return MarkedPair(a, b, len(answers), 2 * len(one & other) / total if total else 1.0)
