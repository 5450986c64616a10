"""The rule of the audit: an interval on one side of a margin decides, one that spans it does not."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.audit.checks import CHECKS
from expound.audit.numbers import Estimate, share_of
from expound.audit.verdict import CANNOT_TELL, FAIL, FEWEST, NOT_RUN, PASS, judge, not_run

DOCS = Path(__file__).resolve().parents[2] / "docs" / "audit.md"


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (2.0, 3.0, PASS),
        (-0.5, 0.9, FAIL),
        (0.5, 1.5, CANNOT_TELL),
        (0.0, 0.0, FAIL),
        (0.2, 1.0, FAIL),
        (1.0, 2.0, CANNOT_TELL),
    ],
)
def test_the_side_of_the_interval_decides(low: float, high: float, outcome: str) -> None:
    assert judge("random-retrieval", Estimate((low + high) / 2, low, high, 200)).outcome == outcome


@pytest.mark.parametrize(("low", "high", "outcome"), [(11.0, 20.0, FAIL), (1.0, 9.9, PASS), (9.0, 11.0, CANNOT_TELL)])
def test_for_some_checks_much_is_wrong(low: float, high: float, outcome: str) -> None:
    assert judge("repeated-phrases", Estimate((low + high) / 2, low, high, 200)).outcome == outcome


def test_the_questions_needed_make_the_interval_narrow_enough() -> None:
    verdict = judge("random-retrieval", Estimate(2.0, 0.0, 4.0, 100))
    assert verdict.needed == 401  # half the distance to the margin needs four times the questions
    assert "401 questions would be needed" in verdict.sentence


def test_where_no_question_was_hit_shares_still_need_enough_of_them() -> None:
    verdict = judge("copied-questions", share_of([False] * 20))
    assert verdict.outcome == CANNOT_TELL
    assert verdict.needed is not None
    assert judge("copied-questions", share_of([False] * verdict.needed)).outcome == PASS


def test_right_at_the_margin_no_number_of_questions_tells() -> None:
    verdict = judge("random-retrieval", Estimate(1.0, 0.5, 1.5, 100))
    assert verdict.needed is None
    assert "no number of questions would tell" in verdict.sentence


def test_one_question_has_no_interval_and_the_verdict_says_so() -> None:
    verdict = judge("random-retrieval", Estimate(5.0, math.nan, math.nan, 1))
    assert verdict.outcome == CANNOT_TELL
    assert verdict.sentence.startswith("One question has no interval")


def test_a_few_questions_are_too_few_whatever_the_interval() -> None:
    assert judge("random-retrieval", Estimate(5.0, 4.0, 6.0, FEWEST - 1)).outcome == CANNOT_TELL


def test_what_cannot_be_measured_is_said() -> None:
    verdict = judge("length-correlation", Estimate(math.nan, math.nan, math.nan, 50))
    assert (verdict.outcome, verdict.needed) == (CANNOT_TELL, None)
    assert "cannot be measured" in verdict.sentence
    assert "Nothing to measure" in judge("invented-names", Estimate(math.nan, math.nan, math.nan, 0)).sentence


def test_a_check_that_is_not_run_says_what_it_needs() -> None:
    verdict = not_run("train-paraphrases")
    assert verdict.outcome == NOT_RUN
    assert "--train" in verdict.sentence


@given(st.floats(-50, 50), st.floats(0, 50), st.floats(0, 50), st.integers(FEWEST, 10_000))
def test_no_interval_is_judged_two_ways(value: float, below: float, above: float, n: int) -> None:
    estimate = Estimate(value, value - below, value + above, n)
    for name, check in CHECKS.items():
        verdict = judge(name, estimate)
        spans = estimate.low < check.margin < estimate.high
        assert (verdict.outcome == CANNOT_TELL) or not spans
        assert verdict.needed is None or verdict.outcome == CANNOT_TELL


def test_the_docs_fix_the_same_margins() -> None:
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (\w+) \| ([^|]+) \| (below|above) ([\d.]+)", DOCS.read_text(encoding="utf-8"), re.M
    )
    fixed = {name: (about, measure.strip(), wrong, float(margin)) for name, about, measure, wrong, margin in rows}
    assert fixed == {name: (check.about, check.measure, check.wrong, check.margin) for name, check in CHECKS.items()}
