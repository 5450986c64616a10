"""Wilson's interval equals statsmodels'."""

from __future__ import annotations

import doctest
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.stats import proportions
from expound.stats.proportions import share, wilson
from stats.agreement_reference import PACKAGES, TEXTBOOK, TOLERANCE


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(proportions).failed == 0


def test_the_edge_for_no_hits_equals_one_worked_by_hand() -> None:
    low, high = wilson(0, TEXTBOOK["wilson"]["n"])
    assert low == 0
    assert high == pytest.approx(TEXTBOOK["wilson"]["high"], abs=1e-6)


@pytest.mark.parametrize("case", PACKAGES["wilson"])
def test_intervals_equal_statsmodels(case: dict[str, Any]) -> None:
    assert wilson(case["hits"], case["n"]) == pytest.approx(case["interval"], abs=TOLERANCE)


@given(st.integers(1, 200), st.data())
def test_an_interval_holds_the_share_and_stays_within_0_and_1(n: int, data: st.DataObject) -> None:
    figure = share(data.draw(st.integers(0, n)), n)
    assert 0 <= figure.low <= figure.value <= figure.high <= 1


def test_a_share_of_nothing_is_not_a_number() -> None:
    assert math.isnan(share(0, 0).value)
    assert all(math.isnan(edge) for edge in wilson(0, 0))
