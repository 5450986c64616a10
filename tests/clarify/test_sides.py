"""The side of the verb on which an answer stands."""

from __future__ import annotations

import pytest

from expound.clarify.sides import asks_for_the_most, is_acted_on, is_of_another_number, is_runner_up

SENTENCE = "Ann plays the boss, Michael Scott, until season 7."


def test_who_does_something_is_not_named_behind_it() -> None:
    assert is_acted_on("Who plays the boss?", SENTENCE, "Michael Scott")
    assert not is_acted_on("Who plays the boss?", SENTENCE, "Ann")


@pytest.mark.parametrize(
    "sentence", ["The boss was played by Ann.", "The boss is Ann.", "It stars Ann, who played him."]
)
def test_the_passive_and_other_verbs_say_nothing_against_an_answer(sentence: str) -> None:
    assert not is_acted_on("Who played the boss?", sentence, "Ann")


@pytest.mark.parametrize("question", ["Who is the boss that Ann plays?", "Who does Ann play?", "When did Ann play?"])
def test_only_questions_for_the_subject_of_a_verb_are_looked_at(question: str) -> None:
    assert not is_acted_on(question, SENTENCE, "Michael Scott")


def test_what_comes_second_is_not_what_was_asked_for() -> None:
    assert is_runner_up("Which country is the most populous?", "It is the third most populous country.")
    assert is_runner_up("What is the oldest bridge?", "It is one of the oldest bridges of Marrow.")
    assert not is_runner_up("What is the oldest bridge?", "It is the oldest bridge, and the second longest.")
    assert not is_runner_up("What is the second oldest bridge?", "It is the second oldest bridge.")
    # In Marrow it is the first.
    both = "It is the largest lake of Marrow and the second largest lake of the world."
    assert not is_runner_up("What is the largest lake?", both)


@pytest.mark.parametrize(
    "question", ["Who has the most wins?", "Where is the largest mall?", "Which tower is tallest?"]
)
def test_a_superlative_asks_for_the_most(question: str) -> None:
    assert asks_for_the_most(question)


@pytest.mark.parametrize("question", ["Who won the song contest?", "Where is Mount Everest?", "Who lives in the West?"])
def test_words_that_only_end_like_a_superlative_do_not(question: str) -> None:
    assert not asks_for_the_most(question)


@pytest.mark.parametrize("text", ["Ann won series 2.", "Ann won the 2nd series.", "Ann won series two in 2011."])
def test_a_number_may_be_said_in_another_form(text: str) -> None:
    assert not is_of_another_number("Who won the second series?", text)


def test_a_sentence_on_another_season_is_of_another_number() -> None:
    assert is_of_another_number("When did season 3 start?", "Season 2 started in May.")
    assert not is_of_another_number("When did it start?", "Season 2 started in May.")
