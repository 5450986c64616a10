"""Sides and lengths."""

from __future__ import annotations

import math

from agreement.judged import judged
from expound.agreement.bias import length_bias, side_bias


def test_the_side_is_where_the_chosen_answer_stood() -> None:
    found = side_bias([judged("1", "r", "a"), judged("2", "r", "b", shown="ba"), judged("3", "r", "b")])
    assert (round(found.left.value, 3), found.left.n) == (0.667, 3)


def test_ties_have_no_side() -> None:
    found = side_bias([judged("1", "r", "tie")])
    assert math.isnan(found.left.value)
    assert found.p_value == 1


LENGTHS = {("1", "x"): 9.0, ("1", "y"): 5.0, ("2", "x"): 4.0, ("2", "y"): 5.0, ("3", "x"): 5.0, ("3", "y"): 5.0}


def test_the_longer_answer_is_counted_by_judgment_and_by_majority() -> None:
    votes = [judged("1", "r", "a"), judged("1", "s", "a"), judged("1", "t", "b"), judged("2", "r", "a")]
    found = length_bias(votes, LENGTHS)
    assert (found.judgments.value, found.judgments.n) == (0.5, 4)
    assert (found.items.value, found.items.n) == (0.5, 2)


def test_answers_of_one_length_and_tied_votes_are_left_out() -> None:
    votes = [judged("3", "r", "a"), judged("1", "r", "a"), judged("1", "s", "b"), judged("unknown", "r", "a")]
    found = length_bias(votes, LENGTHS)
    assert (found.equal_judgments, found.equal_items, found.judgments.n, found.items.n) == (1, 1, 2, 0)


def test_the_order_in_which_raters_name_the_systems_does_not_matter() -> None:
    found = length_bias([judged("1", "r", "b", a="y", b="x"), judged("1", "s", "a")], LENGTHS)
    assert (found.judgments.value, found.items.value) == (1, 1)
