"""KILT's retrieval metrics, by page."""

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
from expound.score import provenance
from expound.score.provenance import Precision, Recall, RPrecision, Success
from expound.types import Answer, Evidence, Passage, Prediction, Question
from golden import TOLERANCE, golden, golden_names

CASES = json.loads((Path(__file__).parents[1] / "reference/kilt.json").read_text(encoding="utf-8"))["pages"]
PLACES = (1, 5, 10, 20)
METRICS = [RPrecision(), *(metric(k) for k in PLACES for metric in (Recall, Precision, Success))]
OFFICIAL = {"r_precision": "Rprec"} | {f"success@{k}": f"success_rate@{k}" for k in PLACES}

pages = st.sampled_from("abcdef")
outputs = st.lists(st.lists(pages | st.none(), max_size=4), max_size=4)


def pair(gold: Sequence[Sequence[str | None]], guessed: Sequence[str | None]) -> tuple[Question, Prediction]:
    passages = [
        Passage(str(place), "", meta={"wikipedia_id": page} if page else {}) for place, page in enumerate(guessed)
    ]
    evidence = tuple(Evidence(passage, number, 0.0) for number, passage in enumerate(passages, start=1))
    return Question("1", "?", meta={"provenance": gold}), Prediction("1", "?", "test", Answer(), evidence=evidence)


def pages_of(entries: Sequence[dict[str, str]]) -> list[str | None]:
    return [entry.get("wikipedia_id") for entry in entries]


@pytest.mark.parametrize("case", CASES)
def test_values_match_the_official_scorer(case: dict[str, Any]) -> None:
    metrics = {metric.name: metric for metric in METRICS}
    for name, expected in case["expected"].items():
        value = metrics[name].count(*pair(case["gold"], case["guessed"]))
        assert value == pytest.approx(100 * expected, abs=TOLERANCE), name


@pytest.mark.parametrize("name", golden_names("kilt"))
def test_values_match_the_golden_files(name: str) -> None:
    case = golden(name)
    expected = case["expected"]["by_rouge_version"]["rouge 1.0.1"]["per_item"]
    totals = dict.fromkeys((metric.name for metric in METRICS), 0.0)
    for gold, guess, official in zip(case["gold"], case["guess"], expected, strict=True):
        given_pages = [pages_of(output["provenance"]) for output in gold["output"] if "provenance" in output]
        both = pair(given_pages, pages_of(guess["output"][0].get("provenance", [])))
        for metric in METRICS:
            value = metric.count(*both) / 100
            totals[metric.name] += value / len(expected)
            known = official.get(OFFICIAL.get(metric.name, metric.name), value)
            assert value == pytest.approx(known, abs=TOLERANCE), (gold["id"], metric)
    means = case["expected"]["eval_retrieval_ks_1_5_10_20"]
    # The official table has neither recall nor success at 1.
    compared = {name: total for name, total in totals.items() if name not in ("recall@1", "success@1")}
    assert compared == pytest.approx({name: means[OFFICIAL.get(name, name)] for name in compared}, abs=TOLERANCE)


def test_a_set_counts_where_its_last_page_is_found() -> None:
    both = pair([["a", "b"], ["c"]], ["a", "c", "b"])
    assert Precision(1).count(*both) == 100  # c, since the pair has moved behind it
    assert Recall(1).count(*both) == 50
    assert Recall(2).count(*both) == 100


def test_a_page_of_two_sets_takes_two_places() -> None:
    both = pair([["a", "b"], ["a"]], ["x", "a"])
    assert Recall(2).count(*both) == 0  # the unfinished pair stands before the complete set
    assert Recall(3).count(*both) == 50


def test_spaces_around_ids_and_pages_without_one_do_not_matter() -> None:
    assert RPrecision().count(*pair([["a", None, "b"]], [None, " b ", "b", "a"])) == 100


def test_an_entry_without_a_page_keeps_a_set_from_being_complete() -> None:
    assert Success().count(*pair([["a", None]], ["a"])) == 0


def test_no_gold_page_and_no_guessed_page_are_0() -> None:
    for metric in METRICS:
        assert (
            metric.count(*pair([], ["a"])) == metric.count(*pair([[]], ["a"])) == metric.count(*pair([["a"]], [])) == 0
        )


def test_a_question_without_provenance_cannot_be_scored() -> None:
    prediction = pair([], ["a"])[1]
    assert all(math.isnan(metric.count(Question("1", "?"), prediction)) for metric in METRICS)


def test_a_metric_prints_as_the_text_that_creates_it() -> None:
    assert [repr(metric) for metric in METRICS[:2]] == ["RPrecision()", "Recall(k=1)"]
    assert (Recall().name, Precision(3).name, Success(1).name) == ("recall@5", "precision@3", "success@1")


@pytest.mark.parametrize("metric", [Recall, Precision, Success])
def test_there_is_no_place_0(metric: type) -> None:
    with pytest.raises(UserError, match="k=1 or more"):
        metric(k=0)


@given(outputs, st.lists(pages | st.none(), max_size=8))
def test_values_stay_between_0_and_100(gold: list[list[str | None]], guessed: list[str | None]) -> None:
    assert all(0 <= metric.count(*pair(gold, guessed)) <= 100 for metric in METRICS)


@given(outputs, st.lists(pages, max_size=8))
def test_the_order_of_outputs_does_not_matter_for_r_precision(gold: list[list[str | None]], guessed: list[str]) -> None:
    assert RPrecision().count(*pair(gold, guessed)) == RPrecision().count(*pair(gold[::-1], guessed))


@given(st.lists(pages, min_size=1, max_size=6, unique=True))
def test_guessing_the_gold_pages_is_perfect(gold: list[str]) -> None:
    both = pair([gold], gold)
    assert RPrecision().count(*both) == Recall(1).count(*both) == Success(1).count(*both) == 100


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(provenance).attempted > 0
    assert doctest.testmod(provenance).failed == 0
