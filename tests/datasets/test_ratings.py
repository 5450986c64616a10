"""Judgments of single answers, and the pairs of LFQA-E: one small file in each layout, and the real ones whole."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from commands import Capture, as_json, succeed
from datasets.test_preferences import write
from expound import plugins
from expound.agreement.analysis import analyze
from expound.agreement.criterion import Settings
from expound.agreement.published import judgments_from
from expound.datasets.alce_utility import AlceUtility
from expound.datasets.ambig_lfqa import AmbigLfqa
from expound.datasets.chen2023 import Chen2023
from expound.datasets.expertqa import ExpertQa
from expound.datasets.lfqa_e import LfqaE
from expound.datasets.potluri_salience import PotluriSalience
from expound.datasets.potluri_summary import PotluriSummary
from expound.datasets.spec import open_dataset, open_judged
from expound.datasets.wikieval import WikiEval
from expound.datasets.xu2022_roles import Xu2022Roles
from expound.datasets.xu2022_validity import Xu2022Validity
from expound.errors import BadInput, UserError
from expound.meta import people_from
from expound.types import Preference, Rating
from golden import GOLDEN, SHARED

ALCE: dict[str, Any] = {
    "id": "87", "question": "When?", "output": "In May.", "utility_score": 4,
    "automatic_correctness_scores": [True, False], "dataset": "asqa", "system": "asqa-big.json",
}  # fmt: skip
AMBIG: dict[str, Any] = {
    "comparison": "one_vs_two",
    "scores": {
        name: {"Accuracy": 0.3, "Comprehensiveness": 0.5, "Fluency": 0.5, "Overall": 0.75} for name in ("one", "two")
    },
}
CHEN: dict[str, Any] = {
    "question_id": 152, "question": "Why?", "answers": ["So.", "So."], "system": "big",
    "annotations": [
        {"labels": ["supported", "partially", "not_supported"], "answer": "So."},
        {"labels": ["supported", "", "supported"], "answer": "So."},
    ],
}  # fmt: skip
CLAIM: dict[str, Any] = {
    "claim_string": "It is.", "evidence": ["[1] It is so."], "support": "Partial", "informativeness": "Very relevant",
    "worthiness": "Yes", "correctness": "Unsure", "reliability": "N/A",
}  # fmt: skip
EXPERT: dict[str, Any] = {
    "question": "May I?", "annotator_id": "x1", "metadata": {"field": "Law"},
    "answers": {"big": {"answer_string": "It is. Yes.", "usefulness": "Useful", "claims": [CLAIM]}},
}  # fmt: skip
SALIENT: dict[str, Any] = {
    "type": "summary", "dataset": "NQ", "question": "What?", "q_id": -26, "a_id": 1, "answer_sentences": ["A.", "B."],
    "is_summary_1": [True, False], "is_summary_2": [True, True], "is_summary_3": [False, False],
}  # fmt: skip
SUMMARY: dict[str, Any] = {
    "Worker ID": "w1", "Summary Type": "gpt", "Question": "How?", "Summary": "Thus.", "Answer": "Thus and so.",
    "Summary Fluent": "Yes", "Summary Adequacy": "Partially", "Meaning Preservation": "No",
    "Long Answer Adequacy": "Yes", "Comments": "Short.",
}  # fmt: skip
WIKI: dict[str, Any] = {
    "id": 17, "answer": "It is tall.", "context": "It is 120 m tall.", "question": "How tall?", "model": "small-7b",
    "gt_answer": "120 m.", "GPT-4o": 10, "Claude-3.5": 8, "Gemini-2.0": 8, "Human Accuracy": 5,
    "Human Informativeness": 4, "Human": 9, "Rouge L": 0.2, "BERT Score": 0.8,
}  # fmt: skip
ROLES: dict[str, Any] = {
    "dataset": "NQ", "question": "What?", "q_id": "-70", "a_id": "1", "answer_sentences": ["A.", "B."],
    "raw_role_annotation": [["Answer", "Answer", "Miscellaneous"], ["Answer - Example", "Answer", "Answer"]],
}  # fmt: skip
VALID: dict[str, Any] = {
    "is_valid": False, "dataset": "NQ", "question": "How?", "q_id": "44", "a_id": "1", "answer_paragraph": " So. ",
    "invalid_reason": [["no_valid_answer"], [""], ["no_valid_answer", "multiple_questions"]],
}  # fmt: skip
LFQA_E: dict[str, Any] = {
    "id": "1h", "question": "How?", "Concise_Reference": "So.", "student_answer_a": "Thus.", "model_answer_b": "Well.",
    "student_answer_a_vs_model_answer_b": "model_answer_b",
}  # fmt: skip
Read = Callable[[Path], Iterable[Preference | Rating]]
LAYOUTS: dict[str, tuple[Read, dict[str, Any]]] = {
    "alce-utility": (AlceUtility, ALCE),
    "ambig-lfqa": (AmbigLfqa, AMBIG),
    "chen2023": (Chen2023, CHEN),
    "expertqa": (ExpertQa, EXPERT),
    "lfqa-e": (LfqaE, LFQA_E),
    "potluri-salience": (PotluriSalience, SALIENT),
    "potluri-summary": (PotluriSummary, SUMMARY),
    "wikieval": (WikiEval, WIKI),
    "xu2022-roles": (Xu2022Roles, ROLES),
    "xu2022-validity": (Xu2022Validity, VALID),
}


def ratings(layout: str, folder: Path) -> list[Rating]:
    read, row = LAYOUTS[layout]
    return [one for one in read(write(folder, [row])) if isinstance(one, Rating)]


def said(found: Iterable[Rating]) -> list[tuple[str, str, Any, float | None]]:
    return [(one.rater, one.criterion, one.value, one.grade) for one in found]


def test_an_answer_has_a_utility_and_the_share_of_checks_it_passed(tmp_path: Path) -> None:
    [one] = ratings("alce-utility", tmp_path)
    assert (one.grade, one.system, one.criterion, one.domain) == (4.0, "asqa-big", "utility", "asqa")
    assert one.meta["scores"] == {"correctness": 0.5}


def test_one_model_on_two_datasets_is_two_systems_as_its_file_has_it(tmp_path: Path) -> None:
    other = {**ALCE, "dataset": "eli5", "system": "eli5-big.json"}
    assert len({one.system for one in AlceUtility(write(tmp_path, [ALCE, other]))}) == 2


def test_systems_that_were_compared_have_grades_and_no_texts(tmp_path: Path) -> None:
    found = ratings("ambig-lfqa", tmp_path)
    assert len(found) == 8
    assert {one.answer for one in found} == {""}
    assert {one.grade for one in found if one.criterion == "overall"} == {0.75}


def test_three_people_label_a_sentence_and_an_empty_label_is_none(tmp_path: Path) -> None:
    found = ratings("chen2023", tmp_path)
    assert [(one.rater, one.grade) for one in found] == [("1", 2.0), ("2", 1.0), ("3", 0.0), ("1", 2.0), ("3", 2.0)]
    # The same sentence twice in an answer is judged twice.
    assert len({one.item for one in judgments_from(found, study="chen")}) == 2


def test_an_expert_judges_the_answer_and_each_claim_of_it(tmp_path: Path) -> None:
    found = ratings("expertqa", tmp_path)
    assert [(one.criterion, one.grade) for one in found] == [
        ("usefulness", 2.0), ("support", 1.0), ("informativeness", 3.0), ("worthiness", 1.0), ("correctness", 2.0),
    ]  # fmt: skip
    assert [one.answer for one in found[:2]] == ["It is. Yes.", "It is."]
    assert found[1].question.evidence[0].text == "[1] It is so."
    assert {(one.rater, one.domain, one.system) for one in found} == {("x1", "Law", "big")}


@pytest.mark.parametrize("said", [None, "", "N/A"])
def test_an_answer_whose_usefulness_was_left_open_still_has_its_claims(said: str | None, tmp_path: Path) -> None:
    row = {**EXPERT, "answers": {"big": {**EXPERT["answers"]["big"], "usefulness": said}}}
    found = list(ExpertQa(write(tmp_path, [row])))
    assert [one.criterion for one in found] == ["support", "informativeness", "worthiness", "correctness"]


def test_a_claim_that_an_answer_makes_twice_is_two(tmp_path: Path) -> None:
    big = EXPERT["answers"]["big"]
    claims = [big["claims"][0], {**big["claims"][0], "support": "Missing"}]
    row = {**EXPERT, "answers": {"big": {**big, "claims": claims}}}
    found = people_from("made", list(ExpertQa(write(tmp_path, [row]))))
    assert [one.grade for one in found.graded if one.criterion == "support"] == [1.0, 0.0]


def test_a_sentence_is_core_or_not(tmp_path: Path) -> None:
    found = ratings("potluri-salience", tmp_path)
    assert [one.grade for one in found] == [1, 0, 1, 1, 0, 0]


def test_a_summary_is_rated_and_so_is_the_long_answer(tmp_path: Path) -> None:
    found = ratings("potluri-summary", tmp_path)
    assert said(found) == [
        ("w1", "adequacy", "Partially", 1.0), ("w1", "fluency", "Yes", 2.0), ("w1", "meaning", "No", 0.0),
        ("w1", "long answer adequacy", "Yes", 2.0),
    ]  # fmt: skip
    assert [one.answer for one in found[-2:]] == ["Thus.", "Thus and so."]
    assert found[0].question.references == ("Thus and so.",)


def test_people_and_model_judges_stand_side_by_side(tmp_path: Path) -> None:
    found = ratings("wikieval", tmp_path)
    assert [(one.criterion, one.grade) for one in found] == [("overall", 9), ("accuracy", 5), ("informativeness", 4)]
    assert found[0].meta["scores"]["GPT-4o"] == 10
    assert found[0].question.references == ("120 m.",)


def test_a_role_has_no_grade(tmp_path: Path) -> None:
    found = ratings("xu2022-roles", tmp_path)
    assert len(found) == 6
    assert {one.grade for one in found} == {None}


def test_who_gives_no_reason_finds_an_answer_valid(tmp_path: Path) -> None:
    found = ratings("xu2022-validity", tmp_path)
    assert [(one.value, one.comment) for one in found] == [
        (False, "no_valid_answer"), (True, ""), (False, "no_valid_answer, multiple_questions"),
    ]  # fmt: skip


@pytest.mark.parametrize("layout", ["potluri-salience", "xu2022-roles", "xu2022-validity"])
def test_people_and_models_of_two_datasets_answer_one_question(layout: str, tmp_path: Path) -> None:
    read, row = LAYOUTS[layout]
    rows = [{**row, "dataset": "ELI5", "a_id": "ca2m2in"}, {**row, "dataset": "ELI5_MODEL", "a_id": "p60_random"}]
    found = [one for one in read(write(tmp_path, rows)) if isinstance(one, Rating)]
    assert len({one.question.id for one in found}) == 1
    assert {one.domain for one in found} == {"ELI5", "ELI5_MODEL"}


@pytest.mark.parametrize("layout", ["potluri-salience", "xu2022-roles", "xu2022-validity"])
def test_an_answer_id_is_the_name_of_a_system_only_among_answers_of_models(layout: str, tmp_path: Path) -> None:
    read, row = LAYOUTS[layout]
    others = [{**row, "dataset": "ELI5", "a_id": id} for id in ("ca2m2in", "dpmf1xr")]
    models = [{**row, "dataset": "ELI5_MODEL", "a_id": id} for id in ("p60_random", "p90_random")]
    found = [one for one in read(write(tmp_path, [row, *others, *models])) if isinstance(one, Rating)]
    assert {one.system for one in found} == {"human-NQ", "human-ELI5", "p60_random", "p90_random"}
    # Answers of one writer to one question stay apart, also where they say the same.
    assert len({one.item for one in judgments_from(found, study="all")}) == 5 * len({one.answer for one in found})


def test_people_and_models_are_compared_by_the_name_of_the_field(tmp_path: Path) -> None:
    [one] = LfqaE(write(tmp_path, [LFQA_E]))
    assert (one.a_system, one.b_system, one.choice) == ("human-a", "model-b", "b")


def test_a_rating_becomes_a_judgment(tmp_path: Path) -> None:
    [first, *_] = judgments_from(ratings("wikieval", tmp_path), study="wiki")
    assert (first.study, first.question_id, first.a, first.value, first.choice) == ("wiki", "17", "small-7b", 9, None)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("other", LAYOUTS)
def test_a_file_of_another_layout_is_refused(layout: str, other: str, tmp_path: Path) -> None:
    if layout != other:
        with pytest.raises(BadInput, match=r"judgments\.jsonl, line 1: not in the layout"):
            list(LAYOUTS[layout][0](write(tmp_path, [LAYOUTS[other][1]])))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_list_and_a_packed_file_read_the_same_as_lines(layout: str, tmp_path: Path) -> None:
    read, row = LAYOUTS[layout]
    expected = list(read(write(tmp_path, [row])))
    listed, packed = tmp_path / "list.json", tmp_path / "packed.jsonl.gz"
    listed.write_text(json.dumps([row]), encoding="utf-8")
    packed.write_bytes(gzip.compress(json.dumps(row).encode()))
    assert list(read(listed)) == list(read(packed)) == expected


@pytest.mark.parametrize(
    ("layout", "change", "message"),
    [
        ("alce-utility", {"utility_score": True}, "expected a number"),
        ("ambig-lfqa", {"scores": {"one": {}}}, "no 'Overall'"),
        ("chen2023", {"annotations": [{"labels": ["maybe"], "answer": "So."}]}, "unknown value 'maybe'"),
        ("expertqa", {"answers": {"big": {**EXPERT["answers"]["big"], "usefulness": "Nice"}}}, "unknown value 'Nice'"),
        ("lfqa-e", {"student_answer_a_vs_model_answer_b": "both"}, "unknown choice 'both'"),
        ("potluri-salience", {"is_summary_2": [True]}, "line 1"),
        ("potluri-summary", {"Summary Fluent": "Perhaps"}, "unknown value 'Perhaps'"),
        ("wikieval", {"Human": "good"}, "expected a number"),
        ("xu2022-roles", {"raw_role_annotation": [["Answer"]]}, "line 1"),
        ("xu2022-validity", {"invalid_reason": "none"}, "expected a list"),
    ],
)
def test_a_wrong_value_is_named(layout: str, change: dict[str, Any], message: str, tmp_path: Path) -> None:
    read, row = LAYOUTS[layout]
    with pytest.raises(BadInput, match=message):
        list(read(write(tmp_path, [{**row, **change}])))


@pytest.mark.skipif(not plugins.names("ratings"), reason="the entry points are not installed")
def test_specs_keep_questions_and_judgments_apart(tmp_path: Path) -> None:
    path = write(tmp_path, [WIKI])
    assert len(list(open_judged(f"wikieval:{path}"))) == 3
    with pytest.raises(UserError, match="holds judgments of single answers, not questions"):
        open_dataset(f"wikieval:{path}")
    with pytest.raises(UserError, match=r"holds questions, not judgments.*wikieval"):
        open_judged(f"asqa:{path}")


def test_the_datasets_command_looks_into_ratings(capsys: Capture, tmp_path: Path) -> None:
    spec = f"wikieval:{write(tmp_path, [WIKI])}"
    facts = as_json(capsys, "datasets", "info", spec)
    assert (facts["judgments"], facts["values"]) == (3, {"9": 1, "5": 1, "4": 1})
    assert "overall: 9" in succeed(capsys, "datasets", "sample", spec)
    assert "informativeness" in succeed(capsys, "datasets", "stats", spec)


@pytest.mark.parametrize(
    ("layout", "name", "count"),
    [
        ("alce-utility", "alce_human_utility_1to5_400", 400),
        ("ambig-lfqa", "ambig_lfqa_asqa_system_pairs_6", 6 * 2 * 4),
        ("chen2023", "chen2023_attribution_sentence_labels_300", 3 * 1947),
        ("expertqa", "expertqa_claim_level_judgments_240", 240 + 2 * 1364 + 3 * 1433),
        ("lfqa-e", "lfqa_e_english_sample_6", 6),
        ("potluri-salience", "potluri2023_salient_sentence_annotation_570", 3 * 3523),
        ("potluri-summary", "potluri2023_summary_human_eval_1056", 4 * 1056),
        ("wikieval", "wikieval_human_accuracy_informativeness_175", 3 * 175),
        ("xu2022-roles", "xu2022_functional_roles_357", 3 * 2396),
        ("xu2022-validity", "xu2022_answer_validity_806", 3 * 806),
    ],
)
def test_the_real_files_are_read_whole(layout: str, name: str, count: int) -> None:
    path = SHARED / "data" / "human_judgments" / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip("needs ../shared/data")
    found = list(LAYOUTS[layout][0](path))
    assert len(found) == count


def test_three_people_agree_on_support_as_statsmodels_says() -> None:
    path = GOLDEN / "agreement" / "chen2023_three_annotators.json"
    if not path.exists():
        pytest.skip("needs ../shared/golden")
    want = json.loads(path.read_text(encoding="utf-8"))["expected"]
    found = Chen2023(SHARED / "data" / "human_judgments" / "chen2023_attribution_sentence_labels_300.jsonl.gz")
    [support] = analyze(judgments_from(found, study="chen2023"), Settings(samples=2)).overall.values
    assert support.agreement.units == want["sentences"]
    assert support.agreement.fleiss.value == pytest.approx(want["fleiss_kappa"])
