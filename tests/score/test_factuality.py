"""Factuality: facts of the answer become questions about the evidence, and what is found there is compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from expound.score.factuality import Factuality, iter_asked
from expound.types import Answer, Evidence, Passage, Prediction, Question, Span

QUESTION = Question("1", "When did the bridge open?")
EVIDENCE = (Evidence(Passage("p", "The harbour bridge opened in 1932. It was designed by John Bradfield."), 1, 1.0),)


class YearReader:
    """Finds the year of a context, and nothing else."""

    name = "years"

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        said = ["1932" if "when" in question and "1932" in context else "" for question, context in pairs]
        return [Span(text=text, start=0, end=len(text), score=1.0, null_score=0.0) for text in said]


def say(text: str, evidence: tuple[Evidence, ...] = EVIDENCE) -> Prediction:
    return Prediction("1", QUESTION.text, "demo", Answer(text), evidence=evidence)


def test_every_fact_becomes_a_question_once() -> None:
    asked = list(iter_asked("The bridge opened in 1932. It has six lanes."))
    assert [(one.question, one.said) for one in asked] == [
        ("The bridge opened in when?", "1932"),
        ("It has how many lanes?", "six"),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The bridge opened in 1932.", 100),
        ("The bridge opened in 1933.", 0),
        ("The bridge opened in 1932 and has six lanes.", 50),
    ],
)
def test_a_fact_counts_as_far_as_the_evidence_says_it(text: str, value: float) -> None:
    assert Factuality(own_reader=YearReader()).count(QUESTION, say(text)) == value


@pytest.mark.parametrize("prediction", [say("it opened long ago."), say("It opened in 1932.", ()), say("")])
def test_without_facts_or_evidence_there_is_no_number(prediction: Prediction) -> None:
    assert math.isnan(Factuality(own_reader=YearReader()).count(QUESTION, prediction))


def test_the_reader_that_ships_tells_right_dates_from_wrong_ones(use_resources: Callable[..., dict[str, Path]]) -> None:
    use_resources("minilm-tokenizer")
    metric = Factuality()
    right, wrong = (metric.count(QUESTION, say(f"The bridge opened in {year}.")) for year in (1932, 1871))
    assert right > wrong
    assert metric.options["weights"] == metric.weights[:12]
    assert len(metric.weights) == 64
