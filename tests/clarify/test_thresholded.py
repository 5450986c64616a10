"""Spans over a threshold are answers; the question is rewritten by a model, or by code without one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest

from expound.clarify.thresholded import Thresholded
from expound.errors import UserError
from expound.protocols import TextModel
from expound.testing import FixedScorer, evidence_of
from expound.testing.scripted import ScriptedModel
from expound.types import Interpretation, ScoredSentence, Span

QUESTION = "Who was the ruler of France in 1830?"
CHARLES = "Charles X was the ruler of France until 2 August 1830."
LOUIS = "Louis Philippe I was the ruler of France from 9 August 1830."
BOTH = {CHARLES: ("Charles X", 3.0), LOUIS: ("Louis Philippe I", 2.0)}


class KnowingReader:
    """A reader with a span and its lead over no answer for each context."""

    name = "knowing"

    def __init__(self, spans: Mapping[str, tuple[str, float]]) -> None:
        self.spans = spans

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        # A sentence comes with its page's title before it.
        found = [self.spans.get(context.partition(": ")[2], ("", -1.0)) for _, context in pairs]
        return [Span(text, 0, len(text), lead, 0.0) for text, lead in found]


def clarified(
    spans: Mapping[str, tuple[str, float]], *, threshold: float = 0.0, model: TextModel | None = None
) -> list[Interpretation]:
    scored = [ScoredSentence(text, number, 0, 1.0, 0.9, 0.9) for number, text in ((1, CHARLES), (2, LOUIS))]
    clarifier = Thresholded(KnowingReader(spans), model, FixedScorer(*scored), threshold=threshold)
    return clarifier.clarify(QUESTION, evidence_of(CHARLES, LOUIS, titles=["Charles X", "Louis Philippe I"]))


def test_code_rewrites_where_there_is_no_model() -> None:
    assert clarified(BOTH) == [
        Interpretation("Who was the ruler of France until 2 August 1830?", ("Charles X",), (1,)),
        Interpretation("Who was the ruler of France from 9 August 1830?", ("Louis Philippe I",), (2,)),
    ]


def test_a_model_rewrites_where_there_is_one() -> None:
    texts = [
        "Who was the ruler of France until 2 August?",
        "Who was the ruler of France from 9 August?",
    ]
    model = ScriptedModel([json.dumps({"1": texts[0], "2": texts[1]})])
    assert [reading.question for reading in clarified(BOTH, model=model)] == texts


def test_a_span_under_the_threshold_is_no_answer_and_the_question_stays() -> None:
    model = ScriptedModel()
    assert clarified(BOTH, threshold=2.5, model=model) == [Interpretation(QUESTION, ("Charles X",), (1,))]
    assert model.calls == []
    assert clarified(BOTH, threshold=9.0) == []


def test_a_span_that_does_not_stand_in_its_sentence_is_no_answer() -> None:
    assert clarified({CHARLES: ("Charles X", 3.0), LOUIS: ("Napoleon", 9.0)}) == [
        Interpretation(QUESTION, ("Charles X",), (1,))
    ]


def test_an_explanation_is_not_read() -> None:
    assert Thresholded(KnowingReader({}), scorer=FixedScorer()).clarify("Why did Charles X leave?", []) == []


def test_without_a_reader_thresholded_asks_for_one() -> None:
    with pytest.raises(UserError, match="needs a reader"):
        Thresholded()
