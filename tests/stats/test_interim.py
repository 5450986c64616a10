"""Looks on the way: the level of all of them together is kept."""

from __future__ import annotations

import random
from statistics import NormalDist

import pytest

from expound.stats.interim import latest_look, spent


def test_nearly_all_of_the_level_is_left_for_the_end() -> None:
    assert spent(1) == pytest.approx(0.05)
    assert spent(0) == 0
    # Lan and DeMets 1983: at half of the data the O'Brien-Fleming function has spent 0.0056 of 0.05.
    assert spent(0.5) == pytest.approx(0.0056, abs=1e-4)


def test_the_levels_of_all_looks_add_up_to_the_whole() -> None:
    shares = [0.2, 0.5, 0.9, 1.0]
    assert sum(latest_look(shares[: number + 1]).level for number in range(4)) == pytest.approx(0.05)


def test_a_second_look_at_the_same_data_is_the_same_look() -> None:
    assert latest_look([0.5, 0.5]) == latest_look([0.5])
    assert latest_look([0.5]).number == 1


def test_a_corrected_p_value_is_compared_with_the_level_of_all() -> None:
    look = latest_look([0.5, 1.0])
    assert look.correct(look.level) == pytest.approx(0.05)
    assert look.correct(0.9) == 1


def test_of_studies_without_a_difference_at_most_one_in_twenty_finds_one() -> None:
    draw, normal, shares = random.Random(7), NormalDist(), (0.25, 0.5, 0.75, 1.0)
    levels = [latest_look(shares[: number + 1]).level for number in range(4)]
    found = plain = 0
    for _ in range(4000):
        total, hits = 0.0, []
        for number in range(4):
            total += draw.gauss(0, 0.5)  # the z of a quarter of the data, on the scale of the whole
            p_value = 2 - 2 * normal.cdf(abs(total) / shares[number] ** 0.5)
            hits.append((p_value < levels[number], p_value < 0.05))
        found += any(corrected for corrected, _ in hits)
        plain += any(uncorrected for _, uncorrected in hits)
    assert found / 4000 <= 0.05
    assert plain / 4000 > 0.1  # what looking without correction would have done
