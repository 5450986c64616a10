"""Questions that follow another: who is meant by he, she, it and they."""

from __future__ import annotations

import pytest

from expound.clarify.pronouns import follow_up

LIGHTHOUSE = "Who built the lighthouse of Marrow Point?"
CASES = [
    ("When was it built?", LIGHTHOUSE, "", "When was the lighthouse of Marrow Point built?"),
    ("How tall is it?", LIGHTHOUSE, "", "How tall is the lighthouse of Marrow Point?"),
    ("Who painted it?", LIGHTHOUSE, "", "Who painted the lighthouse of Marrow Point?"),
    ("What is its height?", LIGHTHOUSE, "", "What is the lighthouse of Marrow Point’s height?"),
    ("Its height?", LIGHTHOUSE, "", "The lighthouse of Marrow Point’s height?"),
    ("When did she die?", "Where was Ada Fenwick born?", "", "When did Ada Fenwick die?"),
    ("Who were her parents?", "Where was Ada Fenwick born?", "", "Who were Ada Fenwick’s parents?"),
    ("Who married her?", "Where was Ada Fenwick born?", "", "Who married Ada Fenwick?"),
    (
        "What do they eat?",
        "How do jellyfish function without brains?",
        "Most jellyfish have no heart.",
        "What do jellyfish eat?",
    ),
    (
        "When did it burn down?",
        "How high did the old lighthouse stand?",
        "The old lighthouse was a tower.",
        "When did the old lighthouse burn down?",
    ),
]


@pytest.mark.parametrize(("question", "before", "passage", "expected"), CASES)
def test_a_lone_pronoun_takes_the_subject_of_the_last_question(
    question: str, before: str, passage: str, expected: str
) -> None:
    assert follow_up(question, before, [passage]) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Who built the ferry?",
        "Why do cats lick their paws?",
        "When did Ada Fenwick say that she was ill?",
        "How long does it take to cross?",
        "Is it true that lamps burned whale oil?",
        "Does the keeper know his lamp?",
    ],
)
def test_a_question_that_stands_by_itself_stays_as_it_is(question: str) -> None:
    assert follow_up(question, LIGHTHOUSE) == question


def test_without_a_subject_nothing_is_put_in() -> None:
    assert follow_up("When was it?", "why though?") == "When was it?"
    assert follow_up("When was it?", "") == "When was it?"
