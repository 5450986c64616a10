"""Figures with bootstrap intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expound.stats.bootstrap import interval
from expound.stats.kappa import fleiss
from expound.stats.proportions import NOTHING, pooled_figure, ratio


def test_the_interval_is_that_of_the_bootstrap() -> None:
    values = [float(n % 7) for n in range(40)]
    found = pooled_figure(np.array([(value, 1.0) for value in values]), ratio, seed=5)
    assert (found.low, found.high) == pytest.approx(interval(values, seed=5))
    assert found.value == pytest.approx(sum(values) / 40)
    assert found.n == 40


def test_resamples_without_a_value_are_left_out() -> None:
    # Three items: a resample often has one category only, and then no kappa.
    found = pooled_figure(np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]]), fleiss, seed=0)
    assert -1 <= found.low <= found.value <= found.high <= 1


def test_nothing_has_no_figure() -> None:
    assert pooled_figure(np.zeros((0, 2)), ratio, seed=0) is NOTHING


def test_a_figure_that_is_not_defined_has_no_interval() -> None:
    found = pooled_figure(np.array([[2.0, 0.0], [3.0, 0.0]]), fleiss, seed=0)
    assert math.isnan(found.value)
    assert math.isnan(found.low)
