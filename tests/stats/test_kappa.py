"""Kappas equal those of textbooks and of statsmodels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.stats.kappa import agreeing_pairs, cohen, fleiss, observe_agreement, randolph
from stats.agreement_reference import PACKAGES, TEXTBOOK, TOLERANCE, value_of

if TYPE_CHECKING:
    from expound.protocols import Numbers

tables = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(lambda row: sum(row) > 1), min_size=1)


def rows_of(table: list[list[int]]) -> Numbers:
    """Two raters' cross table as a row per item."""
    ones = np.eye(len(table))
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return np.array([np.concatenate([ones[i], ones[j]]) for i, j in pairs])


def test_fleiss_equals_the_table_of_his_paper() -> None:
    assert value_of(fleiss, TEXTBOOK["fleiss"]["counts"]) == pytest.approx(TEXTBOOK["fleiss"]["kappa"], abs=5e-4)


def test_cohen_equals_a_table_worked_by_hand() -> None:
    assert value_of(cohen, rows_of(TEXTBOOK["cohen"]["table"])) == pytest.approx(0.4)


@pytest.mark.parametrize("case", PACKAGES["kappa"])
def test_fleiss_and_randolph_equal_statsmodels(case: dict[str, Any]) -> None:
    assert value_of(fleiss, case["counts"]) == pytest.approx(case["fleiss"], abs=TOLERANCE)
    assert value_of(randolph, case["counts"]) == pytest.approx(case["randolph"], abs=TOLERANCE)


@pytest.mark.parametrize("case", PACKAGES["cohen"])
def test_cohen_equals_statsmodels(case: dict[str, Any]) -> None:
    assert value_of(cohen, rows_of(case["table"])) == pytest.approx(case["kappa"], abs=TOLERANCE)


def test_raters_who_always_agree_have_a_kappa_of_one() -> None:
    assert value_of(fleiss, [[3, 0], [0, 3]]) == 1
    assert value_of(cohen, [[1, 0, 1, 0], [0, 1, 0, 1]]) == 1


def test_one_category_alone_has_no_kappa() -> None:
    assert math.isnan(value_of(fleiss, [[3, 0], [2, 0]]))
    assert math.isnan(value_of(cohen, [[1, 0, 1, 0]]))
    assert value_of(randolph, [[3, 0], [2, 0]]) == 1


def test_pairs_of_raters_are_counted_per_item() -> None:
    assert agreeing_pairs(np.array([[2.0, 1.0], [0.0, 2.0]])).tolist() == [[1, 3], [1, 1]]
    assert value_of(observe_agreement, [[2, 1], [0, 2]]) == pytest.approx((1 / 3 + 1) / 2)


@given(tables)
def test_kappa_is_at_most_one_and_the_order_of_items_and_categories_is_free(table: list[list[int]]) -> None:
    value = value_of(fleiss, table)
    turned = value_of(fleiss, [row[::-1] for row in reversed(table)])
    assert value == pytest.approx(turned, nan_ok=True)
    assert math.isnan(value) or value <= 1 + TOLERANCE


@given(tables)
def test_an_item_taken_twice_counts_like_two_items(table: list[list[int]]) -> None:
    counts = np.array(table, dtype=np.float64)
    weights = np.full((1, len(table)), 2.0)
    assert float(fleiss(counts, weights)[0]) == pytest.approx(value_of(fleiss, [*table, *table]), nan_ok=True)
