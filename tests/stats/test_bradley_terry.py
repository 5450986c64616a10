"""Strengths of systems equal a textbook's and those of `choix`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.stats.bradley_terry import fit, strengths
from stats.agreement_reference import PACKAGES, TEXTBOOK, TOLERANCE

if TYPE_CHECKING:
    from expound.protocols import Numbers

whole = st.lists(st.integers(1, 9), min_size=9, max_size=9)


def fitted(wins: Any) -> Numbers:
    table = np.asarray(wins, dtype=np.float64)
    strengths: Numbers = fit(table[None], table + table.T > 0)[0]
    return strengths


def test_strengths_equal_the_textbooks() -> None:
    case = TEXTBOOK["bradley_terry"]
    found = fitted(case["wins"])
    assert found - found[-1] == pytest.approx(case["strengths"], abs=5e-3)


@pytest.mark.parametrize("case", PACKAGES["bradley_terry"])
def test_strengths_equal_choix(case: dict[str, Any]) -> None:
    # Its optimizer stops a little earlier than ours.
    assert fitted(case["wins"]) == pytest.approx(case["strengths"], abs=1e-6)


def test_two_systems_have_the_odds_of_their_wins() -> None:
    found = fitted([[0, 30], [10, 0]])
    assert found[0] - found[1] == pytest.approx(np.log(3))


@given(whole)
def test_expected_wins_equal_the_wins(numbers: list[int]) -> None:
    wins = np.array(numbers, dtype=np.float64).reshape(3, 3) * (1 - np.eye(3))
    found = fitted(wins)
    chance = 1 / (1 + np.exp(found[None, :] - found[:, None]))
    assert ((wins + wins.T) * chance).sum(axis=1) == pytest.approx(wins.sum(axis=1), abs=1e-7)
    assert found.sum() == pytest.approx(0, abs=TOLERANCE)


def item(winner: int, loser: int, size: int) -> Numbers:
    wins = np.zeros((size, size))
    wins[winner, loser] = 1
    return wins


def test_a_system_that_never_lost_gets_a_finite_strength_and_it_is_said() -> None:
    wins = np.array([item(0, 1, 3)] * 8 + [item(1, 2, 3), item(2, 1, 3), item(0, 2, 3)])
    found = strengths(wins, ["x", "y", "z"], seed=0, samples=50)
    assert found.smoothed
    assert found.figures["x"].value > found.figures["y"].value
    assert all(np.isfinite([one.low, one.high]).all() for one in found.figures.values())


def test_systems_that_were_never_compared_stand_in_groups_of_their_own() -> None:
    wins = np.array([item(0, 1, 5), item(1, 0, 5), item(2, 3, 5), item(3, 2, 5)] * 3)
    found = strengths(wins, ["a", "b", "c", "d", "e"], seed=0, samples=50)
    assert found.groups == (("a", "b"), ("c", "d"), ("e",))
    assert not found.smoothed
    assert found.figures["e"].value == 0
    assert found.figures["e"].n == 0


def test_intervals_hold_the_value_and_follow_the_seed() -> None:
    wins = np.array([item(0, 1, 3), item(1, 2, 3), item(2, 0, 3), item(0, 2, 3), item(0, 1, 3), item(1, 0, 3)] * 5)
    found = strengths(wins, ["x", "y", "z"], seed=1, samples=200)
    assert found == strengths(wins, ["x", "y", "z"], seed=1, samples=200)
    assert all(one.low <= one.value <= one.high for one in found.figures.values())
    assert found.figures["x"].n == 25
