"""Published preferences as a study."""

from __future__ import annotations

from expound.agreement.published import judgments_from, lengths_of
from expound.datasets.item_ids import item_of
from expound.types import Preference, Question

ASKED = Question("q", "Why?")
ONE = Preference("1", ASKED, "one two", "three", "a", "model", "human", rater="r", domain="law", meta={"seconds": 5})
HARD = Preference("2", ASKED, "one two", "three", "tie", rater="s", meta={"is_difficult": True})


def test_a_preference_becomes_a_judgment_of_two_systems() -> None:
    (found,) = judgments_from([ONE], study="law")
    assert (found.a, found.b, found.choice, found.shown) == ("model", "human", "a", "ab")
    assert (found.study, found.rater, found.domain, found.seconds) == ("law", "r", "law", 5.0)


def test_the_same_answers_are_the_same_item_and_turned_ones_another() -> None:
    turned = Preference("3", ASKED, "three", "one two", "a")
    assert item_of(ONE) == item_of(HARD) != item_of(turned)


def test_difficulty_is_a_criterion_about_the_item_as_a_whole() -> None:
    choice, difficult = judgments_from([HARD], study="law")
    assert (choice.a, choice.choice) == ("a", "tie")
    assert (difficult.criterion, difficult.a, difficult.choice, difficult.value) == ("difficult", "", None, True)


def test_lengths_are_in_words() -> None:
    assert lengths_of([ONE]) == {(item_of(ONE), "model"): 2, (item_of(ONE), "human"): 1}
