"""What code adds to a question sets a reading apart, and makes sense."""

from __future__ import annotations

import pytest

from expound.clarify.candidates import Candidate
from expound.clarify.contrast import rewrite_all
from expound.types import Passage, ScoredSentence


def reading(answer: str, sentence: str, title: str) -> list[Candidate]:
    return [Candidate(answer, ScoredSentence(sentence, 1, 0, 1.0, 0.9, 0.9), Passage(title, sentence, title))]


@pytest.mark.parametrize(
    ("question", "readings", "questions"),
    [
        pytest.param(
            "When did the queen take the throne?",
            [
                reading("1558", "Returned to court in 1543, she took the throne in 1558.", "Queen of the north"),
                reading("1702", "She took the throne in Denmark in 1702.", "Queen of the south"),
            ],
            [
                "When did the queen take the throne (Queen of the north)?",
                "When did the queen take the throne in Denmark?",
            ],
            id="a date is not told apart by a date",
        ),
        pytest.param(
            "Who is the narrator?",
            [
                reading("James Hay", "The narrator in Disney's version is James Hay.", "The first"),
                reading("Ann Lee", "The narrator in Pixar's version is Ann Lee.", "The second"),
            ],
            ["Who is the narrator in Disney?", "Who is the narrator in Pixar?"],
            id="no possessive in an addition",
        ),
        pytest.param(
            "Who was warned?",
            [
                reading("Caesar", "It is Caesar in Julius Caesar's story who was warned.", "The play"),
                reading("Spurinna", "It is Spurinna in Plutarch who was warned.", "The biography"),
            ],
            ["Who was warned (The play)?", "Who was warned in Plutarch?"],
            id="an addition does not give the answer away",
        ),
        pytest.param(
            "Who sings that was then this is now?",
            [
                reading("ABC", "The song is sung by ABC.", "That Was Then, This Is Now (song)"),
                reading("Tony Martin", "It was sung by Tony Martin.", "List of songs"),
            ],
            ["Who sings the song that was then this is now?", None],
            id="a title is found without its punctuation, and a list sets nothing apart",
        ),
        pytest.param(
            "How many people live in Paris?",
            [
                reading("2,000,000", "About 2,000,000 people live there.", "Paris"),
                reading("24,000", "About 24,000 people live there.", "Paris, Texas"),
            ],
            [None, "How many people live in Paris, Texas?"],
            id="a title with a qualifier stands for the name",
        ),
    ],
)
def test_the_addition_sets_its_reading_apart(
    question: str, readings: list[list[Candidate]], questions: list[str | None]
) -> None:
    assert rewrite_all(question, readings) == questions
