"""The type of an ambiguity, by what sets the readings apart; and which questions depend on the time."""

from __future__ import annotations

import pytest

from expound.text.ambiguity import OPENINGS, Kind, is_time_dependent, kind_of
from expound.types import Interpretation

CASES: list[tuple[Kind, str, list[tuple[str, str]]]] = [
    (
        "event",
        "Who won the cup of Ostrand?",
        [("Who won the second cup of Ostrand?", "Una Pike"), ("Who won the third cup of Ostrand?", "Tom Hale")],
    ),
    (
        "property",
        "How high is the tower?",
        [("How high is the tower with its mast?", "90 metres"), ("How high is the tower without it?", "75 metres")],
    ),
    (
        "entity",
        "When did the tower open?",
        [("When did the tower in Rome open?", "1960"), ("When did the tower in Oslo open?", "1972")],
    ),
    (
        "entity",
        "Who voices Simba in The Lion King?",
        [
            ("Who voices Simba in The Lion King (1994 film)?", "Matthew Broderick"),
            ("Who voices Simba in The Lion King (2019 film)?", "Donald Glover"),
        ],
    ),
    (
        "answer type",
        "What is the size of the park?",
        [("What is the size in words of the park?", "vast"), ("What is the measured size of the park?", "12 acres")],
    ),
    (
        "time",
        "Who was the ruler of France in 1830?",
        [
            ("Who was the ruler of France in 1830, until 2 August 1830?", "Charles X"),
            ("Who was the ruler of France in 1830, from 9 August 1830?", "Louis Philippe I"),
        ],
    ),
    (
        "time",
        "When does the new season come out?",
        [("When does season 16 come out?", "2017"), ("When does season 15 come out?", "2016")],
    ),
    (
        "sub-questions",
        "Who was mayor and sheriff of Ostrand?",
        [("Who was mayor of Ostrand?", "Una Pike"), ("Who was sheriff of Ostrand?", "Tom Hale")],
    ),
]


@pytest.mark.parametrize(("kind", "question", "readings"), CASES)
def test_what_sets_readings_apart_is_their_type(kind: Kind, question: str, readings: list[tuple[str, str]]) -> None:
    assert kind_of(question, [Interpretation(text, (answer,)) for text, answer in readings]) == kind


def test_every_type_has_a_remark_without_a_name_a_number_or_a_date() -> None:
    assert set(OPENINGS) == {kind for kind, _, _ in CASES}
    for remark in OPENINGS.values():
        assert remark.endswith(".")
        assert remark[1:].islower()
        assert not any(character.isdigit() for character in remark)


@pytest.mark.parametrize(
    "question",
    [
        "When does the new season of the show start?",
        "who is the current champion",
        "Who won the last election in France?",
        "What is the latest version?",
        "Who is the mayor of New York now?",
    ],
)
def test_questions_about_now_depend_on_the_time(question: str) -> None:
    assert is_time_dependent(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who founded New York?",
        "when was new zealand discovered",
        "What does the last name Pike mean?",
        "How long does a passport last in Ostrand?",
        "Who painted the last supper?",
        "What is an alternating current?",
        "Which country lies next to Chad?",
        "Who wrote The Last Samurai?",
        "Who knows the renewed newspaper?",
    ],
)
def test_names_and_verbs_that_only_sound_like_now_do_not(question: str) -> None:
    assert not is_time_dependent(question)
