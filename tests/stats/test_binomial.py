"""Exact tests equal SciPy's."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.stats import binomial
from expound.stats.binomial import binomial_test, sign_test
from stats.agreement_reference import PACKAGES, TEXTBOOK, TOLERANCE


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(binomial).failed == 0


def test_a_p_value_equals_one_worked_by_hand() -> None:
    case = TEXTBOOK["binomial"]
    assert binomial_test(case["hits"], case["n"]) == pytest.approx(case["p"], abs=TOLERANCE)


@pytest.mark.parametrize("case", PACKAGES["binomial"])
def test_p_values_equal_scipys(case: dict[str, Any]) -> None:
    assert binomial_test(case["hits"], case["n"], case["chance"]) == pytest.approx(case["p"], abs=TOLERANCE)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_does_not_care_who_is_called_first(wins: int, losses: int) -> None:
    assert 0 < sign_test(wins, losses) <= 1
    assert sign_test(wins, losses) == pytest.approx(sign_test(losses, wins))


def test_nothing_decided_is_no_evidence() -> None:
    assert sign_test(0, 0) == 1


@pytest.mark.parametrize(("hits", "n", "chance"), [(3, 2, 0.5), (-1, 2, 0.5), (1, 2, 0.0), (1, 2, 1.0)])
def test_impossible_counts_are_refused(hits: int, n: int, chance: float) -> None:
    with pytest.raises(UserError, match="binomial test"):
        binomial_test(hits, n, chance)
