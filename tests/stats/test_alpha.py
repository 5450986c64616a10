"""Krippendorff's alpha equals his own example and the `krippendorff` package."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.stats.alpha import interval_of, nominal, ordinal
from stats.agreement_reference import PACKAGES, TEXTBOOK, TOLERANCE, value_of

if TYPE_CHECKING:
    from expound.protocols import Numbers

ratings = st.lists(st.lists(st.integers(1, 4), min_size=2, max_size=4), min_size=1, max_size=8)


def counts_of(units: Sequence[Sequence[int | None]], values: Sequence[int]) -> Numbers:
    given = [[value for value in unit if value is not None] for unit in units]
    return np.array([[unit.count(value) for value in values] for unit in given if len(unit) > 1], dtype=np.float64)


def alphas(by_rater: Sequence[Sequence[int | None]]) -> dict[str, float]:
    values = sorted({value for row in by_rater for value in row if value is not None})
    counts = counts_of(list(zip(*by_rater, strict=True)), values)
    pools = {"nominal": nominal, "ordinal": ordinal, "interval": interval_of(values)}
    return {level: value_of(pool, counts) for level, pool in pools.items()}


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_equals_krippendorffs_own_example(level: str) -> None:
    case = TEXTBOOK["alpha"]
    assert alphas(case["ratings"])[level] == pytest.approx(case[level], abs=5e-4)


@pytest.mark.parametrize("case", PACKAGES["alpha"])
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_equals_the_package(case: dict[str, Any], level: str) -> None:
    assert alphas(case["ratings"])[level] == pytest.approx(case[level], abs=TOLERANCE)


def test_one_value_alone_has_no_alpha() -> None:
    assert all(math.isnan(value) for value in alphas([[2, 2], [2, 2]]).values())


@given(ratings)
def test_alpha_is_at_most_one(units: list[list[int]]) -> None:
    counts = counts_of(units, range(1, 5))
    for pool in (nominal, ordinal, interval_of([1, 2, 3, 4])):
        value = value_of(pool, counts)
        assert math.isnan(value) or value <= 1 + TOLERANCE


@given(ratings)
def test_interval_alpha_does_not_depend_on_the_unit_of_measurement(units: list[list[int]]) -> None:
    counts = counts_of(units, range(1, 5))
    plain, scaled = interval_of([1, 2, 3, 4]), interval_of([1010, 1020, 1030, 1040])
    assert value_of(plain, counts) == pytest.approx(value_of(scaled, counts), nan_ok=True)


@given(ratings)
def test_alpha_is_computed_anew_for_every_row_of_weights(units: list[list[int]]) -> None:
    counts = counts_of(units, range(1, 5))
    weights = np.array([np.ones(len(counts)), np.arange(1, len(counts) + 1)])
    repeated = np.repeat(counts, np.arange(1, len(counts) + 1), axis=0)
    for pool in (nominal, ordinal, interval_of([1, 2, 3, 4])):
        both = pool(counts, weights)
        assert both[0] == pytest.approx(value_of(pool, counts), nan_ok=True)
        assert both[1] == pytest.approx(value_of(pool, repeated), nan_ok=True)
