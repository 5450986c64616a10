"""Shares, points and strengths."""

from __future__ import annotations

import pytest

from agreement.judged import judged
from expound.agreement.preference import bradley_terry, pairs, points
from expound.stats.binomial import sign_test

VOTES = [judged(str(n), "r", choice) for n, choice in enumerate("aaaaaabb")]


def test_a_tie_is_half_a_point() -> None:
    found = pairs([judged("1", "r", "a"), judged("2", "r", "tie")], seed=0)[0]
    assert (found.share.value, found.a_wins.value, found.ties.value, found.b_wins.value) == (0.75, 0.5, 0.5, 0)


def test_every_judgment_counts_but_items_are_tested_by_majority() -> None:
    extra = [judged("0", "s", "a"), judged("0", "t", "a")]
    found = pairs([*VOTES, *extra], seed=0)[0]
    assert (found.judgments, found.items, found.share.value) == (10, 8, 0.8)
    assert found.p_judgments == sign_test(8, 2)
    assert found.p_items == sign_test(6, 2)


def test_p_values_are_corrected_for_the_number_of_pairs() -> None:
    others = [judged(f"z{n}", "r", "a", b="z") for n in range(8)]
    found = {pair.b: pair for pair in pairs([*VOTES, *others], seed=0)}
    assert found["z"].p_holm == pytest.approx(2 * found["z"].p_items)
    assert found["y"].p_holm == pytest.approx(found["y"].p_items)


def test_the_interval_holds_the_share() -> None:
    found = pairs(VOTES, seed=0)[0].share
    assert found.low < found.value < found.high


def test_points_are_in_percent_and_of_a_systems_own_comparisons() -> None:
    votes = [judged("1", "r", "a"), judged("2", "r", "tie"), judged("3", "r", "b", a="y", b="z")]
    found = points(votes, seed=0)
    assert {system: (one.value, one.n) for system, one in found.items()} == {
        "x": (75, 2),
        "y": (pytest.approx(100 / 6), 3),
        "z": (100, 1),
    }


def test_strengths_order_systems_by_who_is_preferred_to_whom() -> None:
    votes = [
        judged(f"{a}{b}{n}", "r", choice, a=a, b=b) for a, b in ("xy", "yz", "xz") for n, choice in enumerate("aab")
    ]
    found = bradley_terry(votes, ["x", "y", "z"], seed=0, samples=50)
    assert found.figures["x"].value > found.figures["y"].value > found.figures["z"].value
