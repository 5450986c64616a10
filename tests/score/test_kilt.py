"""KILT's answer metrics, plain and grounded."""

from __future__ import annotations

import doctest
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.score import kilt_answer as kilt
from expound.score.kilt_answer import KINDS, KiltAnswer
from expound.score.rouge_package import VERSIONS
from expound.types import Answer, Evidence, Passage, Prediction, Question
from golden import TOLERANCE, golden, golden_names

CASES = json.loads((Path(__file__).parents[1] / "reference/kilt.json").read_text(encoding="utf-8"))["answers"]

texts = st.text("ab the.", max_size=20)


def pair(golds: Sequence[str], guess: str, *, page: str = "1") -> tuple[Question, Prediction]:
    """A question whose gold page is 1, and an answer from some page."""
    evidence = (Evidence(Passage(page, "", meta={"wikipedia_id": page}), 1, 0.0),)
    question = Question("1", "?", tuple(golds), meta={"provenance": [["1"]]})
    return question, Prediction("1", "?", "test", Answer(guess), evidence=evidence)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES)
def test_rouge_l_matches_the_package(case: dict[str, Any], version: str) -> None:
    metric = KiltAnswer("rouge_l", rouge_package=version)
    expected = 100 * case["rouge_l"][version]
    assert metric.count(*pair(case["golds"], case["guess"])) == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("guess", "golds", "accuracy", "em", "f1"),
    [
        ("Paris", ["London", "Paris"], 100, 100, 100),
        (" Paris ", ["Paris "], 100, 100, 100),
        ("paris", ["Paris"], 0, 100, 100),
        ("The U.S.", ["US"], 0, 100, 100),
        ("red fox", ["a quick red fox"], 0, 0, 80),
        ("the", ["an"], 0, 100, 0),
        ("the", ["the"], 100, 100, 0),
        ("", ["Paris"], 0, 0, 0),
        (" ", ["the"], 0, 0, 0),
    ],
)
def test_short_answers_are_scored_by_the_definition(
    guess: str, golds: list[str], accuracy: float, em: float, f1: float
) -> None:
    for kind, expected in (("accuracy", accuracy), ("em", em), ("f1", f1)):
        assert KiltAnswer(kind).count(*pair(golds, guess)) == pytest.approx(expected, abs=TOLERANCE), kind


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", golden_names("kilt"))
def test_values_match_the_golden_files(name: str, version: str) -> None:
    case = golden(name)
    metrics = [KiltAnswer(kind, grounded, version) for kind in KINDS for grounded in (False, True)]
    records = case["expected"]["by_rouge_version"]
    usual, special = records["rouge 1.0.1"]["per_item"], records[f"rouge {version}"]["per_item"]
    totals = dict.fromkeys(metrics, 0.0)
    for gold, guess, first, differing in zip(case["gold"], case["guess"], usual, special, strict=True):
        both = official_pair(gold, guess)
        for metric in metrics:
            value = metric.count(*both) / 100
            totals[metric] += value / len(usual)
            assert value == pytest.approx((first | differing).get(official_name(metric), value), abs=TOLERANCE), gold
    means = records[f"rouge {version}"]["aggregate"]
    for metric, total in totals.items():
        assert total == pytest.approx((means["kilt"] | means["downstream"])[official_name(metric)], abs=TOLERANCE)


def official_name(metric: KiltAnswer) -> str:
    kind = "rougel" if metric.kind == "rouge_l" else metric.kind
    return f"KILT-{kind}" if metric.grounded else kind


def official_pair(gold: dict[str, Any], guess: dict[str, Any]) -> tuple[Question, Prediction]:
    outputs = gold["output"]
    pages = [[entry.get("wikipedia_id") for entry in item["provenance"]] for item in outputs if "provenance" in item]
    said = guess["output"][0]
    passages = [Passage("", "", meta=entry) for entry in said.get("provenance", [])]
    return (
        Question(
            gold["id"], gold["input"], tuple(item.get("answer", "") for item in outputs), meta={"provenance": pages}
        ),
        Prediction(
            gold["id"], "", "test", Answer(said["answer"]), evidence=tuple(Evidence(item, 1, 0.0) for item in passages)
        ),
    )


def test_an_answer_from_the_wrong_page_is_not_grounded() -> None:
    for kind in KINDS:
        metric = KiltAnswer(kind, grounded=True)
        assert metric.count(*pair(["Paris"], "Paris", page="1")) == pytest.approx(100)
        assert metric.count(*pair(["Paris"], "Paris", page="2")) == 0


def test_without_a_gold_answer_there_is_no_score() -> None:
    assert math.isnan(KiltAnswer().count(*pair([], "Paris")))
    assert math.isnan(KiltAnswer().count(*pair([" "], "Paris")))


def test_without_gold_pages_only_the_plain_metric_scores() -> None:
    question, prediction = Question("1", "?", ("Paris",)), pair([], "Paris")[1]
    assert KiltAnswer().count(question, prediction) == 100
    assert math.isnan(KiltAnswer(grounded=True).count(question, prediction))


def test_names_specs_and_signatures() -> None:
    metric = KiltAnswer("rouge_l", grounded=True)
    assert metric.name == "kilt_rouge_l"
    assert eval(repr(metric)) == metric
    assert metric.options == {"rouge_package": "1.0.1"}
    assert (KiltAnswer("f1").name, KiltAnswer("f1").options) == ("f1", {})


@pytest.mark.parametrize("options", [{"kind": "rougel"}, {"rouge_package": "2"}])
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="there are"):
        KiltAnswer(**options)


@given(st.lists(texts, min_size=1, max_size=3), texts, st.sampled_from(KINDS), st.sampled_from("12"))
def test_values_are_bounded_and_grounding_never_helps(golds: list[str], guess: str, kind: str, page: str) -> None:
    both = pair([*golds, "a"], guess, page=page)
    assert 0 <= KiltAnswer(kind, grounded=True).count(*both) <= KiltAnswer(kind).count(*both) <= 100


@given(st.lists(texts, min_size=1, max_size=4), texts, st.sampled_from(KINDS))
def test_the_order_of_gold_answers_does_not_matter(golds: list[str], guess: str, kind: str) -> None:
    golds.append("a")
    assert KiltAnswer(kind).count(*pair(golds, guess)) == KiltAnswer(kind).count(*pair(golds[::-1], guess))


@given(texts.filter(str.strip))
def test_a_gold_answer_is_exact(answer: str) -> None:
    assert KiltAnswer("accuracy").count(*pair(["other", answer], answer)) == 100
    assert KiltAnswer("em").count(*pair(["other", answer], answer)) == 100


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(kilt).attempted > 0
    assert doctest.testmod(kilt).failed == 0
