"""Measure a ranker on held-out questions: average precision, recall at k, AUC."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from expound.train.pools import Pool


def ranking_figures(pools: Sequence[Pool], scores: Sequence[Sequence[float]]) -> dict[str, float]:
    """Mean average precision and recall at 1, 3 and 5 of answer-bearing sentences, under both labels."""
    figures: dict[str, float] = {}
    for name in ("holds_answer", "is_positive"):
        hits = [np.asarray(getattr(p, name))[best_first(s)] for p, s in zip(pools, scores, strict=True)]
        figures[f"{name}_map"] = float(np.mean([average_precision(h) for h in hits]))
        for k in (1, 3, 5):
            figures[f"{name}_r{k}"] = float(np.mean([h[:k].any() for h in hits]))
    return figures


def best_first(scores: Sequence[float]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Positions by falling score; ties keep their order."""
    return np.argsort(-np.asarray(scores), kind="stable")


def average_precision(hits: np.ndarray[Any, np.dtype[np.bool_]]) -> float:
    """Mean precision at the rank of each hit (needs at least one hit). 0 to 1."""
    ranks = np.flatnonzero(hits) + 1
    return float(np.mean(np.arange(1, len(ranks) + 1) / ranks))


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Chance that a positive scores above a negative, ties counted half. 0 to 1."""
    differences = np.subtract.outer(np.asarray(positive), np.asarray(negative))
    return float(np.mean((differences > 0) + 0.5 * (differences == 0)))
