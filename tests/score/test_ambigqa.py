"""AmbigQA's metrics: the official script's values, and what must hold of any readings."""

from __future__ import annotations

import doctest
import gzip
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.score import ambigqa
from expound.score.ambigqa import F1Answer, F1Bleu, F1EditF1, question_scores
from expound.types import Answer, Interpretation, Prediction, Question
from golden import SHARED, TOLERANCE, golden, golden_names

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "ambigqa.json").read_text(encoding="utf-8"))
QUESTION_METRICS = (F1Bleu(1), F1Bleu(2), F1Bleu(3), F1Bleu(4), F1EditF1())
GOLDEN_CASES = [name for name in golden_names("ambigqa") if name.split("/")[1].startswith(("qa_", "answers_"))]
ASKED = "Who sang it?"

readings = st.lists(
    st.builds(
        Interpretation,
        st.sampled_from(["Who sang it in 1964?", "Who sang it in 2016?|Who sang it?", "Who sang it", "", "The"]),
        st.sampled_from([("Dami Im",), ("Simon", "the Garfunkel"), ("garfunkel",), ("",)]),
    ),
    max_size=4,
).map(tuple)


def annotation(record: Mapping[str, Any], asked: str) -> tuple[Interpretation, ...]:
    if record["type"] == "singleAnswer":
        return (Interpretation(asked, tuple(record["answer"])),)
    return tuple(Interpretation(pair["question"], tuple(pair["answer"])) for pair in record["qaPairs"])


def question(record: Mapping[str, Any], *, leave_out: int = 0) -> Question:
    annotations = tuple(annotation(one, record["question"]) for one in record["annotations"][leave_out:])
    return Question("1", record["question"], annotations=annotations)


def prediction(items: Any) -> Prediction:
    items = [items] if isinstance(items, str) else items
    pairs = [("", item) if isinstance(item, str) else (item["question"], item["answer"]) for item in items]
    return predicted(*(Interpretation(asked, (answer,)) for asked, answer in pairs))


def predicted(*interpretations: Interpretation) -> Prediction:
    return Prediction("1", ASKED, "test", Answer(), interpretations)


def gold(*annotations: tuple[Interpretation, ...]) -> Question:
    return Question("1", ASKED, annotations=annotations)


def close(found: Any, expected: Any) -> bool:
    return list(found) == pytest.approx([*expected], abs=TOLERANCE, rel=0)


def mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: f"{case['case']}: {case['question']}")
def test_scores_match_the_official_script(case: dict[str, Any]) -> None:
    asked, answered = question(case), prediction(case["predictions"])
    assert close(question_scores(asked, answered)[: len(case["expected"])], case["expected"])
    assert F1Answer().count(asked, answered) == pytest.approx(100 * case["expected"][0])
    assert math.isnan(F1Answer(multi=True).count(asked, answered)) != case["is_multi"]


@pytest.mark.parametrize("name", GOLDEN_CASES)
def test_scores_match_the_golden_values(name: str) -> None:
    case = golden(name)
    records = json.loads(gzip.decompress((SHARED / "data" / case["data_file"]).read_bytes()))
    by_id = {record["id"]: record for record in records}
    leave_out = 1 if case["case"] == "qa_annotator_1_vs_rest" else 0
    pairs = [(question(by_id[id], leave_out=leave_out), prediction(case["predictions"][id])) for id in case["ids"]]
    expected = case["expected"]
    metrics = (F1Answer(multi=True), *QUESTION_METRICS)[: len(expected["metrics"])]
    for id, pair in zip(case["ids"], pairs, strict=True):
        assert close(question_scores(*pair)[: len(metrics)], expected["per_item"][id]), id
    scores = [question_scores(*pair) for pair in pairs]
    for place, (metric, named) in enumerate(zip(metrics, expected["metrics"], strict=True)):
        counts = [metric.count(*pair) for pair in pairs]
        assert [not math.isnan(count) for count in counts] == [expected["is_multi"][id] for id in case["ids"]]
        multi = mean([count for count in counts if not math.isnan(count)] or [0.0])
        aggregate = expected["aggregate"][named]
        assert close([multi / 100], [aggregate["mean_multi_only"] or 0.0])
        assert close([mean([score[place] for score in scores])], [aggregate["mean_all"]])
    assert close(
        [mean([F1Answer().count(*pair) for pair in pairs]) / 100], [expected["aggregate"]["F1 answer"]["mean_all"]]
    )


def test_the_annotation_that_agrees_most_counts() -> None:
    asked = gold(
        (Interpretation("Who?", ("Ann",)),), (Interpretation("Where?", ("Ulm",)), Interpretation("When?", ("1",)))
    )
    assert F1Answer().count(asked, predicted(Interpretation("", ("Ulm",)), Interpretation("", ("1",)))) == 100
    assert F1Answer().count(asked, predicted(Interpretation("", ("ann",)))) == 100


def test_an_answer_said_twice_is_found_once() -> None:
    asked = gold((Interpretation("Who?", ("Ann", "Anne")), Interpretation("Where?", ("Ulm",))))
    twice = predicted(Interpretation("", ("Ann",)), Interpretation("", ("Anne",)))
    assert F1Answer().count(asked, twice) == 50


def test_the_best_questions_are_paired_first() -> None:
    asked = gold((Interpretation("Who sang it in 1964?", ("Ann",)), Interpretation("Who sang it in 2016?", ("Ann",))))
    swapped = predicted(
        Interpretation("Who sang it in 2016?", ("Ann",)), Interpretation("Who sang it in 1964?", ("Ann",))
    )
    for metric in QUESTION_METRICS:
        assert metric.count(asked, swapped) == pytest.approx(100)


def test_any_variant_of_a_gold_question_will_do() -> None:
    asked = gold((Interpretation("Who sang it in 1964?|Who sang it live?", ("Ann",)),))
    for metric in QUESTION_METRICS:
        assert metric.count(asked, predicted(Interpretation("who sang it live", ("Ann",)))) == pytest.approx(100)


def test_edits_are_what_the_question_asked_does_not_have() -> None:
    asked = gold((Interpretation("Who sang it in 1964?", ("Ann",)),))
    # The gold question adds two words; this one shares one of its two.
    assert F1EditF1().count(asked, predicted(Interpretation("Who sang it in 2016?", ("Ann",)))) == pytest.approx(50)
    assert F1EditF1().count(asked, predicted(Interpretation(ASKED, ("Ann",)))) == 0


def test_an_ambiguous_question_with_one_single_answer_counts_for_f1_answer_only() -> None:
    single, several = (Interpretation(ASKED, ("Ann",)),), (Interpretation("Who sang it live?", ("Bob",)),)
    asked, answered = gold(single, several), predicted(Interpretation("Who sang it live?", ("Ann",)))
    assert F1Answer().count(asked, answered) == 100
    assert question_scores(asked, answered) == (1,) * 6
    assert all(math.isnan(metric.count(asked, answered)) for metric in (F1Answer(multi=True), *QUESTION_METRICS))


def test_interpretations_stand_in_for_missing_annotations() -> None:
    sets = (Interpretation("Who sang it live?", ("Ann",)),)
    asked = Question("1", ASKED, interpretations=sets)
    for metric in (F1Answer(), F1Answer(multi=True), *QUESTION_METRICS):
        assert metric.count(asked, predicted(*sets)) == pytest.approx(100)


def test_without_annotations_there_is_no_score() -> None:
    for metric in (F1Answer(), F1Answer(multi=True), *QUESTION_METRICS):
        assert math.isnan(metric.count(Question("1", ASKED), predicted(Interpretation("", ("Ann",)))))
    assert all(map(math.isnan, question_scores(Question("1", ASKED), predicted())))


def test_an_empty_prediction_scores_0() -> None:
    asked = gold((Interpretation("Who sang it live?", ("",)),))
    for metric in (F1Answer(), F1Answer(multi=True), *QUESTION_METRICS):
        assert metric.count(asked, predicted()) == 0


def test_a_metric_prints_as_the_text_that_creates_it() -> None:
    assert repr(F1Answer()) == "F1Answer()"
    for metric in (F1Answer(), F1Answer(multi=True), *QUESTION_METRICS):
        assert eval(repr(metric)) == metric


def test_metrics_have_the_names_of_the_official_columns() -> None:
    assert [metric.name for metric in (F1Answer(), F1Answer(multi=True))] == ["f1_answer", "f1_answer_multi"]
    assert [metric.name for metric in QUESTION_METRICS] == [
        "f1_bleu1",
        "f1_bleu2",
        "f1_bleu3",
        "f1_bleu4",
        "f1_edit_f1",
    ]


@pytest.mark.parametrize("order", [0, 5])
def test_other_orders_of_bleu_are_refused(order: int) -> None:
    with pytest.raises(UserError, match="there are: 1 to 4"):
        F1Bleu(order)


@given(st.lists(readings, min_size=1, max_size=3), readings)
def test_scores_stay_between_0_and_1_and_no_question_score_is_above_f1_answer(
    annotations: list[tuple[Interpretation, ...]], given: tuple[Interpretation, ...]
) -> None:
    answer, *others = question_scores(gold(*annotations), predicted(*given))
    assert 0 <= answer <= 1
    assert all(0 <= score <= answer + TOLERANCE for score in others)


@given(st.lists(readings, min_size=1, max_size=3), readings)
def test_the_order_of_annotations_does_not_matter(
    annotations: list[tuple[Interpretation, ...]], given: tuple[Interpretation, ...]
) -> None:
    scores = question_scores(gold(*annotations), predicted(*given))
    assert scores == question_scores(gold(*annotations[::-1]), predicted(*given))


@given(readings)
def test_the_gold_readings_are_perfect_answers(sets: tuple[Interpretation, ...]) -> None:
    assert F1Answer().count(gold(sets), predicted(*sets)) == (100 if sets else 0)


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(ambigqa).attempted > 0
    assert doctest.testmod(ambigqa).failed == 0
