"""The official aggregate is the one that ASQA's scorer printed."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.score import official
from expound.score.official import official_aggregate
from golden import TOLERANCE, golden, golden_names

# rouge-score 0.1.2, BootstrapAggregator, median of the precisions; numpy.random.seed(7) just before.
MEDIANS = [
    ([0.3158289926066008], 0.3158289926066008),
    ([0.24458441983156698, 0.6237126093848322], 0.4341485146081996),
    (
        [0.2844112697731842, 0.11031157341382625, 0.4365489135595927, 0.5949572099831156, 0.019600956443605044],
        0.28916598463466475,
    ),
]


@pytest.mark.parametrize(("values", "expected"), MEDIANS)
def test_the_median_matches_the_official_aggregator(values: list[float], expected: float) -> None:
    assert official_aggregate([values], seed=7) == [pytest.approx(expected, abs=TOLERANCE)]


def test_medians_match_the_golden_bootstraps() -> None:
    for item in golden("rouge_score/bootstrap")["items"]:
        [value] = official_aggregate([item["values"]], seed=item["numpy_seed"])
        assert value == pytest.approx(item["expected"]["mid"][0], abs=TOLERANCE)


@pytest.mark.parametrize("name", golden_names("asqa"))
def test_aggregates_match_the_official_asqa_scorer(name: str) -> None:
    case = golden(name)
    expected, names = case["expected"], case["options"]["rouge_metrics"]
    rows = [[100 * item[name][2] for item in expected["per_item"].values()] for name in names]
    printed = [expected["aggregate_official_numpy_seed_0"][name] for name in names]
    assert official_aggregate(rows, seed=0) == pytest.approx(printed, abs=TOLERANCE)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20), st.integers(0, 9))
def test_the_aggregate_lies_among_the_values(values: list[float], seed: int) -> None:
    [value] = official_aggregate([values], seed)
    assert min(values) - TOLERANCE <= value <= max(values) + TOLERANCE
    assert official_aggregate([values], seed) == [value]


@pytest.mark.parametrize("values", [[], [[]], [[1.0], [1.0, 2.0]]])
def test_metrics_with_no_or_unequal_values_are_refused(values: list[list[float]]) -> None:
    with pytest.raises(UserError, match="as many values"):
        official_aggregate(values, seed=0)


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(official).attempted > 0
    assert doctest.testmod(official).failed == 0
