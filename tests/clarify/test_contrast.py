"""What code adds to a question sets a reading apart, and makes sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.clarify.candidates import Candidate
from expound.clarify.contrast import rewrite_all
from expound.errors import BadInput
from expound.models.telling_words import Evidenced, TellingWords, open_telling_words
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
            "When was winter songs released?",
            [
                reading("13 November 1998", "It was released on 13 November 1998.", "Winter Songs (1998 film)"),
                reading("24 November 2014", "It was released on 24 November 2014.", "Winter Songs (EP)"),
            ],
            ["When was Winter Songs (film) released?", "When was Winter Songs (EP) released?"],
            id="the year of a title is not told where it is asked for",
        ),
        pytest.param(
            "Where was winter songs filmed?",
            [
                reading("Oslo", "It was filmed in Oslo for Ann Lee.", "Winter Songs Production"),
                reading("Rome", "It was filmed in Rome for Tom Hay.", "Winter Songs - History"),
            ],
            ["Where was winter songs filmed for Ann Lee?", "Where was winter songs filmed for Tom Hay?"],
            id="a section of an article is no fuller name",
        ),
        pytest.param(
            "Who won the great race season 21?",
            [
                reading("Ann Lee", "Ann Lee won it.", "The Great Race (Norwegian season 21)"),
                reading("Tom Hay", "Tom Hay won it.", "The Great Race (Danish season 21)"),
            ],
            ["Who won The Great Race (Norwegian) season 21?", "Who won The Great Race (Danish) season 21?"],
            id="a season is not said twice",
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
        pytest.param(
            "When did the film come out?",
            [
                reading("4 April", "It premiered in Oslo on 4 April, and was released on 14 April in Chile.", "A film"),
                reading(
                    "14 April", "It premiered in Oslo on 4 April, and was released on 14 April in Chile.", "A film"
                ),
            ],
            ["When did the film come out in Oslo?", "When did the film come out in Chile?"],
            id="of one sentence with two answers each has what is said of it",
        ),
        pytest.param(
            "Who plays the king?",
            [
                reading("Ann Lee", "In 1950 the king was Ann Lee.", "The play"),
                reading("Ida Roe", "In 1960 the king was Ida Roe.", "The play"),
            ],
            ["Who played the king in 1950?", "Who played the king in 1960?"],
            id="what is asked of a year is asked in the past",
        ),
        pytest.param(
            "Who won the cup this year?",
            [
                reading("Oslo", "In 1950 Oslo won the cup.", "The cup"),
                reading("Bergen", "In 1960 Bergen won the cup.", "The cup"),
            ],
            ["Who won the cup in 1950?", "Who won the cup in 1960?"],
            id="a year takes the place of this year",
        ),
        pytest.param(
            "Who wrote it?",
            [
                reading("Ann Lee", "Ann Lee (born 4 May 1950) wrote it in Oslo.", "One"),
                reading("Ida Roe", "Ida Roe (3 May 1812 – 4 June 1870) wrote it in Rome.", "Two"),
            ],
            ["Who wrote it in Oslo?", "Who wrote it in Rome?"],
            id="when somebody was born tells nothing apart",
        ),
        pytest.param(
            "Who won the world cup final?",
            [
                reading("Brazil", "The final was won by Brazil.", "FIFA World Cup"),
                reading("Norway", "The women's world cup final was won by Norway.", "Finals"),
            ],
            ["Who won the FIFA World Cup final?", "Who won the women's world cup final?"],
            id="a fuller name stands for its piece, and women's before what it stands before",
        ),
        pytest.param(
            "How many sacks does Tom Roe have?",
            [
                reading("20", "He made 20 sacks since 1982.", "Tom Roe Jr."),
                reading("30", "He made 30 sacks since 1990.", "Tom Roe III"),
            ],
            ["How many sacks does Tom Roe Jr. have?", "How many sacks does Tom Roe III have?"],
            id="what a title says of a name goes before a year",
        ),
        pytest.param(
            "When does the new season start?",
            [
                reading("4 May", "The third season starts on 4 May.", "A show"),
                reading("5 May", "The fourth season starts on 5 May.", "A show"),
            ],
            ["When does the third season start?", "When does the fourth season start?"],
            id="a counted season takes the place of the new one",
        ),
    ],
)
def test_the_addition_sets_its_reading_apart(
    question: str, readings: list[list[Candidate]], questions: list[str | None]
) -> None:
    assert rewrite_all(question, readings) == questions


def test_what_was_asked_about_is_not_contradicted() -> None:
    first = reading("Ann", "In 2009, in the second season, Ann won.", "Cup")
    second = reading("Bo", "In 2017 Bo won.", "Cup")
    assert not any("2009" in (text or "") for text in rewrite_all("Who won the cup in 2017?", [first, second]))
    assert not any("second season" in (text or "") for text in rewrite_all("Who won season 7?", [first, second]))


def test_a_page_that_two_readings_share_tells_neither_apart() -> None:
    first = reading("Ann", "Ann plays the keeper in the film of 1931.", "Hollow (1931 film)")
    second = reading("Bo", "Bo plays the keeper in the film of 1910.", "Hollow (1931 film)")
    assert rewrite_all("Who plays the keeper?", [first, second]) == [
        "Who played the keeper in 1931?",
        "Who played the keeper in 1910?",
    ]


class AlwaysTells(TellingWords):
    """A tagger that is sure of some words."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def chances(self, evidenced: Evidenced) -> dict[str, float]:
        return dict.fromkeys(self._words, 1.0)


def test_what_a_tagger_is_sure_of_is_added_and_the_checks_stay() -> None:
    readings = [
        reading("Ann", "In 1830 Ann ruled the town in Norway.", "Rulers"),
        reading("Bo", "In 1930 Bo ruled the town in Sweden.", "Rulers"),
    ]
    question = "Who ruled the town?"
    assert rewrite_all(question, readings, telling=AlwaysTells("norway", "sweden")) == [
        "Who ruled the town in Norway?",
        "Who ruled the town in Sweden?",
    ]
    # It has a say in what is chosen, not in what may be said: an answer is never given away.
    told = rewrite_all(question, readings, telling=AlwaysTells("ann", "bo", "1830", "1930"))
    assert told == ["Who ruled the town in 1830?", "Who ruled the town in 1930?"]


def test_a_rewriter_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert open_telling_words("") is None
    with pytest.raises(BadInput, match="expound train rewriter"):
        open_telling_words(str(tmp_path / "none.onnx"))
