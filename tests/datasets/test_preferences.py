"""Pairwise judgments become preferences: who chose what between which answers, ties kept."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from expound import plugins
from expound.datasets.haluquestqa import HaluQuestQa
from expound.datasets.qa_feedback import QaFeedback
from expound.datasets.ragchecker import RagChecker
from expound.datasets.spec import open_dataset, open_preferences
from expound.datasets.xu2023 import Xu2023
from expound.errors import BadInput, UserError
from expound.types import Preference
from golden import SHARED

XU: dict[str, Any] = {
    "q_id": "x", "question_text": "Why?<br />Really.", "answer1": "Because.", "answer2": "So<newline>it is.",
    "answer1_label": "HMM[8]", "id": 3, "BetterAnswer": "Answer B", "DifficultToChoose": "Yes.", "comments": "Clear.",
    "lead_time": 12.5, "domain": "Physics", "annotator_file": "Physics_11",
}  # fmt: skip
QA: dict[str, Any] = {
    "question": "Who won?", "passages": [["Cup", "Ann won.", "Bo lost."]], "gold": "Ann did.",
    **{f"prediction {number}": f"Answer {number}." for number in (1, 2, 3, 4)},
    "feedback": {"errors": []}, "preference": [0, 1, 2, 1, 2, 0],
}  # fmt: skip
HALU: dict[str, Any] = {
    "source_file": "f0.txt", "annotator": "kw", "question_text": "Why?", "ans1_text": "Because.", "ans2_text": "So.",
    "ans1_label": "model_answer", "ans2_label": "human_answer", "ans_preference": "Answer 1",
    "ans_preference_reason": "It is short.", "category": "law", "factuality_model_score": "1.0",
    "factuality_human_score": "0.75",
}  # fmt: skip
RAG: dict[str, Any] = {
    "instance_id": 1, "dataset": "kiwi", "query_id": "25", "query": "How?", "gt_answer": "So.",
    "model1": {"model_name": "bm25", "response": "Thus."}, "model2": {"model_name": "e5", "response": "So."},
    "correctness_label": 2, "completeness_label": 0, "overall_label": -1,
}  # fmt: skip
LAYOUTS: dict[str, tuple[Callable[[Path], Iterable[Preference]], dict[str, Any]]] = {
    "haluquestqa": (HaluQuestQa, HALU),
    "qa-feedback": (QaFeedback, QA),
    "ragchecker": (RagChecker, RAG),
    "xu2023": (Xu2023, XU),
}


def write(folder: Path, rows: list[Any], name: str = "judgments.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_an_expert_prefers_one_of_two_answers(tmp_path: Path) -> None:
    [preference] = Xu2023(write(tmp_path, [XU]))
    assert (preference.choice, preference.a_system, preference.b_system) == ("b", "model", "human")
    assert (preference.question.text, preference.b) == ("Why?\nReally.", "So\nit is.")
    assert (preference.rater, preference.domain, preference.comment) == ("Physics_11", "Physics", "Clear.")
    assert preference.meta == {"is_difficult": True, "upvotes": [8], "seconds": 12.5}


@pytest.mark.parametrize(
    ("label", "systems"),
    [
        ("HMH[9]", ("human", "model")),
        ("HHH[5][1]", ("human", "human-fewer-upvotes")),
        ("HHh[3][-1]", ("human-fewer-upvotes", "human")),
    ],
)
def test_the_label_says_who_wrote_the_answers(label: str, systems: tuple[str, str], tmp_path: Path) -> None:
    [preference] = Xu2023(write(tmp_path, [{**XU, "answer1_label": label}]))
    assert (preference.a_system, preference.b_system) == systems


def test_four_answers_make_six_pairs_and_ties_are_kept(tmp_path: Path) -> None:
    preferences = list(QaFeedback(write(tmp_path, [QA])))
    assert [preference.choice for preference in preferences] == ["tie", "a", "b", "a", "b", "tie"]
    assert [(item.a[-2], item.b[-2]) for item in preferences] == [tuple(pair) for pair in "12 13 14 23 24 34".split()]
    question = preferences[0].question
    assert (question.references, question.evidence[0].title) == (("Ann did.",), "Cup")
    assert question.evidence[0].text == "Ann won. Bo lost."
    assert ["feedback" in item.meta for item in preferences] == [True, True, True, False, False, False]


def test_an_expert_chooses_and_the_scores_follow_the_order_of_the_answers(tmp_path: Path) -> None:
    [preference] = HaluQuestQa(write(tmp_path, [HALU]))
    assert (preference.id, preference.choice, preference.a_system) == ("f0", "a", "model")
    assert preference.meta["scores"] == {"a": {"factuality": 1.0}, "b": {"factuality": 0.75}}


def test_two_people_judge_a_pair_by_three_criteria(tmp_path: Path) -> None:
    preferences = list(RagChecker(write(tmp_path, [RAG, {**RAG, "overall_label": 1}])))
    assert [(item.rater, item.criterion, item.choice) for item in preferences] == [
        ("1", "correctness", "b"), ("1", "completeness", "tie"), ("1", "overall", "a"),
        ("2", "correctness", "b"), ("2", "completeness", "tie"), ("2", "overall", "b"),
    ]  # fmt: skip
    assert [item.meta["label"] for item in preferences[:3]] == [2, 0, -1]


def test_reading_a_file_twice_gives_the_same(tmp_path: Path) -> None:
    dataset = RagChecker(write(tmp_path, [RAG, RAG]))
    assert list(dataset) == list(dataset)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_list_and_a_packed_file_read_the_same_as_lines(layout: str, tmp_path: Path) -> None:
    read, row = LAYOUTS[layout]
    expected = list(read(write(tmp_path, [row])))
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps([row]), encoding="utf-8")
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(row).encode()))
    assert list(read(listed)) == list(read(packed)) == expected


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("other", LAYOUTS)
def test_a_file_of_another_layout_is_refused(layout: str, other: str, tmp_path: Path) -> None:
    if layout != other:
        with pytest.raises(BadInput, match=r"judgments\.jsonl, line 1: not in the layout"):
            list(LAYOUTS[layout][0](write(tmp_path, [LAYOUTS[other][1]])))


@pytest.mark.parametrize(
    ("layout", "change", "message"),
    [
        ("xu2023", {"BetterAnswer": "both"}, "unknown choice 'both'"),
        ("xu2023", {"answer1_label": "MM"}, "unknown answer1_label"),
        ("qa-feedback", {"preference": [1, 2]}, "line 1"),
        ("qa-feedback", {"preference": [True, 1, 2, 1, 2, 0]}, "unknown choice True"),
        ("haluquestqa", {"ans1_label": "robot"}, "unknown choice 'robot'"),
        ("haluquestqa", {"factuality_model_score": "much"}, "line 1"),
        ("ragchecker", {"overall_label": 3}, "unknown choice 3"),
        ("ragchecker", {"model1": "Thus."}, "expected an object"),
    ],
)
def test_a_wrong_value_is_named(layout: str, change: dict[str, Any], message: str, tmp_path: Path) -> None:
    read, row = LAYOUTS[layout]
    with pytest.raises(BadInput, match=message):
        list(read(write(tmp_path, [{**row, **change}])))


def test_no_judgments_and_the_same_id_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no judgments"):
        list(Xu2023(write(tmp_path, [])))
    with pytest.raises(BadInput, match="two judgments have the id"):
        list(Xu2023(write(tmp_path, [XU, XU])))
    single = tmp_path / "one.json"
    single.write_text(json.dumps(XU, indent=1), encoding="utf-8")
    with pytest.raises(BadInput, match="expected a list of judgments"):
        list(Xu2023(single))


def test_one_person_has_one_vote_on_a_pair(tmp_path: Path) -> None:
    # Under another id, and with the sides turned.
    again = {**XU, "id": 8, "answer1": XU["answer2"], "answer2": XU["answer1"], "answer1_label": "HMH[8]"}
    assert len(list(Xu2023(write(tmp_path, [XU, {**again, "annotator_file": "Physics_12"}])))) == 2
    with pytest.raises(BadInput, match="'Physics_11' judged the same twice by 'overall', of 'Why"):
        list(Xu2023(write(tmp_path, [XU, again])))


def test_a_third_row_of_a_pair_that_two_people_judged_is_no_third_vote(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"line 3: .*a third judgment of the pair 1"):
        list(RagChecker(write(tmp_path, [RAG, RAG, RAG])))


def test_a_record_with_too_few_values_says_how_many_it_needs(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"line 1: .*expected 6 values, found 2"):
        list(LAYOUTS["qa-feedback"][0](write(tmp_path, [{**QA, "preference": [1, 2]}])))


@pytest.mark.skipif(not plugins.names("preferences"), reason="the entry points are not installed")
def test_specs_keep_questions_and_judgments_apart(tmp_path: Path) -> None:
    path = write(tmp_path, [XU])
    assert [item.choice for item in open_preferences(f"xu2023:{path}")] == ["b"]
    with pytest.raises(UserError, match="holds pairwise judgments"):
        open_dataset(f"xu2023:{path}")
    with pytest.raises(UserError, match=r"holds questions, not pairwise judgments.*xu2023"):
        open_preferences(f"asqa:{path}")


@pytest.mark.parametrize(
    ("layout", "name", "count", "raters"),
    [
        ("xu2023", "xu2023_expert_pairwise_130", 130, 13),
        ("qa-feedback", "qa_feedback_preferences_and_errors_250", 6 * 250, 1),
        ("haluquestqa", "haluquestqa_expert_error_spans_349", 349, 21),
        ("ragchecker", "ragchecker_pairwise_correct_complete_overall_280", 3 * 280, 2),
    ],
)
def test_the_real_files_are_read_whole(layout: str, name: str, count: int, raters: int) -> None:
    path = SHARED / "data" / "human_judgments" / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip("needs ../shared/data")
    preferences = list(LAYOUTS[layout][0](path))
    assert len(preferences) == count
    assert len({preference.rater for preference in preferences}) == raters


def test_haluquestqa_choices_equal_its_own_scores() -> None:
    path = SHARED / "data" / "human_judgments" / "haluquestqa_expert_error_spans_349.jsonl.gz"
    if not path.exists():
        pytest.skip("needs ../shared/data")
    chosen = Counter(item.a_system if item.choice == "a" else item.b_system for item in HaluQuestQa(path))
    assert chosen == {"model": 279, "human": 70}
