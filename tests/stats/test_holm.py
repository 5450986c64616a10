"""Holm's correction."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.stats import holm as module
from expound.stats.holm import holm

p_values = st.lists(st.floats(0, 1), max_size=12)


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(module).failed == 0


def test_values_match_a_worked_example() -> None:
    # statsmodels 0.15, multipletests(method="holm")
    assert holm([0.01, 0.02, 0.03, 0.005]) == pytest.approx([0.03, 0.04, 0.04, 0.02])


@given(p_values)
def test_a_correction_never_makes_a_p_value_smaller_or_larger_than_one(values: list[float]) -> None:
    assert all(before <= after <= 1 for before, after in zip(values, holm(values), strict=True))


@given(p_values)
def test_the_order_of_p_values_is_kept(values: list[float]) -> None:
    adjusted = holm(values)
    ranked = sorted(range(len(values)), key=lambda place: values[place])
    assert [adjusted[place] for place in ranked] == sorted(adjusted)


def test_a_single_p_value_stays() -> None:
    assert holm([0.04]) == [0.04]
