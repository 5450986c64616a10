"""Questions that follow another: who is meant by he, she, it, they and that, and what "And in winter?" leaves out."""

from __future__ import annotations

import pytest

from expound.clarify.follow_ups import follow_up

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


BUILT = "The lighthouse of Marrow Point was built in 1847 by the engineer Ada Fenwick."
SAILS = "The ferry to Marrow Island leaves at nine. In winter it stays in the harbour."
QUILLMARK = "Quillmark keeps notes. Install Quillmark with one command; to delete a note, press D."
LEAVES = "When does the ferry to Marrow Island leave?"
INSTALL = "How do I install Quillmark?"
# Objects, whatever stands in front; what "I" and "you" do is no subject.
OBJECTS = [
    ("Does it run offline?", INSTALL, QUILLMARK, "Does Quillmark run offline?"),
    ("Can I use it without a network?", INSTALL, QUILLMARK, "Can I use Quillmark without a network?"),
    ("And how do I restore it?", "How do I delete a note?", QUILLMARK, "And how do I restore a note?"),
    ("What happened to it in 1931?", LIGHTHOUSE, BUILT, "What happened to the lighthouse of Marrow Point in 1931?"),
    ("Who designed and built it?", LIGHTHOUSE, BUILT, "Who designed and built the lighthouse of Marrow Point?"),
    ("What did Tom Mill say about it?", LEAVES, SAILS, "What did Tom Mill say about the ferry to Marrow Island?"),
    ("Tell me more about it.", LEAVES, SAILS, "Tell me more about the ferry to Marrow Island."),
    ("Do you know when it was built?", LIGHTHOUSE, BUILT, "Do you know when the lighthouse of Marrow Point was built?"),
    ("How long does it take?", LEAVES, SAILS, "How long does the ferry to Marrow Island take?"),
    ("Who paints them?", "Why are boats painted white?", "Boats are painted white.", "Who paints boats?"),
]
# The height of a tower is no subject of its own.
SIDES = [
    ("When was it built?", "What is the height of the lighthouse of Marrow Point?", BUILT, CASES[0][3]),
    ("Who is its mayor?", "What is the population of Oslo?", "The population of Oslo grows.", "Who is Oslo’s mayor?"),
]
POINTING = [
    ("How does that work?", "What is a lamp?", "A lamp gives light.", "How does a lamp work?"),
    (
        "Can that be changed?",
        "What is the default port?",
        "The default port is 80.",
        "Can the default port be changed?",
    ),
    ("Does this ferry sail on Sundays?", LEAVES, SAILS, "Does the ferry to Marrow Island sail on Sundays?"),
]
LEFT_OUT = [
    ("And in winter?", LEAVES, SAILS, "When does the ferry to Marrow Island leave in winter?"),
    ("And in winter?", "Who lights the lamp in summer?", "", "Who lights the lamp in winter?"),
    ("What about the ferry?", LIGHTHOUSE, BUILT, "Who built the ferry?"),
    ("And Harrow Bay?", LIGHTHOUSE, BUILT, "Who built the lighthouse of Harrow Bay?"),
    ("And 1848?", "Who ruled France in 1830?", "", "Who ruled France in 1848?"),
    ("And on Windows?", "How do I install Quillmark on Linux?", QUILLMARK, "How do I install Quillmark on Windows?"),
    ("Why?", "Is the ferry closed in winter?", "", "Is the ferry closed in winter, and why?"),
    ("When was that?", LIGHTHOUSE, BUILT, "Who built the lighthouse of Marrow Point, and when?"),
]


@pytest.mark.parametrize(("question", "before", "passage", "expected"), [*OBJECTS, *SIDES, *POINTING])
def test_a_pronoun_that_no_word_of_its_question_can_be_meant_by_takes_the_subject_of_the_last(
    question: str, before: str, passage: str, expected: str
) -> None:
    assert follow_up(question, before, [passage]) == expected


@pytest.mark.parametrize(("question", "before", "passage", "expected"), LEFT_OUT)
def test_what_is_left_out_is_taken_from_the_last_question(
    question: str, before: str, passage: str, expected: str
) -> None:
    assert follow_up(question, before, [passage]) == expected


@pytest.mark.parametrize(
    ("before", "direct"), [(LIGHTHOUSE, "Ada Fenwick"), (LIGHTHOUSE, ""), ("When was the lighthouse built?", "1847")]
)
def test_he_and_she_are_the_person_of_the_answer(before: str, direct: str) -> None:
    assert follow_up("When was she born?", before, [BUILT], direct=direct, said=BUILT) == "When was Ada Fenwick born?"


def test_a_person_and_a_thing_of_one_question_are_both_meant() -> None:
    asked = follow_up("When did she build it?", LIGHTHOUSE, [BUILT], direct="Ada Fenwick", said=BUILT)
    assert asked == "When did Ada Fenwick build the lighthouse of Marrow Point?"
    asked = follow_up("Did she see her?", LIGHTHOUSE, [BUILT], direct="Ada Fenwick", said=BUILT)
    assert asked == "Did Ada Fenwick see her?"


def test_where_an_answer_names_several_people_the_question_keeps_its_subject() -> None:
    said = "Ada Fenwick and Tom Mill built the lighthouse of Marrow Point."
    asked = follow_up("When did he die?", LIGHTHOUSE, [BUILT], said=said)
    assert asked == "When did the lighthouse of Marrow Point die?"


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
        "What is the best way to cook rice and freeze it?",
        "How do I open a file to edit it?",
        "Why does the program crash when I open it?",
        "If the ferry is late, does it wait?",
        "Who wrote the book and when was it printed?",
        "The ferry is closed, isn't it?",
        "What is the ferry that sails at nine?",
        "Is this the right way to the harbour?",
        "And how do I install Quillmark?",
        "What time is it?",
    ],
)
def test_a_question_that_stands_by_itself_stays_as_it_is(question: str) -> None:
    assert follow_up(question, LIGHTHOUSE) == question


def test_without_a_subject_nothing_is_put_in() -> None:
    assert follow_up("When was it?", "why though?") == "When was it?"
    assert follow_up("When was it?", "") == "When was it?"
    assert follow_up("Why?", "") == "Why?"
    assert follow_up("And in winter?", "") == "And in winter?"


def test_why_is_not_asked_twice() -> None:
    once = follow_up("Why?", "Is the ferry closed in winter?")
    assert follow_up("Why?", once) == "Why?"
