"""ELI5's metrics: ROUGE of stemmed words, ROUGE-20%, perplexity and FILL-1."""

from __future__ import annotations

import doctest
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.protocols import Metric, PooledMetric
from expound.score import eli5_metrics as eli5
from expound.score.eli5_metrics import Eli5Rouge, Fill1, Perplexity, Rouge20, completion_budget, split_for_completion
from expound.score.rouge_package import KINDS, VERSIONS
from expound.types import Answer, Prediction, Question
from golden import TOLERANCE, golden, golden_names

REFERENCE = json.loads((Path(__file__).parents[1] / "reference/eli5.json").read_text(encoding="utf-8"))

texts = st.text("ab s.ing\n", max_size=40)


def score(metric: Eli5Rouge | Rouge20, references: Sequence[str], answer: str) -> float:
    return metric.count(Question("1", "?", tuple(references)), Prediction("1", "?", "test", Answer(answer)))


def said(**meta: object) -> tuple[Question, Prediction]:
    return Question("1", "?"), Prediction("1", "?", "test", Answer(), meta=meta)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", REFERENCE["cases"] + REFERENCE["official"])
def test_values_match_the_official_scorer(case: dict[str, Any], version: str) -> None:
    expected = case["expected"][version]
    for kind in KINDS:
        value = score(Eli5Rouge(kind, version), [case["reference"]], case["hypothesis"])
        # Where the scorer stops, an empty answer gets 0, and an empty reference gives no value.
        assert not value > 0 if expected is None else value == pytest.approx(100 * expected[kind][2], abs=TOLERANCE)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", golden_names("eli5"))
def test_values_match_the_golden_files(name: str, version: str) -> None:
    case = golden(name)
    records = case["expected"]["by_rouge_version"]
    usual, record = records["rouge 1.0.1"]["per_item"], records[f"rouge {version}"]
    expected = [first | differing for first, differing in zip(usual, record["per_item"], strict=True)]
    for kind in KINDS:
        pairs = zip(case["references"], case["hypotheses"], strict=True)
        values = [score(Eli5Rouge(kind, version), [reference], hypothesis) / 100 for reference, hypothesis in pairs]
        for value, item in zip(values, expected, strict=True):
            if "error" in item:
                assert not value > 0
            else:
                assert value == pytest.approx(item[f"rouge-{kind}"][2], abs=TOLERANCE)
        if "error" not in record["aggregate"]:
            assert sum(values) / len(values) == pytest.approx(record["aggregate"][f"rouge-{kind}"]["f"], abs=TOLERANCE)


def test_the_closest_reference_counts() -> None:
    assert score(Eli5Rouge(), ["something else", "a red fox"], "A red fox") == pytest.approx(100)


def test_an_empty_reference_is_left_out_when_there_is_another() -> None:
    assert score(Eli5Rouge(), ["...", "a red fox"], "a red fox") == pytest.approx(100)


def test_an_empty_reference_cannot_be_scored_and_an_empty_answer_gets_nothing() -> None:
    assert math.isnan(score(Eli5Rouge(), [], "a"))
    assert math.isnan(score(Rouge20(), [""], "a"))
    assert score(Eli5Rouge(), ["a"], " . ") == 0


def test_only_the_last_fifth_counts_for_rouge_20() -> None:
    reference = "one two three four five six seven eight nine ten"
    assert score(Rouge20(kind="1"), [reference], "nine ten") == pytest.approx(100)
    assert score(Rouge20(kind="1"), [reference], "one two") == 0
    assert score(Rouge20(kind="2"), [reference], "ten nine") == 0


def test_the_rest_of_a_reference_is_rounded_up() -> None:
    assert split_for_completion("a b c d e f") == ("a b c d", "e f")
    assert split_for_completion("a") == ("", "a")
    assert split_for_completion(" \n") == ("", "")


def test_a_completion_is_as_long_as_a_fifth_of_the_mean_answer() -> None:
    assert completion_budget(["word " * 100, "word " * 31]) == 13
    assert completion_budget(["a"]) == 1
    with pytest.raises(UserError, match="validation set"):
        completion_budget([])


def test_perplexity_is_over_the_tokens_of_all_answers() -> None:
    metric, even, sure = Perplexity(), [math.log(0.5)] * 3, [0.0]
    counts = np.array([metric.count(*said(log_probabilities=values)) for values in (even, sure)])
    weights = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 3.0]])
    assert metric.pool(counts, weights) == pytest.approx([2, 1, 2 ** (3 / 4), 2 ** (6 / 9)])


def test_fill_1_is_the_share_of_words_guessed_first() -> None:
    fills = [
        {"gold": "dog", "predicted": "dog", "part": "noun"},
        {"gold": "cat", "predicted": "dog", "part": "noun"},
        {"gold": "run", "predicted": "run", "part": "verb"},
    ]
    for metric, expected in ((Fill1(), 200 / 3), (Fill1(part="noun"), 50)):
        counts = np.array([metric.count(*said(fills=fills))])
        assert metric.pool(counts, np.ones((1, 1))) == pytest.approx([expected])


@pytest.mark.parametrize("metric", [Perplexity(), Fill1(), Fill1(part="adjective")])
def test_a_prediction_without_the_needed_numbers_cannot_be_scored(metric: Perplexity | Fill1) -> None:
    assert all(math.isnan(value) for value in metric.count(*said()))
    assert all(math.isnan(value) for value in metric.count(*said(log_probabilities=[], fills=[])))


def test_names_specs_and_signatures() -> None:
    parts = (Eli5Rouge("1"), Rouge20("2", "0.3.2"), Perplexity(), Fill1(), Fill1("noun"))
    metrics: list[Metric | PooledMetric] = [*parts]
    assert [metric.name for metric in metrics] == ["rouge_1", "rouge_20_2", "perplexity", "fill_1", "fill_1_noun"]
    assert [eval(repr(metric)) for metric in metrics] == metrics
    assert Rouge20("2", "0.3.2").options == {"profile": "eli5", "rouge_package": "0.3.2"}


@pytest.mark.parametrize("metric", [Eli5Rouge, Rouge20])
@pytest.mark.parametrize("options", [{"kind": "lsum"}, {"rouge_package": "2"}])
def test_unknown_options_are_refused(metric: type, options: dict[str, str]) -> None:
    with pytest.raises(UserError, match="there are"):
        metric(**options)


@given(texts, texts, st.sampled_from(KINDS), st.sampled_from(VERSIONS))
def test_scores_stay_between_0_and_100(reference: str, answer: str, kind: str, version: str) -> None:
    value = score(Eli5Rouge(kind, version), [reference], answer)
    assert math.isnan(value) or 0 <= value <= 100


@given(texts)
def test_an_answer_scored_against_itself_is_perfect(answer: str) -> None:
    value = score(Eli5Rouge("l"), [answer], answer)
    # Of some texts nothing but full stops is left, "..s" for one, whose last letter is a plural.
    assert math.isnan(value) or value == pytest.approx(100)


@given(st.lists(texts, max_size=4), texts)
def test_the_order_of_references_does_not_matter(references: list[str], answer: str) -> None:
    one, other = score(Eli5Rouge(), references, answer), score(Eli5Rouge(), references[::-1], answer)
    assert one == pytest.approx(other, nan_ok=True)


@given(texts)
def test_the_two_parts_of_a_reference_make_it_whole(reference: str) -> None:
    given, rest = split_for_completion(reference)
    assert given.split() + rest.split() == reference.split()
    assert len(rest.split()) >= len(reference.split()) / 5


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(eli5).attempted > 0
    assert doctest.testmod(eli5).failed == 0
