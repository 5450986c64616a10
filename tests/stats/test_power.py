"""How many items a study needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.stats.binomial import probability, sign_test
from expound.stats.power import items_for_mean, items_for_preference, mean_power, preference_power
from stats.agreement_reference import PACKAGES


@pytest.mark.parametrize("items", [1, 5, 6, 23, 60])
def test_the_power_is_the_chance_of_a_count_that_the_sign_test_rejects(items: int) -> None:
    rejected = [hits for hits in range(items + 1) if sign_test(hits, items - hits) <= 0.05]
    expected = sum(probability(hits, items, 0.7) for hits in rejected)
    assert preference_power(items, 0.7) == pytest.approx(expected, abs=1e-12)


def test_no_preference_is_seen_as_often_as_the_level_allows() -> None:
    assert 0.02 < preference_power(200, 0.5) <= 0.05


def test_ties_only_leave_fewer_decided_items() -> None:
    by_hand = sum(probability(decided, 40, 0.75) * preference_power(decided, 0.8) for decided in range(41))
    assert preference_power(40, 0.8, ties=0.25) == pytest.approx(by_hand, abs=1e-9)


@pytest.mark.parametrize(("share", "ties"), [(0.6, 0.0), (0.75, 0.3), (0.3, 0.0), (0.95, 0.0)])
def test_the_power_is_reached_from_that_number_of_items_on(share: float, ties: float) -> None:
    items = items_for_preference(share, ties=ties)
    assert preference_power(items - 1, share, ties=ties) < 0.8
    assert all(preference_power(more, share, ties=ties) >= 0.8 for more in range(items, items + 60))


def test_three_in_five_take_about_two_hundred_items() -> None:
    # ((1.96 * 0.5 + 0.84 * 0.49) / 0.1)² is 194 by the normal approximation; whole counts cost a few more.
    assert 194 <= items_for_preference(0.6) <= 210


@given(st.sampled_from([0.55, 0.65, 0.8]))
def test_either_side_may_be_the_better_one(share: float) -> None:
    assert items_for_preference(share) == items_for_preference(round(1 - share, 2))


@pytest.mark.parametrize("case", PACKAGES["t_power"])
def test_the_power_for_a_mean_is_near_that_of_the_paired_t_test(case: dict[str, Any]) -> None:
    assert mean_power(case["items"], case["effect"], 1.0) == pytest.approx(case["power"], abs=0.01)


def test_items_for_a_mean_are_near_those_of_the_t_test_and_the_same_every_time() -> None:
    # A paired t-test needs 34 items for half a standard deviation.
    found = items_for_mean(0.5, 1.0, seed=3)
    assert found == items_for_mean(0.5, 1.0, seed=3)
    assert 33 <= found <= 35


def test_drawing_means_is_drawing_items() -> None:
    random = np.random.default_rng(0)
    items = random.normal(0.5 / 0.7, 1, (4000, 30)) * (random.random((4000, 30)) < 0.7)
    t = items.mean(axis=1) / items.std(axis=1, ddof=1) * 30**0.5
    # 2.045 is the critical value of t with 29 degrees of freedom.
    assert mean_power(30, 0.5, 1.0, ties=0.3) == pytest.approx(float((abs(t) > 2.045).mean()), abs=0.03)


def test_ties_leave_less_noise_around_the_same_mean() -> None:
    assert items_for_mean(0.5, 1.0, ties=0.5) < items_for_mean(0.5, 1.0)
    assert mean_power(40, 0.4, 1.0, ties=0.5) > mean_power(40, 0.4, 1.0)


@pytest.mark.parametrize("share", [0.5, 0.0, 1.0, 0.505])
def test_a_share_that_no_study_can_see_is_refused(share: float) -> None:
    with pytest.raises(UserError, match="share of"):
        items_for_preference(share)


@pytest.mark.parametrize(("difference", "deviation"), [(0.0, 1.0), (1.0, 0.0), (0.001, 1.0)])
def test_a_mean_that_no_study_can_see_is_refused(difference: float, deviation: float) -> None:
    with pytest.raises(UserError, match="difference"):
        items_for_mean(difference, deviation)


@pytest.mark.parametrize("wrong", [{"ties": 1.0}, {"power": 1.0}, {"level": 0.0}])
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"between 0 and 1|below 1"):
        items_for_preference(0.7, **wrong)
    with pytest.raises(UserError, match=r"between 0 and 1|below 1"):
        items_for_mean(0.5, 1.0, **wrong)
