"""Measure an order of texts: average precision, recall at k, and how often the first is right."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from expound.train.data.group_files import Group

_RECALLS = (1, 3, 5)  # an answer of 80 words has three or four sentences: these are the ranks that matter


def rank_figures(groups: Sequence[Group], scores: Sequence[Sequence[float]]) -> dict[str, float]:
    """The figures of each group's texts by themselves; their scores come in the order of `texts`, the right ones first.

    Only groups with a right and a wrong text count.
    """
    pairs = [(g, s) for g, s in zip(groups, scores, strict=True) if g.positives and g.negatives]
    ranks = [right_ranks(len(group.positives), found) for group, found in pairs]
    return figures_of(ranks, by_chance=[len(group.positives) / len(group.texts) for group, _ in pairs])


def figures_of(ranks: Sequence[Sequence[int]], *, by_chance: Sequence[float]) -> dict[str, float]:
    """Mean average precision, mean reciprocal rank and recall at 1, 3 and 5 of questions, and recall at 1 by chance.

    0 to 1; without a question there are no figures.
    """
    if not ranks:
        return {}
    figures = {"map": fmean(map(average_precision, ranks)), "mrr": fmean(1 / found[0] for found in ranks)}
    figures |= {f"r{k}": fmean(found[0] <= k for found in ranks) for k in _RECALLS}
    return {**figures, "by_chance": fmean(by_chance)}


def right_ranks(right: int, scores: Sequence[float]) -> list[int]:
    """The ranks of the first so many texts among all, counted from 1, in rising order."""
    # At a tie the wrong text counts as first: a model that says the same of all must not look perfect.
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place < right))
    return [rank for rank, place in enumerate(order, start=1) if place < right]


def average_precision(ranks: Sequence[int]) -> float:
    """Mean precision at the rank of each right text (at least one). 0 to 1."""
    return fmean(number / rank for number, rank in enumerate(ranks, start=1))
