"""Figures of an order of texts, against values worked out by hand."""

from __future__ import annotations

import pytest

from expound.train.data.group_files import Group
from expound.train.rank_figures import average_precision, rank_figures, right_ranks


def test_average_precision_is_the_mean_precision_at_each_right_text() -> None:
    assert average_precision([1, 3]) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision([1, 2]) == 1.0


def test_at_a_tie_the_wrong_text_counts_as_first() -> None:
    assert right_ranks(1, [1.0, 1.0, 0.0]) == [2]
    assert right_ranks(2, [1.0, 1.0, 1.0]) == [2, 3]


def test_every_figure_is_a_mean_over_the_questions() -> None:
    groups = [Group("one", ("a", "b"), ("c",)), Group("two", ("a",), ("b", "c", "d"))]
    figures = rank_figures(groups, [[2, 1, 3], [9, 3, 2, 1]])
    assert figures["r1"] == 0.5
    assert figures["r3"] == figures["r5"] == 1.0
    assert figures["mrr"] == pytest.approx((1 / 2 + 1) / 2)
    assert figures["map"] == pytest.approx(((1 / 2 + 2 / 3) / 2 + 1) / 2)
    assert figures["by_chance"] == pytest.approx((2 / 3 + 1 / 4) / 2)


def test_a_group_with_nothing_to_put_in_order_counts_nothing() -> None:
    assert rank_figures([Group("one", (), ("a",)), Group("two", ("a",), ())], [[1.0], [1.0]]) == {}
