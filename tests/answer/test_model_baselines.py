"""Closed and open book: what a text model is given, and what becomes of what it says."""

from __future__ import annotations

from typing import Any

import pytest

from expound.answer.closed_book import ClosedBook
from expound.answer.open_book import OpenBook, OracleBook
from expound.errors import BadInput, UserError
from expound.models.model_inputs import asqa_open_book, asqa_oracle, hurdles_generator
from expound.testing import evidence_of
from expound.testing.scripted import ScriptedModel
from expound.types import Interpretation, Question

EVIDENCE = evidence_of("Alpha.", "Beta.", "Gamma.", titles=["A", "B", "C"])
RULER = Question(
    "7",
    "Who ruled France?",
    references=("Charles X did until August.", "Charles X."),
    interpretations=(
        Interpretation("Who ruled until August?", ("Charles X", "Charles")),
        Interpretation("Who ruled since?", ("Louis Philippe",)),
    ),
    meta={
        "contexts": ["", "He was king."],
        "context_wikipages": [None, "LP"],
        "knowledge": [[{"content": "He left.", "wikipage": "Charles X"}], [{"content": "Unseen.", "wikipage": "No"}]],
    },
)


def saying(text: str) -> ScriptedModel:
    return ScriptedModel(lambda prompt: text)


def asked(model: ScriptedModel) -> list[str]:
    return [prompt.text for prompt in model.calls]


def test_the_open_book_input_is_that_of_asqa() -> None:
    assert asqa_open_book("Who?", EVIDENCE, k=2) == "Who? context: info: Alpha. wikipage: A | info: Beta. wikipage: B"


def test_the_oracle_input_has_what_the_annotator_of_the_longest_answer_knew() -> None:
    assert asqa_oracle(RULER) == (
        "Who ruled France? answers: Charles X | Louis Philippe"
        " disambiguations: Who ruled until August? | Who ruled since?"
        " context1: info: He was king. wikipage: LP"
        " context2: info: He left. wikipage: Charles X"
    )


def test_the_oracle_input_needs_asqa_s_own_fields() -> None:
    with pytest.raises(BadInput, match="question 8 has no knowledge"):
        asqa_oracle(Question("8", "Who?"))


def test_the_generator_reads_the_best_passage_last() -> None:
    assert hurdles_generator("Who?", EVIDENCE, k=2) == "Beta.\nAlpha.\nWho?"


def test_a_closed_book_model_sees_the_question_alone() -> None:
    model = saying(" I am. I think. ")
    answer = ClosedBook(model).answer("Who?", EVIDENCE)
    assert asked(model) == ["Who?"]
    assert answer.text == "I am. I think."
    assert [(sentence.text, sentence.citations) for sentence in answer.sentences] == [("I am.", ()), ("I think.", ())]


def test_an_open_book_model_sees_so_many_passages() -> None:
    model = saying("Alpha.")
    assert OpenBook(model, k=1).answer("Who?", EVIDENCE).text == "Alpha."
    OpenBook(model, k=2, input="hurdles").answer("Who?", EVIDENCE)
    assert asked(model) == [asqa_open_book("Who?", EVIDENCE, k=1), hurdles_generator("Who?", EVIDENCE, k=2)]


def test_without_evidence_an_open_book_stays_closed() -> None:
    model = saying("Alpha.")
    assert OpenBook(model).answer("Who?", []).text == ""
    assert asked(model) == []


def test_the_oracle_book_sees_the_record() -> None:
    model = saying("Charles X.")
    assert OracleBook(model).answer_to(RULER, []).text == "Charles X."
    assert asked(model) == [asqa_oracle(RULER)]


@pytest.mark.parametrize("make", [ClosedBook, OpenBook, OracleBook])
def test_without_a_model_one_is_asked_for(make: Any) -> None:
    with pytest.raises(UserError, match="needs a text model"):
        make()


def test_the_spec_leaves_the_model_out() -> None:
    assert repr(OpenBook(ScriptedModel())) == "OpenBook(k=5, input='asqa')"


def test_impossible_options_are_refused_by_an_open_book() -> None:
    with pytest.raises(UserError, match="there are: asqa, eli5, hurdles"):
        OpenBook(ScriptedModel(), input="tea leaves")
    with pytest.raises(UserError, match="at least 1 passage"):
        OpenBook(ScriptedModel(), k=0)
