"""The main job, end to end over the sampler with the real embedder."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import expound
from expound.answer.numbering import number_by_appearance
from expound.corpus.library import open_corpus
from expound.errors import UserError
from expound.system import System, open_system
from expound.testing import evidence_of, write_toy_folder
from expound.types import Answer, Evidence, Interpretation, Prediction, Question, Sentence

QUESTIONS = [json.loads(file.read_text()) for file in sorted((Path(__file__).parent / "questions").glob("*.json"))]
ANSWERABLE = [item for part in QUESTIONS for item in part["answerable"]]
UNANSWERABLE = [question for part in QUESTIONS for question in part["unanswerable"]]


@pytest.fixture
def system(embedder_files: dict[str, Path]) -> System:
    return open_system(["sampler"])


def check_proof(prediction: Prediction) -> None:
    """Every sentence cites a passage in which its source stands word for word."""
    by_number = {item.number: item.passage.text for item in prediction.evidence}
    for sentence in prediction.answer.sentences:
        assert sentence.citations
        assert all(sentence.source_text in by_number[number] for number in sentence.citations)


def test_the_ruler_of_france_has_two_readings(system: System) -> None:
    prediction = system.ask("Who was the ruler of France in 1830?")
    assert "Charles X" in prediction.answer.text
    assert "Louis Philippe" in prediction.answer.text
    answers = {reading.answers[0] for reading in prediction.interpretations}
    assert {"Charles X", "Louis Philippe"} <= answers
    check_proof(prediction)


def test_questions_that_the_sampler_can_answer_are_answered(system: System) -> None:
    predictions = {item["question"]: system.ask(item["question"]) for item in ANSWERABLE}
    for prediction in predictions.values():
        check_proof(prediction)
    answered = [
        item
        for item in ANSWERABLE
        if any(answer in predictions[item["question"]].answer.text for answer in item["answers"])
    ]
    assert len(answered) >= 0.925 * len(ANSWERABLE)


def test_questions_that_the_sampler_cannot_answer_are_left_open(system: System) -> None:
    abstained = [question for question in UNANSWERABLE if system.ask(question).abstained]
    assert len(abstained) >= 0.85 * len(UNANSWERABLE)


def test_most_answers_to_an_ambiguous_question_are_covered(system: System) -> None:
    found = [
        answer in system.ask(item["question"]).answer.text
        for item in ANSWERABLE
        if item["readings"] > 1
        for answer in item["answers"]
    ]
    assert sum(found) >= 0.75 * len(found)


def test_every_sentence_is_proved_without_the_embedder_too() -> None:
    system = open_system(["sampler"])
    titles = {passage.title for _, passage in open_corpus("sampler").store.iter_passages()}
    for title in sorted(titles):
        for question in (f"What is {title}?", f"When did {title} begin?"):
            check_proof(system.ask(question))


def test_without_the_embedder_the_main_question_is_still_answered() -> None:
    prediction = expound.ask("Who was the ruler of France in 1830?")
    assert prediction.meta["embedder"] == ""
    assert "Charles X" in prediction.answer.text


def test_a_folder_can_be_asked_directly(tmp_path: Path) -> None:
    prediction = expound.ask(
        "How many countries does the Danube flow through?", corpus=write_toy_folder(tmp_path / "docs")
    )
    assert "ten countries" in prediction.answer.text
    assert prediction.evidence[0].passage.source.file == "danube.md"


def test_an_abstention_has_no_text_and_no_readings(system: System) -> None:
    prediction = system.ask("How many keys does a standard accordion have?")
    assert prediction.abstained
    assert (prediction.answer.text, prediction.answer.sentences, prediction.interpretations) == ("", (), ())
    assert len(prediction.nearest) == 3


@pytest.mark.parametrize("question", ["", "  ", "x" * 3000])
def test_an_empty_or_endless_question_is_refused(question: str) -> None:
    with pytest.raises(UserError):
        expound.ask(question)


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(UserError, match="gpt-9"):
        expound.ask("Who?", model="gpt-9")


def test_evidence_is_numbered_by_appearance() -> None:
    answer = Answer("B. A.", (Sentence("B.", "B.", (3,)), Sentence("A.", "A.", (1,))))
    readings = [Interpretation("Q?", ("x",), (2,))]
    answer, readings, evidence = number_by_appearance(answer, readings, evidence_of("A.", "C.", "B.", "D."))
    assert [sentence.citations for sentence in answer.sentences] == [(1,), (2,)]
    assert readings[0].citations == (3,)
    assert [item.passage.text for item in evidence] == ["B.", "A.", "C.", "D."]


def test_the_retriever_can_be_chosen_and_every_part_is_recorded() -> None:
    prediction = expound.ask(
        "Who was the ruler of France in 1830?", corpus="sampler", retrieve="Lexical()", clarify="AsAsked()"
    )
    assert prediction.meta["retriever"] == "Lexical()"
    assert prediction.meta["clarifier"] == "AsAsked()"


@dataclass(frozen=True)
class Whispered:
    """A stranger's retriever that looks at the whole record of a question."""

    def retrieve(self, question: str, *, k: int) -> list[Evidence]:
        raise UserError("only with a dataset")

    def retrieve_to(self, question: Question, *, k: int) -> list[Evidence]:
        return evidence_of(*question.references)[:k]


def test_an_informed_retriever_from_outside_sees_the_record_and_needs_one() -> None:
    system = replace(open_system(["sampler"], clarify="AsAsked()", system="TopPassages()"), retriever=Whispered())
    question = Question("q", "What is a kettle?", references=("A kettle boils water.",))
    assert system.predict(question).answer.text == "A kettle boils water."
    with pytest.raises(UserError, match="use it in expound run"):
        system.ask("What is a kettle?")
