"""ROUGE as ASQA uses it, against a table of rouge-score's values that needs no fetched file: sentences are given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.score.official import official_aggregate
from expound.score.rouge import Rouge, rouge
from expound.text.punkt import Punkt
from expound.types import Answer, Prediction, Question

REFERENCE = json.loads((Path(__file__).parents[1] / "reference/asqa.json").read_text(encoding="utf-8"))
KINDS = {"rouge1": "1", "rouge2": "2", "rougeL": "l", "rougeLsum": "lsum"}


class Given:
    """The sentences of the table."""

    def __init__(self) -> None:
        self._of = {text.lower(): cut for case in REFERENCE["cases"] for text, cut in case["sentences"].items()}

    def sentences(self, text: str) -> list[str]:
        return list(self._of[text])


def pair(case: dict[str, Any]) -> tuple[Question, Prediction]:
    return Question("1", "?", tuple(case["references"])), Prediction("1", "?", "test", Answer(case["answer"]))


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["answer"][:20])
def test_the_asqa_profile_has_the_values_of_the_table(case: dict[str, Any]) -> None:
    given = Given()
    for name, kind in KINDS.items():
        value = Rouge("asqa", kind, given).count(*pair(case))
        assert value == pytest.approx(100 * case["asqa"][name][2], abs=1e-9), name


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["answer"][:20])
def test_plain_rouge_has_the_values_of_the_table(case: dict[str, Any]) -> None:
    for reference, expected in zip(case["references"], case["rouge_score"], strict=True):
        for name, kind in KINDS.items():
            assert rouge([reference], case["answer"], kind=kind) == pytest.approx(expected[name], abs=1e-9), name


def test_the_official_aggregate_has_the_values_of_the_table() -> None:
    values = {name: [100 * case["asqa"][name][2] for case in REFERENCE["cases"]] for name in KINDS}
    expected = REFERENCE["official_aggregate"]
    for seed in (0, 3):
        found = official_aggregate([values["rougeLsum"]], seed)
        assert found == pytest.approx(expected[f"rougeLsum, seed {seed}"], abs=1e-9)
    assert official_aggregate(list(values.values()), 0) == pytest.approx(expected["all four, seed 0"], abs=1e-9)


def test_punkt_cuts_the_sentences_of_the_table(punkt: Punkt) -> None:
    for case in REFERENCE["cases"]:
        for text, cut in case["sentences"].items():
            assert punkt.sentences(text.lower()) == cut
