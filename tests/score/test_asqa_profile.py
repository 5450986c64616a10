"""The asqa profile returns the numbers of ASQA's own scoring.py, question by question."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from expound.datasets.asqa import Asqa
from expound.score.length import Length
from expound.score.results import score
from expound.score.rouge import Rouge
from expound.score.str_em import StrEm
from expound.text.punkt import Punkt
from expound.types import Answer, Prediction, Question
from golden import SHARED, TOLERANCE, golden, golden_names

DATA = SHARED / "data" / "asqa"
KINDS = {"rouge1": "1", "rouge2": "2", "rougeL": "l", "rougeLsum": "lsum"}


@pytest.mark.parametrize("name", golden_names("asqa"))
def test_scores_match_the_official_asqa_scorer(name: str, punkt: Punkt) -> None:
    case = golden(name)
    expected, names = case["expected"], case["options"]["rouge_metrics"]
    questions = [_question(case, id) for id in expected["per_item"]]
    predictions = [Prediction(item.id, item.text, "golden", Answer(_answer(case, item.id))) for item in questions]
    metrics = [*(Rouge("asqa", KINDS[name], punkt) for name in names), StrEm(), Length()]
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


def _question(case: dict[str, Any], id: str) -> Question:
    question = _questions()[id]
    if case["options"]["regime"] == "train":
        return replace(question, references=(question.references[case["options"]["target_idx"]],))
    return question


def _answer(case: dict[str, Any], id: str) -> str:
    """The prediction that the case's recipe describes."""
    if "predictions" in case:
        return str(case["predictions"][id])
    if "system" in case:
        return _system_outputs()[case["system"]][id]
    question = _questions()[id]
    first, second = question.references
    if case["case"] == "contexts_joined":
        return " ".join(dict.fromkeys(_contexts(id)))
    return {
        "all_empty": "",
        "question_x8": " ".join([question.text] * 8),
        "ref1_first_30_words": " ".join(first.split()[:30]),
        "ref1_in_eval": first,
        "ref1_vs_ref2_four_rouge": first,
        "ref2_twice": f"{second}\n{second}",
        "ref2_vs_ref1": second,
        "target_keys_subset": second,
    }[case["case"]]


def _contexts(id: str) -> list[str]:
    pairs = _raw()["dev"][id]["qa_pairs"]
    return [pair["context"] for pair in pairs if pair.get("context") not in (None, "", "No context provided")]


@cache
def _questions() -> dict[str, Question]:
    return {question.id: question for question in Asqa(DATA / "asqa_dev_748.json.gz")}


@cache
def _raw() -> Any:
    return json.loads(gzip.decompress((DATA / "asqa_dev_748.json.gz").read_bytes()))


@cache
def _system_outputs() -> dict[str, dict[str, str]]:
    outputs: dict[str, dict[str, str]] = defaultdict(dict)
    for line in gzip.decompress((DATA / "asqa_dev_system_outputs_3384.jsonl.gz").read_bytes()).splitlines():
        row = json.loads(line)
        outputs[row["system"]][row["id"]] = row["output"]
    return outputs
