"""The extractive answer: covers, cites, does not repeat, keeps to its length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from expound.answer.extractive import Extractive
from expound.answer.sentence_scores import SignScorer
from expound.plugins import build
from expound.testing import FixedScorer, WordEmbedder, WordRanker, evidence_of
from expound.types import Interpretation, ScoredSentence

QUESTION = "Who was the ruler of France in 1830?"
EVIDENCE = evidence_of(
    "Charles X was the ruler of France until 2 August 1830. He died in 1836.",
    "Louis Philippe I was the ruler of France from 9 August 1830. Louis Philippe I left in 1848.",
    "Charles X was the ruler of France until 2 August of 1830.",
    "The Danube flows through ten countries on its way to the Black Sea.",
    titles=["Charles X", "Louis Philippe I", "France", "Danube"],
)


def answerer(words: int = 80) -> Extractive:
    return Extractive(SignScorer(WordEmbedder(), WordRanker()), words=words)


def test_every_reading_is_covered() -> None:
    text = answerer(30).answer(QUESTION, EVIDENCE).text
    assert "Charles X" in text
    assert "Louis Philippe I" in text


def test_every_sentence_cites_the_passage_it_stands_in() -> None:
    for sentence in answerer().answer(QUESTION, EVIDENCE).sentences:
        [number] = sentence.citations
        assert sentence.source_text in EVIDENCE[number - 1].passage.text


def test_nothing_is_said_twice() -> None:
    assert answerer().answer(QUESTION, EVIDENCE).text.count("until 2 August") == 1


def test_a_pronoun_right_behind_its_sentence_stays_as_it_is() -> None:
    scorer = FixedScorer(
        ScoredSentence("Charles X was the ruler of France until 2 August 1830.", 1, 0, 1.0, 0.9, 0.9),
        ScoredSentence("He died in 1836.", 1, 1, 0.9, 0.8, 0.8),
    )
    texts = [sentence.text for sentence in Extractive(scorer).answer("Who was Charles X?", EVIDENCE).sentences]
    assert texts == ["Charles X was the ruler of France until 2 August 1830.", "He died in 1836."]


def test_no_evidence_gives_no_answer() -> None:
    assert answerer().answer(QUESTION, []).text == ""


def test_a_question_that_the_evidence_does_not_touch_gives_no_answer() -> None:
    assert answerer().answer("How heavy is the moon of Neptune?", EVIDENCE).text == ""


def test_a_reading_draws_its_sentence_in() -> None:
    scorer = FixedScorer(
        ScoredSentence("Alpha ruled the wide land for many years.", 1, 0, 1.0, 0.9, 0.9),
        ScoredSentence("Beta ruled some other land in those years.", 1, 1, 0.96, 0.9, 0.9),
        ScoredSentence("Gamma was seen as ruler by the people there.", 1, 2, 0.95, 0.9, 0.9),
    )
    reading = Interpretation("Who ruled by the people's will?", ("Gamma",))
    chosen = Extractive(scorer, words=14).answer("Who ruled?", EVIDENCE, [reading])
    assert "Gamma" in chosen.text


def test_each_reading_has_its_sentence_in_the_order_of_the_readings() -> None:
    readings = [Interpretation("From August?", ("Louis Philippe I",)), Interpretation("Until August?", ("Charles X",))]
    for ordered in (readings, readings[::-1]):
        sentences = answerer().answer(QUESTION, EVIDENCE, ordered).sentences
        assert [reading.answers[0] in sentences[0].text for reading in ordered] == [True, False]


def test_a_reading_far_behind_is_told_before_what_is_near_the_topic() -> None:
    near = [ScoredSentence(f"Charles X was the ruler of France in year {n}.", 1, n, 2.0, 0.9, 0.9) for n in range(9)]
    far = ScoredSentence("Louis Philippe I was the ruler of France from 9 August 1830.", 2, 0, 0.5, 0.4, 0.4)
    readings = [Interpretation("Until August?", ("Charles X",)), Interpretation("From August?", ("Louis Philippe I",))]
    answer = Extractive(FixedScorer(*near, far), words=30, abstains=False).answer(QUESTION, EVIDENCE, readings)
    assert "Louis Philippe I" in answer.text
    alone = Extractive(FixedScorer(*near, far), words=30, abstains=False).answer(QUESTION, EVIDENCE, readings[:1])
    assert "Louis Philippe I" not in alone.text


def test_an_answer_that_is_part_of_a_number_is_not_said() -> None:
    said = ScoredSentence("Charles X was the ruler of France in 1810.", 1, 0, 2.0, 0.9, 0.9)
    own = ScoredSentence("The rulers of France were 10 in all, with Louis Philippe I.", 2, 0, 1.0, 0.9, 0.9)
    readings = [Interpretation("Who?", ("Charles X",)), Interpretation("How many?", ("10",))]
    answer = Extractive(FixedScorer(said, own), abstains=False).answer(QUESTION, EVIDENCE, readings)
    assert [sentence.citations for sentence in answer.sentences] == [(1,), (2,)]


def test_the_spec_is_the_repr() -> None:
    made = build("answer", "Extractive(words=60)", scorer=FixedScorer())
    assert repr(made) == "Extractive(words=60)"


@given(st.integers(min_value=10, max_value=150))
def test_the_length_is_about_what_was_asked_for(words: int) -> None:
    text = " ".join(f"Ruler number {n} of France took the throne in the year {1700 + n}." for n in range(40))
    answer = answerer(words).answer("Who was the ruler of France?", evidence_of(text))
    assert len(answer.text.split()) <= words + 15
