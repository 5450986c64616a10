"""Intervals and paired tests."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.stats.bootstrap import interval, paired_difference

numbers = st.lists(st.floats(-100, 100), min_size=1, max_size=30)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [float(n) for n in range(50)]
    assert interval(values, seed=1) == interval(values, seed=1) != interval(values, seed=2)


def test_the_interval_is_about_two_standard_errors_wide() -> None:
    values = [float(n % 2) for n in range(400)]
    low, high = interval(values, seed=0, samples=4000)
    assert low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.006)
    assert high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.006)


def test_a_lower_level_is_narrower() -> None:
    values = [float(n) for n in range(50)]
    wide, narrow = interval(values, seed=0), interval(values, seed=0, level=0.5)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_no_values_have_no_interval() -> None:
    assert all(math.isnan(bound) for bound in interval([], seed=0))


@given(numbers)
def test_an_interval_lies_within_the_values(values: list[float]) -> None:
    low, high = interval(values, seed=0, samples=50)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_blocks_do_not_change_the_size_of_a_large_resample() -> None:
    values = [0.0, 1.0] * 300_000
    low, high = interval(values, seed=0, samples=6)
    assert 0.49 < low <= high < 0.51


def test_a_clear_difference_is_significant() -> None:
    result = paired_difference([1.0] * 12, [0.0] * 12, seed=0)
    assert (result.difference, result.low, result.high) == (1, 1, 1)
    assert result.p_value < 0.005


def test_the_p_value_is_that_of_all_sign_flips() -> None:
    # Of the 16 ways to sign 1, 2, 3, 4 only two have a sum as far from 0 as 10: p = 1/8.
    result = paired_difference([1.0, 2.0, 3.0, 4.0], [0.0] * 4, seed=0, samples=40_000)
    assert result.p_value == pytest.approx(0.125, abs=0.008)


@given(numbers)
def test_a_system_does_not_differ_from_itself(values: list[float]) -> None:
    result = paired_difference(values, values, seed=0, samples=50)
    assert (result.difference, result.low, result.high, result.p_value) == (0, 0, 0, 1)


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=20))
def test_swapping_the_systems_turns_the_sign(pairs: list[tuple[float, float]]) -> None:
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    there, back = paired_difference(a, b, seed=0, samples=50), paired_difference(b, a, seed=0, samples=50)
    assert there.difference == pytest.approx(-back.difference)
    assert there.p_value == pytest.approx(back.p_value)


@pytest.mark.parametrize(("a", "b"), [([1.0], [1.0, 2.0]), ([], [])])
def test_a_comparison_needs_the_same_questions(a: list[float], b: list[float]) -> None:
    with pytest.raises(UserError, match="same questions"):
        paired_difference(a, b, seed=0)


def test_importing_it_does_not_import_numpy() -> None:
    code = "import sys, expound.stats.bootstrap; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
