"""Plackett-Luce against another way to its maximum, and against Bradley-Terry where it is the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.stats.bradley_terry import strengths
from expound.stats.plackett_luce import ranking_strengths

NAMES = ("w", "x", "y", "z")


def by_minorization(rankings: Sequence[Sequence[int]], size: int) -> list[float]:
    """The maximum by Hunter's MM algorithm (2004, section 5), written out without matrices."""
    strength = [1.0] * size
    won = [sum(place in one[:-1] for one in rankings) for place in range(size)]
    for _ in range(20_000):
        expected = [0.0] * size
        for one in rankings:
            for start in range(len(one) - 1):
                share = 1 / sum(strength[place] for place in one[start:])
                for place in one[start:]:
                    expected[place] += share
        made = [won[place] / expected[place] for place in range(size)]
        mean = math.exp(sum(map(math.log, made)) / size)
        made = [one / mean for one in made]
        if max(abs(math.log(a / b)) for a, b in zip(made, strength, strict=True)) < 1e-13:
            break
        strength = made
    return [math.log(one) for one in strength]


RANKINGS = [(0, 1, 2, 3), (1, 0, 3, 2), (2, 0, 1), (3, 2, 0, 1), (0, 3), (1, 2, 3), (2, 1), (0, 2, 1, 3)]


def test_the_strengths_are_those_of_another_method() -> None:
    found = ranking_strengths([[one] for one in RANKINGS], NAMES, seed=0, samples=10)
    assert not found.smoothed
    assert [found.figures[name].value for name in NAMES] == pytest.approx(by_minorization(RANKINGS, 4), abs=1e-9)


def test_rankings_of_two_are_bradley_terry() -> None:
    pairs = [(0, 1), (1, 0), (0, 1), (1, 2), (2, 0), (0, 2), (2, 1)]
    wins = np.zeros((len(pairs), 3, 3))
    for number, (first, second) in enumerate(pairs):
        wins[number, first, second] = 1
    ours = ranking_strengths([[one] for one in pairs], NAMES[:3], seed=3, samples=50)
    theirs = strengths(wins, NAMES[:3], seed=3, samples=50)
    for name in NAMES[:3]:
        assert ours.figures[name].value == pytest.approx(theirs.figures[name].value, abs=1e-9)


def test_a_system_that_always_comes_first_has_a_finite_strength() -> None:
    found = ranking_strengths([[(0, 1, 2)], [(0, 2, 1)]], NAMES[:3], seed=0, samples=10)
    assert found.smoothed
    values = [found.figures[name].value for name in NAMES[:3]]
    assert values[0] > values[1] == pytest.approx(values[2])
    assert all(map(math.isfinite, values))


@given(st.lists(st.permutations(range(3)), min_size=1, max_size=8))
def test_strengths_have_mean_zero_and_lie_within_their_interval_or_near(rankings: list[list[int]]) -> None:
    found = ranking_strengths([[one] for one in rankings], NAMES[:3], seed=0, samples=20).figures
    assert sum(one.value for one in found.values()) == pytest.approx(0, abs=1e-9)
    assert all(one.low <= one.high and one.n == len(rankings) for one in found.values())
