"""Readings come from the evidence: distinct answers, each with a question of its own."""

from __future__ import annotations

from expound.clarify.candidates import closeness_of
from expound.clarify.evidence_only import EvidenceOnly
from expound.clarify.groups import same_answer
from expound.plugins import build
from expound.testing import FixedScorer, evidence_of
from expound.types import Interpretation, ScoredSentence


def readings(question: str, *sentences: str, titles: tuple[str, ...] = ()) -> list[Interpretation]:
    evidence = evidence_of(*sentences, titles=titles)
    scored = [
        ScoredSentence(text, number, 0, 1.0 - number / 100, 0.9, 0.9) for number, text in enumerate(sentences, start=1)
    ]
    return EvidenceOnly(FixedScorer(*scored)).clarify(question, evidence)


def test_dates_set_readings_apart() -> None:
    found = readings(
        "Who was the ruler of France in 1830?",
        "Charles X was the ruler of France until 2 August 1830.",
        "Louis Philippe I was the ruler of France from 9 August 1830.",
        titles=("Charles X of France", "Louis Philippe I"),
    )
    assert [reading.answers[0] for reading in found] == ["Charles X", "Louis Philippe I"]
    assert found[0].question == "Who was the ruler of France until 2 August 1830?"
    assert found[1].citations == (2,)


def test_versions_set_readings_apart() -> None:
    found = readings(
        "Who voices Simba in The Lion King?",
        "Matthew Broderick voices Simba as an adult.",
        "Donald Glover voices Simba as an adult.",
        titles=("The Lion King (1994 film)", "The Lion King (2019 film)"),
    )
    assert [reading.question for reading in found] == [
        "Who voices Simba in the 1994 film The Lion King?",
        "Who voices Simba in the 2019 film The Lion King?",
    ]


def test_an_adverb_sets_readings_apart() -> None:
    found = readings(
        "What season do Meredith and Derek get married in?",
        "Meredith and Derek get married informally in season 5.",
        "Meredith and Derek get married legally in season 7.",
    )
    assert [reading.question for reading in found] == [
        "What season do Meredith and Derek get married informally in?",
        "What season do Meredith and Derek get married legally in?",
    ]


def test_a_sentence_that_leaves_a_word_out_founds_no_reading() -> None:
    assert (
        readings(
            "Who made the blue kettle?",
            "The blue kettle was made in 1960 by Una Pike.",
            "The red kettle was made in 1950 by Tom Hale.",
        )
        == []
    )


def test_of_two_joined_things_each_reading_keeps_its_own() -> None:
    found = readings(
        "Who was PM and viceroy during the campaign?",
        "The viceroy during the campaign was Victor Hope.",
        "Winston Churchill was the prime minister during the campaign.",
    )
    assert [reading.question for reading in found] == [
        "Who was viceroy during the campaign?",
        "Who was PM during the campaign?",
    ]


def test_a_question_for_yes_or_no_has_no_readings() -> None:
    assert (
        readings(
            "Did Edison invent the bulb?",
            "Thomas Edison did invent the bulb in 1879.",
            "Joseph Swan did invent the bulb too.",
        )
        == []
    )


def test_one_answer_is_no_ambiguity() -> None:
    assert readings("Who wrote it?", "Jane Austen wrote it in 1813.", "It was written by Jane Austen.") == []


def test_an_explanation_has_no_readings() -> None:
    assert readings("Why are boats white?", "Boats are white because of the sun.", "Paint in white is cheap.") == []


def test_readings_have_different_questions() -> None:
    found = readings(
        "When was New York founded?",
        "New York was founded as New Amsterdam in 1624.",
        "New York got its name in 1664 from the English under Richard Nicolls.",
    )
    assert len({reading.question for reading in found}) == len(found)


def test_forms_of_one_name_are_the_same_answer() -> None:
    assert same_answer("Louis Philippe", "Louis Philippe I")
    assert not same_answer("Louis XVI", "Charles X")


def test_what_belongs_to_a_name_is_another_answer() -> None:
    assert not same_answer("United States", "United States Constitution")
    assert not same_answer("France", "France's Senate")
    assert same_answer("Harvard", "Harvard University")
    assert same_answer("the Constitution", "the Constitution of the United States")
    assert same_answer("Tbilisi", "Tbilisi, which lies on the Kura River")


def test_the_numbers_that_decide_can_be_written_in_a_spec() -> None:
    made = build("clarify", "EvidenceOnly(founding=Founding(least=0.05))", scorer=FixedScorer())
    assert made.founding.least == 0.05
    assert repr(made) == "EvidenceOnly(founding=Founding(least=0.05))"


def test_an_answer_that_begins_within_a_word_of_the_question_is_as_near_as_its_neighbour() -> None:
    text = "The hugin-based stitcher."
    assert closeness_of("based stit", "number", text, {"hugin", "stitcher"}) > 0
    assert closeness_of("ther0123456789", "number", "Brother0123456789 sang.", {"brother0123456789"}) > 0
