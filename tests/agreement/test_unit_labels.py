"""Judgments as tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.judged import judged, rated_as
from expound.agreement.labels import (
    Labels,
    categories_of,
    choice_labels,
    counts_of,
    flip,
    in_order,
    majority,
    system_order,
    value_labels,
)
from expound.errors import UserError
from expound.types import Judgment

judgments = st.builds(
    judged,
    st.just("1"),
    st.sampled_from("rst"),
    st.sampled_from(["a", "b", "tie", None]),
    shown=st.sampled_from(["ab", "ba"]),
)


@given(judgments)
def test_a_judgment_flipped_twice_is_the_same(judgment: Judgment) -> None:
    assert flip(flip(judgment)) == judgment


def test_a_flipped_judgment_prefers_the_same_system_on_the_same_side() -> None:
    other = flip(judged("1", "r", "a", shown="ba"))
    assert (other.a, other.b, other.choice, other.shown) == ("y", "x", "b", "ab")


def test_systems_come_in_the_given_order_then_by_name() -> None:
    found = [judged("1", "r", "a"), judged("2", "r", "a", a="w", b="z")]
    assert system_order(found, ("z", "unknown")) == ["z", "w", "x", "y"]
    assert [one.a for one in in_order(found, ["z", "w", "x", "y"])] == ["x", "z"]


def test_raters_who_saw_the_systems_in_another_order_are_turned_to_the_first() -> None:
    labels = choice_labels([judged("1", "r", "a"), judged("1", "s", "b", a="y", b="x")])
    assert list(labels.values()) == [{"r": "a", "s": "a"}]


def test_two_pairs_of_systems_in_one_item_are_two_units() -> None:
    assert len(choice_labels([judged("1", "r", "a"), judged("1", "r", "b", b="z")])) == 2


def test_a_rater_who_judged_twice_is_named() -> None:
    with pytest.raises(UserError, match="r judged '1' twice by 'overall'"):
        choice_labels([judged("1", "r", "a"), judged("1", "r", "b")])


def test_every_box_is_a_unit() -> None:
    labels = value_labels([rated_as("1", "r", [True, False]), rated_as("1", "s", [True, True])])
    assert labels == {("1", "x", 0): {"r": True, "s": True}, ("1", "x", 1): {"r": False, "s": True}}


def test_lists_of_answers_are_no_labels() -> None:
    assert value_labels([rated_as("1", "r", ["1624", "1664"])]) == {}


def test_counts_are_of_units_with_two_raters_or_more() -> None:
    labels: Labels = {("1",): {"r": 1, "s": 3}, ("2",): {"r": 2}}
    assert categories_of(labels) == [1, 2, 3]
    assert counts_of(labels, [1, 2, 3]).tolist() == [[1, 0, 1]]


def test_numbers_and_texts_can_stand_side_by_side() -> None:
    assert categories_of({("1",): {"r": "do not know", "s": True, "t": False}}) == [False, True, "do not know"]


def test_a_tied_vote_has_no_majority() -> None:
    assert majority({"r": "a", "s": "b"}) is None
    assert majority({"r": "a", "s": "b", "t": "b"}) == "b"
    assert majority({}) is None
