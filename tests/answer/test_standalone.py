"""A quoted sentence can be understood alone, or it is not quoted."""

from __future__ import annotations

import pytest

from expound.answer.standalone import standalone

HENRY = ["Thierry Henry was born in Les Ulis."]


@pytest.mark.parametrize(
    ("sentence", "title", "before", "shown"),
    [
        ("He joined Arsenal in 1999.", "Thierry Henry", HENRY, "[Thierry Henry] joined Arsenal in 1999."),
        ("His father came from Guadeloupe.", "Thierry Henry", HENRY, "[Thierry Henry's] father came from Guadeloupe."),
        ("In 2003, he scored 30 goals.", "Thierry Henry", HENRY, "In 2003, [Thierry Henry] scored 30 goals."),
        (
            "It was released in 1994.",
            "The Lion King (1994 film)",
            ["The Lion King is a film by Disney."],
            "[The Lion King] was released in 1994.",
        ),
        ("It was landed by Dick Button in 1952.", "Figure skating jumps", [], "It was landed by Dick Button in 1952."),
        ("The film was shot in 1993.", "Jurassic Park (film)", [], "The film [Jurassic Park] was shot in 1993."),
        ("The town company was formed in 1872.", "Dodge City", [], "The town company was formed in 1872."),
        ("It is said that cats have nine lives.", "Cat", [], "It is said that cats have nine lives."),
        (
            "It is his first on a label of his own.",
            "Ben Rector",
            ['"The Walking in Between" was released in 2013.'],
            "[The Walking in Between] is his first on a label of his own.",
        ),
        ("Paris is the capital.", "France", [], "Paris is the capital."),
        ("When Henry left, he joined Barcelona.", "Thierry Henry", HENRY, "When Henry left, he joined Barcelona."),
    ],
)
def test_a_dangling_subject_is_named_in_brackets(sentence: str, title: str, before: list[str], shown: str) -> None:
    assert standalone(sentence, title=title, before=before) == shown


@pytest.mark.parametrize(
    ("sentence", "title", "before"),
    [
        ("This made it popular.", "Tea", []),
        ("They left the city.", "Tea", []),
        ("He was crowned in 1804.", "The Hundred Days", []),
        ("It was crowned.", "Napoleon Bonaparte", []),
        ("The film was shot in 1993.", "", []),
        ("This series has six seasons.", "List of Total Drama episodes", []),
        ("The film premiered in 2010.", "Selena Gomez", ["She starred in a film for children."]),
    ],
)
def test_a_sentence_without_a_known_subject_is_not_used(sentence: str, title: str, before: list[str]) -> None:
    assert standalone(sentence, title=title, before=before) is None
