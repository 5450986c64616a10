"""What a sentence says in the question's own words, and what it says of something else."""

from __future__ import annotations

import pytest

from expound.clarify.statements import says_literally, says_of_another


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Who plays the keeper in Marrow Point?", "Ada Fenn plays the keeper in Marrow Point.", "Ada Fenn"),
        ("Who played the keeper?", "The keeper was played by Ada Fenn, an actress.", "Ada Fenn"),
        ("Who was the first keeper of the light?", "Ada Fenn became the first keeper of the light.", "Ada Fenn"),
        ("What is the capital of Marrow?", "The capital of Marrow is Hollow.", "Hollow"),
        ("Which town hosted the fair?", "Hollow hosted the fair in 1901.", "Hollow"),
        ("Who won the mayor race in Hollow?", "Ada Fenn won the Hollow mayor race in 1901.", "Ada Fenn"),
    ],
)
def test_a_sentence_may_say_the_question_with_its_answer(question: str, sentence: str, answer: str) -> None:
    assert says_literally(question, sentence, answer)


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Who played the keeper?", "Ada Fenn played the keeper's daughter Ann.", "Ada Fenn"),
        ("Who directed Marrow Point?", "Ada Fenn directed Marrow Point Two.", "Ada Fenn"),
        ("Who directed Marrow?", "The Bride of Marrow was directed by Ada Fenn.", "Ada Fenn"),
        ("What is the capital of Marrow?", "Hollow was the capital of Marrow.", "Hollow"),
        ("Who does Ada Fenn play?", "Ada Fenn plays Ann.", "Ann"),
        ("Who played the keeper?", "The keeper, played by Ada Fenn, a star of Hollow Theatre.", "Hollow Theatre"),
    ],
)
def test_what_is_near_the_question_does_not_say_it(question: str, sentence: str, answer: str) -> None:
    assert not says_literally(question, sentence, answer)


def test_the_title_may_say_what_a_sentence_does_not() -> None:
    assert says_literally("Who directed Marrow Point?", "It was directed by Ada Fenn.", "Ada Fenn", "Marrow Point")
    assert not says_literally("Who directed Marrow Point?", "It was directed by Ada Fenn.", "Ada Fenn", "Hollow")


def test_who_is_something_else_is_told_from_who_is_asked_for() -> None:
    question = "Who was the first Dane in space?"
    assert says_of_another(question, "Ada Fenn was the first Danish woman in space.", "Ada Fenn")
    assert not says_of_another("Who directed Dune?", "Ada Fenn directed the remake of Dune.", "Ada Fenn")
    assert says_of_another("Who directed Dune?", "Ada Fenn directed Hollow and liked Dunes.", "Ada Fenn")
