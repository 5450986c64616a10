"""Ratings, labels, boxes and lists of answers."""

from __future__ import annotations

import math

import pytest

from agreement.judged import rated_as
from expound.agreement.labels import value_labels
from expound.agreement.reliability import agreement
from expound.agreement.values import FIVE_POINT, answers_f1, collapse, collect_ratings


def test_a_questions_raters_count_once_in_the_mean() -> None:
    found = collect_ratings([rated_as("1", "r", 4), rated_as("1", "s", 2), rated_as("2", "r", 5)], seed=0)[0]
    assert (found.mean.value, found.mean.n, found.judgments) == (4, 2, 3)
    assert {label: one.n for label, one in found.labels.items()} == {"2": 3, "4": 3, "5": 3}


def test_boxes_are_the_share_that_is_ticked() -> None:
    found = collect_ratings([rated_as("1", "r", [True, False]), rated_as("2", "r", [True])], seed=0)[0]
    assert (found.mean.value, found.is_share) == (0.75, True)


def test_boxes_may_also_be_items_of_their_own() -> None:
    boxes = [rated_as(f"1/x/{n}", "r", ticked, question_id="q1") for n, ticked in enumerate([1, 0, 0, 0])]
    found = collect_ratings([*boxes, rated_as("2/x/0", "r", 1)], seed=0)[0]
    assert (found.mean.value, found.mean.n, found.is_share) == (0.625, 2, True)


def test_those_who_do_not_know_are_left_out_of_the_mean() -> None:
    found = collect_ratings([rated_as("1", "r", 1), rated_as("2", "r", 0), rated_as("3", "r", "unknown")], seed=0)[0]
    assert (found.mean.value, found.is_share, round(found.labels["unknown"].value, 2)) == (0.5, True, 0.33)


def test_labels_have_shares_and_no_mean() -> None:
    votes = [
        rated_as("1", "r", "yes"),
        rated_as("2", "r", "no"),
        rated_as("3", "r", "no"),
        rated_as("4", "r", "unsure"),
    ]
    found = collect_ratings(votes, seed=0)[0]
    assert math.isnan(found.mean.value)
    assert {label: one.value for label, one in found.labels.items()} == {"no": 0.5, "unsure": 0.25, "yes": 0.25}


def test_collapsed_ratings_forgive_a_step_within_a_group() -> None:
    labels = value_labels([rated_as("1", "r", 4), rated_as("1", "s", 5), rated_as("2", "r", 1), rated_as("2", "s", 2)])
    assert agreement(labels, seed=0).pairwise.value == 0
    assert agreement(collapse(labels, FIVE_POINT), seed=0).pairwise.value == 1


def test_writers_of_answers_are_scored_against_each_other() -> None:
    one = rated_as(
        "1", "r", [{"question": "Founded?", "answers": ["1624"]}, {"question": "Renamed?", "answers": ["1664"]}]
    )
    other = rated_as("1", "s", ["1624"])
    assert answers_f1([one, other], seed=0).value == pytest.approx(200 / 3)


def test_an_alias_is_found_in_one_direction() -> None:
    one = rated_as("1", "r", [{"answers": ["New York", "NYC"]}])
    other = rated_as("1", "s", [{"answers": ["NYC"]}])
    assert answers_f1([one, other], seed=0).value == 50


def test_a_list_by_one_person_alone_says_nothing() -> None:
    assert math.isnan(answers_f1([rated_as("1", "r", ["x"])], seed=0).value)
