"""Measure the order of passages: is one that answers among the first, and does its score tell the unanswerable."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from expound.train.document_groups import DocumentPool
from expound.train.figures import auc, best_first

Scores = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Interval:
    """A mean difference with its 95 % interval."""

    mean: float
    low: float
    high: float


def order_figures(pools: Sequence[DocumentPool], scores: Scores) -> dict[str, float]:
    """Recall at 1 and 3, mean reciprocal rank, and AUC of the best score with and without the right passages."""
    ranks = [first_right(pool, score) for pool, score in zip(pools, scores, strict=True)]
    return {
        "questions": len(pools),
        "r1": fmean(rank == 1 for rank in ranks),
        "r3": fmean(0 < rank <= 3 for rank in ranks),
        "mrr": fmean(1 / rank if rank else 0.0 for rank in ranks),
        "auc": auc(*with_and_without(pools, scores)),
    }


def first_right(pool: DocumentPool, scores: Sequence[float]) -> int:
    """The rank of the first right passage, counted from 1; 0 if no candidate is right."""
    hits = np.flatnonzero(np.asarray(pool.is_right)[best_first(scores)])
    return int(hits[0]) + 1 if len(hits) else 0


def with_and_without(pools: Sequence[DocumentPool], scores: Scores) -> tuple[list[float], list[float]]:
    """Best scores of the pools that have a right passage, and of the same pools after it was taken away."""
    found = [(p, s) for p, s in zip(pools, scores, strict=True) if any(p.is_right) and not all(p.is_right)]
    wrong = [max(score for score, right in zip(s, p.is_right, strict=True) if not right) for p, s in found]
    return [max(s) for _, s in found], wrong


def recall_difference(pools: Sequence[DocumentPool], ours: Scores, theirs: Scores, *, k: int, seed: int) -> Interval:
    """Recall at k of one order minus another's, with a paired bootstrap over the questions."""
    hits = [[0 < first_right(p, s) <= k for p, s in zip(pools, scores, strict=True)] for scores in (ours, theirs)]
    differences = np.asarray(hits[0], dtype=float) - np.asarray(hits[1], dtype=float)
    rng = np.random.default_rng(random.Random(seed).getrandbits(32))
    means = differences[rng.integers(0, len(differences), (5000, len(differences)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Interval(float(differences.mean()), float(low), float(high))
