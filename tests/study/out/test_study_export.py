"""What leaves a study: nothing that a rater sent is missing, and it can be read back and analyzed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from expound.records import read_judgments
from expound.study.out.analyzing import analyze_source, analyze_study
from expound.study.out.exports import export_file, export_text
from expound.study.out.judgments import judgments_of
from expound.study.out.lines import judgment_table
from study.study_helpers import GOOD, OWN, WHY, Browse, Make, action_of, fill, join, judge_all

WRITTEN: dict[str, tuple[dict[str, Any], list[str]]] = {
    "asqa-pairwise": ({**GOOD, "comment": "said so"}, ["said so"]),
    "expert-preference": ({"overall": "left", "difficult": "no", "justification": WHY}, [WHY]),
    "coding": ({"spans": "hallucination: Answer text", "comment": "a slip"}, ["Answer text", "a slip"]),
    "asqa-write": (
        {
            "long_answer": "Charles, then Louis.",
            "knowledge.content": ["He fled."],
            "knowledge.source": ["A page"],
            "comment": "easy",
        },
        ["Charles, then Louis.", "He fled.", "A page", "easy"],
    ),
    "ambig-generate": (
        {"readings.question": ["Before?", "After?"], "readings.answers": ["Charles\nCharles X", "Louis"]},
        ["Before?", "After?", "Charles", "Charles X", "Louis"],
    ),
    "eli5-rating": ({"fluency": "4", "correct": "no", "relevant": "yes", "comment": "hm"}, ["hm"]),
}


def leaves(value: Any) -> list[Any]:
    """Every text and number inside."""
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in leaves(one)]
    return [leaf for one in value for leaf in leaves(one)] if isinstance(value, list) else [value]


@pytest.mark.parametrize("form", WRITTEN)
def test_every_word_that_was_sent_is_in_a_judgment(form: str, make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make(form, overlap=1)
    sent, words = WRITTEN[form]
    browser = browse(study)
    judge_all(browser, join(browser, study), **sent)
    out = tmp_path / "judgments.jsonl"
    assert export_file(study, out) > 0
    found = [leaf for one in read_judgments(out) for leaf in leaves([one.value, one.comment])]
    assert set(words) <= set(found)


def test_boxes_of_an_answer_are_one_value_of_its_system(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study), **GOOD)
    boxes = [one for one in judgments_of(study) if one.criterion == "captured"]
    assert {one.item for one in boxes} == {"q1", "q2", "q3"}
    for one in boxes:
        left = "zebra" if one.shown == "ab" else "quokka"
        assert one.value == ([True, True] if one.a == left else [False, False])


def test_a_form_with_a_text_of_its_own_keeps_the_comment_too(make: Make, browse: Browse, tmp_path: Path) -> None:
    (tmp_path / "kind.toml").write_text(OWN, encoding="utf-8")
    study = make("kind.toml", overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study), kinder="tie", why="Both are.", comment="Too short.")
    found = {one.criterion: (one.choice, one.value, one.comment) for one in judgments_of(study)}
    assert found == {"kinder": ("tie", None, "Both are."), "comment": (None, {"text": "Too short."}, "")}


def test_answers_have_every_version_and_the_checks(make: Make, browse: Browse, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    pair = [{"system": "x", "text": "Good."}, {"system": "y", "text": "Bad."}]
    gold.write_text(json.dumps({"id": "g", "question": "?", "candidates": pair, "expected": {"overall": "a"}}))
    study = make("eli5-preference", overlap=1, checks={"gold": gold}, gold_every=1)
    browser = browse(study)
    page = join(browser, study)
    first = action_of(page)
    judge_all(browser, page, overall="left")
    again = browser.get(first).text
    browser.post(first, data=fill(again, overall="right"))
    records = [json.loads(line) for line in export_text(study, "answers.jsonl").splitlines()]
    assert sorted((one["kind"], one["version"]) for one in records) == [
        ("gold", 1), ("main", 1), ("main", 1), ("main", 1), ("main", 2),
    ]  # fmt: skip
    changed = next(one for one in records if one["version"] == 2)
    assert changed["answers"] == {"overall": "right"}
    assert len(list(judgments_of(study))) == 3


@pytest.mark.parametrize(
    ("form", "sent", "counts"),
    [
        ("asqa-pairwise", {**GOOD, "comment": "two\nlines"}, {"judgments.csv": 15, "sheet.csv": 3, "answers.jsonl": 3}),
        ("asqa-write", {"long_answer": "Charles, then Louis."}, {"asqa.json": 3}),
        ("ambig-generate", {"readings.question": [""], "readings.answers": ["Louis"]}, {"ambignq.json": 3}),
        ("eli5-preference", {"overall": "left"}, {"label-studio.json": 3, "label-studio.xml": 1, "messages.jsonl": 0}),
    ],
)
def test_an_export_says_how_many_records_it_holds(
    form: str, sent: dict[str, Any], counts: dict[str, int], make: Make, browse: Browse, tmp_path: Path
) -> None:
    study = make(form, overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study), **sent)
    for name, count in counts.items():
        assert export_file(study, tmp_path / name) == count, name
        assert json.loads((tmp_path / f"{name}.manifest.json").read_text(encoding="utf-8"))["count"] == count


def test_questions_to_the_researchers_are_exported(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser = browse(study)
    page = join(browser, study)
    browser.post(action_of(page) + "/park", data=fill(page, question_to_admin="Which king?"))
    (record,) = (json.loads(line) for line in export_text(study, "messages.jsonl").splitlines())
    assert (record["kind"], record["text"], record["rater"]) == ("question", "Which king?", "r01")


def test_the_table_holds_what_the_lines_hold(make: Make, browse: Browse) -> None:
    study = make("asqa-write", overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study), long_answer="Charles, then Louis.")
    rows = list(csv.DictReader(io.StringIO(judgment_table(study))))
    assert [json.loads(row["value"]) for row in rows if row["criterion"] == "long_answer"] == [
        {"text": "Charles, then Louis."}
    ] * 3


def test_what_was_written_is_not_counted_as_a_label(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make("coding", overlap=2)
    for words in ("Answer", "text"):
        browser = browse(study)
        judge_all(browser, join(browser, study), spans=f"repetition: {words}")
    names = [values.criterion for values in analyze_study(study, samples=10).overall.values]
    assert "spans" not in names
    assert "spans: repetition" in names
    out = tmp_path / "judgments.jsonl"
    export_file(study, out)
    assert analyze_source(str(out), samples=10).overall.raters == ("r01", "r02")


def test_a_study_of_writers_is_analyzed_by_its_time(make: Make, browse: Browse) -> None:
    study = make("asqa-write", overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study), long_answer="Charles, then Louis.")
    section = analyze_study(study, samples=10).overall
    assert (section.items, section.raters) == (3, ("r01",))
    assert section.pace is not None
