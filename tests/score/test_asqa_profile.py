"""The asqa profile returns the numbers of ASQA's own scoring.py, question by question."""

from __future__ import annotations

from typing import Any

import pytest

from expound.protocols import Metric
from expound.score import score
from expound.score.length import Length
from expound.score.rouge import Rouge
from expound.score.str_em import StrEm
from expound.text.punkt import Punkt
from expound.types import Answer, Prediction
from golden import TOLERANCE, golden, golden_names
from score.asqa_cases import answer_of, question_of

KINDS = {"rouge1": "1", "rouge2": "2", "rougeL": "l", "rougeLsum": "lsum"}


@pytest.mark.parametrize("name", golden_names("asqa"))
def test_scores_match_the_official_asqa_scorer(name: str, punkt: Punkt) -> None:
    case = golden(name)
    expected, names = case["expected"], case["options"]["rouge_metrics"]
    questions = [question_of(case, id) for id in expected["per_item"]]
    predictions = [Prediction(item.id, item.text, "golden", Answer(answer_of(case, item.id))) for item in questions]
    metrics: list[Metric] = [*(Rouge("asqa", KINDS[name], punkt) for name in names), StrEm(), Length()]
    *rouges, str_em, length = score(predictions, questions, metrics)
    for name, result in zip(names, rouges, strict=True):
        _same(result.per_question, {id: 100 * item[name][2] for id, item in expected["per_item"].items()})
        assert result.value == pytest.approx(expected["rouge_mean_of_items_x100"][name], abs=TOLERANCE)
    _same(str_em.per_question, {id: 100 * item["str_em"] for id, item in expected["per_item"].items()})
    _same(length.per_question, {id: item["length"] for id, item in expected["per_item"].items()})
    assert str_em.value == pytest.approx(expected["aggregate_official_numpy_seed_0"]["str_em"], abs=TOLERANCE)


def _same(values: Any, expected: dict[str, float]) -> None:
    assert values.keys() == expected.keys()
    assert max(abs(values[id] - expected[id]) for id in expected) < TOLERANCE
