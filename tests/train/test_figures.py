"""Figures on held-out questions, against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from expound.train.figures import auc, average_precision, best_first, ranking_figures
from expound.train.pools import Pool


def pool(*holds_answer: bool) -> Pool:
    texts = tuple(map(str, range(len(holds_answer))))
    only_first = tuple(place == holds_answer.index(True) for place in range(len(holds_answer)))
    return Pool("q", texts, texts, holds_answer, only_first, (0.0,) * len(texts), "toy")


def test_average_precision_is_the_mean_precision_at_each_hit() -> None:
    assert average_precision(np.array([True, False, True])) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(np.array([True, True])) == 1.0


def test_ties_keep_their_order() -> None:
    assert best_first([1.0, 2.0, 1.0]).tolist() == [1, 0, 2]


def test_auc_counts_a_tie_half() -> None:
    assert auc([2.0], [1.0]) == 1.0
    assert auc([1.0], [1.0]) == 0.5
    assert auc([1.0, 3.0], [2.0]) == 0.5


def test_both_labels_have_their_figures() -> None:
    figures = ranking_figures([pool(False, True, True), pool(True, False, False)], [[3, 1, 2], [1, 2, 3]])
    assert figures["holds_answer_r1"] == 0.0
    assert figures["holds_answer_r3"] == 1.0
    assert figures["holds_answer_map"] == pytest.approx(((1 / 2 + 2 / 3) / 2 + 1 / 3) / 2)
    assert figures["is_positive_map"] == pytest.approx(1 / 3)
