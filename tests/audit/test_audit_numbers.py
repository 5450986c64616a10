"""Numbers with intervals: right values, and not a number where there is nothing to count."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.audit.numbers import correlation_of, difference_of, mean_of, ratio_of, share_of
from expound.stats.correlation import spearman

VALUES = st.lists(st.floats(-100, 100), min_size=2, max_size=30)


@given(VALUES)
def test_a_value_correlates_with_itself_unless_it_never_changes(values: list[float]) -> None:
    found = spearman(np.array(values), np.array(values))
    assert math.isnan(found) if len(set(values)) == 1 else found == pytest.approx(1)


def test_a_correlation_has_an_interval_around_it() -> None:
    random = Random(0)
    x = [random.random() for _ in range(100)]
    found = correlation_of(x, [value + random.random() for value in x], seed=0)
    assert found.low < found.value < found.high
    assert found.n == 100


def test_a_constant_has_no_correlation() -> None:
    found = correlation_of([1.0] * 20, [float(place) for place in range(20)], seed=0)
    assert math.isnan(found.value)
    assert math.isnan(found.low)


def test_questions_without_a_value_are_left_out() -> None:
    assert mean_of([1.0, math.nan, 3.0], seed=0).value == 2
    assert mean_of([1.0, math.nan, 3.0], seed=0).n == 2
    assert difference_of([3.0, 1.0], [1.0, math.nan], seed=0).value == 2


def test_a_ratio_is_of_sums_not_of_means_of_ratios() -> None:
    assert ratio_of([1.0, 9.0], [1.0, 1.0], seed=0).value == 5
    assert math.isnan(ratio_of([1.0], [0.0], seed=0).value)


@pytest.mark.filterwarnings("error")
def test_resamples_without_anything_below_leave_the_interval_open_without_a_warning() -> None:
    found = ratio_of([2.0, 0.0, 0.0], [1.0, 0.0, 0.0], seed=0)
    assert found.value == 2
    assert math.isnan(found.low)


@pytest.mark.filterwarnings("error")
def test_resamples_that_never_change_leave_the_interval_open_without_a_warning() -> None:
    values = [0.0, 0.0, 1.0]
    found = [correlation_of(values, values, seed=seed, samples=1) for seed in range(20)]
    assert all(estimate.value == pytest.approx(1) for estimate in found)
    assert any(math.isnan(estimate.low) for estimate in found)


def test_one_value_has_no_interval() -> None:
    for found in (mean_of([1.0], seed=0), share_of([True]), difference_of([1.0], [2.0], seed=0)):
        assert math.isnan(found.low)
        assert found.n == 1


def test_nothing_is_not_a_number() -> None:
    assert math.isnan(mean_of([], seed=0).value)
    assert math.isnan(share_of([]).value)


def test_shares_are_in_percent_with_an_interval_that_is_never_empty() -> None:
    found = share_of([False] * 50)
    assert (found.value, found.low) == (0, 0)
    assert 5 < found.high < 10


@given(VALUES, st.integers(0, 3))
def test_a_mean_lies_within_its_interval(values: list[float], seed: int) -> None:
    found = mean_of(values, seed=seed)
    assert found.low <= found.value + 1e-6
    assert found.value <= found.high + 1e-6
