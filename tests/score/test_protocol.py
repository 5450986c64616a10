"""Which references count: all, each other, or the one an oracle has not seen."""

from __future__ import annotations

import pytest

from expound.errors import UserError
from expound.score import Scorer, score
from expound.score.length import Length
from expound.score.protocol import find_protocol, oracle
from expound.score.rouge import Rouge
from expound.types import Answer, Prediction, Question
from golden import SHARED

QUESTION = Question("1", "?", references=("one two three four", "one two"))
PREDICTION = Prediction("1", "?", "test", Answer("one two"))


def test_people_are_scored_against_each_other() -> None:
    length, rouge = Scorer([Length(), Rouge()], protocol="human").score([], [QUESTION]).results
    assert length.value == 3
    # Both directions have the same F1: 2 of 4 words and 2 of 2.
    assert rouge.value == pytest.approx(100 * 2 / 3)


def test_an_oracle_is_held_against_the_reference_it_has_not_seen() -> None:
    [(question, _)] = oracle(QUESTION, PREDICTION)
    assert question.references == ("one two",)
    [result] = score([PREDICTION], [QUESTION], [Rouge()], protocol="oracle")
    assert result.value == 100


def test_a_reference_is_held_against_the_others() -> None:
    [result] = score([PREDICTION], [QUESTION], [Rouge()], protocol="others")
    assert result.value == pytest.approx(100 * 2 / 3)


def test_a_single_reference_stays_for_the_oracle() -> None:
    [(question, _)] = oracle(Question("1", "?", references=("one",)), PREDICTION)
    assert question.references == ("one",)


def test_an_unknown_protocol_is_refused() -> None:
    with pytest.raises(UserError, match="standard, human, oracle, others"):
        find_protocol("monkey")


def test_the_human_row_of_asqa_is_that_of_the_official_scorer(punkt_file: object) -> None:
    # The paper's 64.8 / 49.4 / 98.4 are over all 948 questions; 748 of them are at hand.
    path = SHARED / "data/asqa/asqa_dev_748.json.gz"
    if not path.exists():
        pytest.skip("needs ../shared/data")
    scores = Scorer("asqa", protocol="human", samples=1).score([], f"asqa:{path}")
    values = {result.metric: result.value for result in scores.results}
    assert values["length"] == pytest.approx(64.8, abs=0.5)
    assert values["rouge_lsum"] == pytest.approx(49.4, abs=0.6)
    assert values["str_em"] == pytest.approx(98.4, abs=0.3)
