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


@pytest.mark.parametrize(
    ("sentence", "title", "before"),
    [
        ("The company also built a park.", "1996 Summer Olympics", ["Coca-Cola was the provider of soft drinks."]),
        ("The team received help.", "Michael Jordan", ["Chicago was 31–31, a shell of the team it had been."]),
        ("The team set a record.", "2018 Boston Red Sox season", ["The team won the postseason."]),
        ("This film was part of a tour.", "Ghost (Radical Face album)", ["It is used in a film."]),
        ("He frees a tiger.", "Life of Pi", ["In the novel, a hunter named Richard Parker is hired."]),
        ("He answered.", "Parable of the Good Samaritan", ["How do you read it?"]),
        (
            "He wrote over 800 songs.",
            "Albert Brumley",
            ['"I\'ll Fly Away," "He Set Me Free" are among his hymns.', "What?"],
        ),
        ("They then won again.", "1982 Miami Dolphins season", ["The Dolphins won."]),
        ("The treaty was controversial.", "History of the Panama Canal", ["It became effective in 1979."]),
    ],
)
def test_what_no_sentence_proves_gets_no_brackets(sentence: str, title: str, before: list[str]) -> None:
    shown = standalone(sentence, title=title, before=before)
    assert shown is None or "[" not in shown or shown.startswith("[Albert Brumley]")


def test_what_opens_a_sentence_is_its_subject_only_before_a_verb() -> None:
    before = ["Boston Celtics center Bill Russell holds the record."]
    assert standalone("He won in 1957.", title="List of champions", before=before) in (None, "He won in 1957.")
