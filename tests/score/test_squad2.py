"""SQuAD 2.0's metrics: the official script's values, thresholds, and what must hold of any predictions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from expound.datasets.predictions import predictions_from, with_meta
from expound.datasets.squad2 import Squad2
from expound.errors import UserError
from expound.score import Scorer, score
from expound.score.profile import Options, find_profile
from expound.score.squad_answer import SquadAnswer
from expound.types import Answer, Prediction, Question
from golden import SHARED, TOLERANCE, golden, golden_names

REFERENCE = json.loads((Path(__file__).parents[1] / "reference/squad2.json").read_text(encoding="utf-8"))
NAMES = {
    "exact": "exact", "f1": "f1", "HasAns_exact": "has_answer_exact", "HasAns_f1": "has_answer_f1",
    "NoAns_exact": "no_answer_exact", "NoAns_f1": "no_answer_f1", "best_exact": "best_exact", "best_f1": "best_f1",
    "pr_exact_ap": "pr_exact_ap", "pr_f1_ap": "pr_f1_ap", "pr_oracle_ap": "pr_oracle_ap",
}  # fmt: skip


def questions_of(path: Path, articles: list[Any]) -> list[Question]:
    path.write_text(json.dumps({"data": articles}), encoding="utf-8")
    return list(Squad2(path))


def check_case(case: Mapping[str, Any], questions: list[Question], answers: Mapping[str, str]) -> None:
    expected = case["expected"]
    check(questions, predictions_from(answers, "case"), expected["no_na_file"])
    per_item = score(list(predictions_from(answers, "case")), questions, [SquadAnswer("exact"), SquadAnswer("f1")])
    for place, result in enumerate(per_item):
        for id, values in expected["per_item"].items():
            assert result.per_question[id] == pytest.approx(100 * values[place], abs=TOLERANCE)
    for name, probabilities in case.get("na_probs", {}).items():
        for threshold, values in expected[name].items():
            sure = with_meta(predictions_from(answers, "case"), "no_answer_probability", probabilities)
            check(questions, sure, values, threshold=float(threshold.removeprefix("threshold_")))


def check(
    questions: list[Question], predictions: Iterable[Prediction], expected: Mapping[str, float], threshold: float = 1.0
) -> None:
    profile = find_profile("squad2", Options(threshold=threshold))
    results = {
        result.metric: result.value for result in Scorer(profile, samples=1).score(predictions, questions).results
    }
    for official, ours in NAMES.items():
        if official in expected:
            assert results[ours] == pytest.approx(expected[official], abs=1e-7 * TOLERANCE + TOLERANCE), ours


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["case"])
def test_small_cases_match_the_official_script(case: dict[str, Any], tmp_path: Path) -> None:
    check_case(case, questions_of(tmp_path / "squad.json", case["dataset"]), case["predictions"])


@pytest.mark.parametrize("name", golden_names("squad2"))
def test_golden_cases_match_the_official_script(name: str, tmp_path: Path) -> None:
    case = golden(name)
    if "dataset" in case:
        questions = questions_of(tmp_path / "squad.json", case["dataset"])
    else:
        titles = set(case["article_titles"])
        questions = [q for q in Squad2(SHARED / "data" / case["data_file"]) if q.evidence[0].title in titles]
    check_case(case, questions, case.get("predictions") or recipe(case["case"], questions))


def recipe(name: str, questions: list[Question]) -> dict[str, str]:
    """The predictions that a golden file describes in words."""
    if name == "all_empty":
        return {question.id: "" for question in questions}
    if name == "gold_first":
        return {question.id: question.references[0] if question.references else "" for question in questions}
    return {q.id: q.references[-1] if q.references else " ".join(q.evidence[0].text.split()[:4]) for q in questions}


def test_an_article_is_a_right_answer_where_there_is_none() -> None:
    assert SquadAnswer("f1").count(Question("1", "?"), Prediction("1", "?", "test", Answer("the"))) == 100


def test_questions_of_the_other_group_are_not_scored() -> None:
    unanswerable, said = Question("1", "?"), Prediction("1", "?", "test", Answer(""))
    assert math.isnan(SquadAnswer(of="has_answer").count(unanswerable, said))
    assert SquadAnswer(of="no_answer").count(unanswerable, said) == 100


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UserError, match="exact, f1"):
        SquadAnswer("em")
