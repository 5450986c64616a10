"""P-values as they are printed."""

from __future__ import annotations

import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.stats import p_values as module
from expound.stats.p_values import shown_p, told_p


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("p_value", "shown"), [(0.0, "< 0.0001"), (0.000099, "< 0.0001"), (0.0001, "0.0001"), (1.0, "1.0000")]
)
def test_what_four_digits_cannot_tell_is_said_to_be_below_them(p_value: float, shown: str) -> None:
    assert shown_p(p_value) == shown


@given(st.floats(0, 1))
def test_no_p_value_prints_as_zero(p_value: float) -> None:
    assert float(shown_p(p_value).removeprefix("< ")) > 0


def test_a_p_value_that_does_not_exist_is_a_dash() -> None:
    assert (shown_p(math.nan), told_p(math.nan)) == ("–", "p = –")
