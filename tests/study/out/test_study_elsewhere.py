"""Answers from and for other tools: Label Studio, sheets, and the layouts of the papers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from expound.datasets.spec import open_dataset
from expound.errors import BadInput, UserError
from expound.study.design.form_table import find_form
from expound.study.design.items import View
from expound.study.engine.intake import take_in
from expound.study.engine.opened import Study
from expound.study.forms.masking import mask_references
from expound.study.out.analyzing import analyze_source
from expound.study.out.exports import export_text
from expound.study.out.judgments import judgments_of
from expound.study.out.label_studio import read_annotations
from expound.study.out.sheet import read_sheet
from study import study_helpers
from study.study_helpers import GOOD, Browse, Make, join, judge_all


def annotated(study: Study, tmp_path: Path, **choices: str) -> Path:
    """What Label Studio would export after two people labelled every task."""
    return labelled(study, tmp_path, **{name: {"choices": [label]} for name, label in choices.items()})


def labelled(study: Study, tmp_path: Path, **values: Any) -> Path:
    """The same for any kind of control."""
    tasks = json.loads(export_text(study, "label-studio.json"))
    for task in tasks:
        results = [{"from_name": name, "value": value} for name, value in values.items()]
        task["annotations"] = [{"completed_by": person, "lead_time": 12.5, "result": results} for person in (7, 8)]
    path = tmp_path / "labelled.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def test_label_studio_gets_blind_tasks_and_gives_judgments_back(make: Make, tmp_path: Path) -> None:
    study = make("hurdles-ab")
    text = export_text(study, "label-studio.json") + export_text(study, "label-studio.xml")
    assert "zebra" not in text
    path = annotated(study, tmp_path, overall="Answer A", factual="Tie")
    assert take_in(study, read_annotations(path, study)) == 6
    assert take_in(study, read_annotations(path, study)) == 0  # the same file again
    overall = [one for one in judgments_of(study) if one.criterion == "overall"]
    assert len(overall) == 6
    assert all(one.choice == one.shown[0] and one.seconds == 12.5 for one in overall)


def test_a_label_studio_configuration_is_a_form(make: Make, tmp_path: Path) -> None:
    study = make("expert-preference")
    path = tmp_path / "config.xml"
    path.write_text(export_text(study, "label-studio.xml"), encoding="utf-8")
    form = find_form("config.xml", folder=tmp_path)
    ours = find_form("expert-preference").fields(View(""))
    theirs = form.fields(View(""))
    assert [(field.name, field.kind, field.label) for field in theirs] == [
        (field.name, field.kind, field.label) for field in ours
    ]


PAIRWISE = """<View>
  <Header value="Select one of two items"/>
  <Pairwise name="pw" toName="txt1,txt2"/>
  <Text name="txt1" value="$text1"/>
  <Text name="txt2" value="$text2"/>
</View>"""

RATED = """<View>
  <Text name="question" value="$question"/><Text name="one" value="$left"/><Text name="two" value="$right"/>
  <Header value="How good is the first?"/><Rating name="good_left" toName="one" maxRating="4" required="true"/>
  <Header value="How good is the second?"/><Rating name="good_right" toName="two" maxRating="4"/>
  <Header value="Which one?"/><Choices name="which" toName="question" choice="single" required="true">
    <Choice value="Left"/><Choice value="Right"/><Choice value="Can't say"/></Choices>
</View>"""


def test_label_studios_own_template_of_two_texts_is_a_form(make: Make, tmp_path: Path) -> None:
    (tmp_path / "pairwise.xml").write_text(PAIRWISE, encoding="utf-8")
    (field,) = find_form("pairwise.xml", folder=tmp_path).fields(View(""))
    assert (field.kind, field.values, field.required) == ("side", ("left", "right"), True)
    study = make("pairwise.xml")
    path = labelled(study, tmp_path, pw={"selected": "right"})
    assert take_in(study, read_annotations(path, study)) == 6
    assert all(one.choice == one.shown[1] for one in judgments_of(study))


def test_stars_and_left_and_right_are_asked_and_taken_in(make: Make, tmp_path: Path) -> None:
    (tmp_path / "rated.xml").write_text(RATED, encoding="utf-8")
    study = make("rated.xml")
    path = labelled(
        study, tmp_path, good_left={"rating": 4}, good_right={"rating": 2}, which={"choices": ["Can't say"]}
    )
    assert take_in(study, read_annotations(path, study)) == 6
    found = [(one.criterion, one.value, one.choice) for one in judgments_of(study)][:3]
    assert found == [("which", None, "tie"), ("good", 4, None), ("good", 2, None)]
    said = list(judgments_of(study))
    assert said[1].a == {"ab": said[0].a, "ba": said[0].b}[said[0].shown]  # stars are the system's


def test_one_text_is_judged_by_itself(tmp_path: Path) -> None:
    text = '<View><Text name="t" value="$t"/><Rating name="stars" toName="t"/></View>'
    (tmp_path / "stars.xml").write_text(text, encoding="utf-8")
    form = find_form("stars.xml", folder=tmp_path)
    assert form.makes == "answers"
    assert form.fields(View(""))[0].values == ("1", "2", "3", "4", "5")


PREFERENCE = """<View>
  <Header value="Prompt"/><Text name="prompt" value="$prompt"/>
  <Pairwise name="comparison" toName="answer1, answer2" leftClass="answer1" rightClass="answer2"/>
  <Text name="answer1" value="$answer1"/><Text name="answer2" value="$answer2"/>
  <Header>How helpful is it?</Header>
  <Rating name="helpful_left" toName="answer1"/><Rating name="helpful_right" toName="answer2"/>
</View>"""


def test_a_prompt_is_no_answer_and_a_header_may_be_written_as_text(make: Make, tmp_path: Path) -> None:
    (tmp_path / "preference.xml").write_text(PREFERENCE, encoding="utf-8")
    study = make("preference.xml")
    fields = study.form.fields(View(""))
    assert [(field.label, field.kind, field.about) for field in fields] == [
        ("comparison", "side", ""),
        ("How helpful is it? (Answer A)", "choice", "left"),
        ("How helpful is it? (Answer B)", "choice", "right"),
    ]
    path = labelled(study, tmp_path, comparison={"selected": "answer2"})
    assert take_in(study, read_annotations(path, study)) == 6
    said = [one for one in judgments_of(study) if one.criterion == "comparison"]
    assert len(said) == 6
    assert all(one.choice == one.shown[1] for one in said)


def test_an_answer_with_its_documents_is_judged_by_itself(tmp_path: Path) -> None:
    texts = "".join(f'<Text name="{name}" value="${name}"/>' for name in ("question", "context", "answer"))
    (tmp_path / "one.xml").write_text(f'<View>{texts}<Rating name="good" toName="answer"/></View>', encoding="utf-8")
    form = find_form("one.xml", folder=tmp_path)
    assert (form.makes, form.fields(View(""))[0].about) == ("answers", "")


@pytest.mark.parametrize(
    ("control", "told"),
    [
        (("Left", "Right", "Both", "Neither"), "offers Left, Right, Both, Neither: a comparison has the left answer"),
        (("B is better", "A is better"), "in this order"),
    ],
)
def test_sides_that_would_become_values_are_refused(control: tuple[str, ...], told: str, tmp_path: Path) -> None:
    choices = "".join(f'<Choice value="{label}"/>' for label in control)
    text = f'<View><Text name="x" value="$x"/><Choices name="which" toName="x">{choices}</Choices></View>'
    (tmp_path / "sides.xml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=told):
        find_form("sides.xml", folder=tmp_path)


@pytest.mark.parametrize("labels", [("1", "2", "3"), ("Level 1", "Level 2"), ("Grade A", "Grade B", "Grade C")])
def test_values_that_only_look_like_sides_stay_values(labels: tuple[str, ...], tmp_path: Path) -> None:
    choices = "".join(f'<Choice value="{label}"/>' for label in labels)
    text = f'<View><Text name="x" value="$x"/><Choices name="how" toName="x">{choices}</Choices></View>'
    (tmp_path / "values.xml").write_text(text, encoding="utf-8")
    (field,) = find_form("values.xml", folder=tmp_path).fields(View(""))
    assert (field.kind, field.values) == ("choice", labels)


def test_what_a_configuration_asks_and_we_cannot_is_refused(tmp_path: Path) -> None:
    text = '<View><Text name="t" value="$t"/><Taxonomy name="x" toName="t"/></View>'
    (tmp_path / "odd.xml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"asks by <Taxonomy>, which no form of ours has"):
        find_form("odd.xml", folder=tmp_path)
    text = '<View><Text name="t" value="$t"/><Rating name="x" toName="t" maxRating="many"/></View>'
    (tmp_path / "odd.xml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"maxRating must be a number of stars, found 'many'"):
        find_form("odd.xml", folder=tmp_path)


def test_a_form_that_label_studio_cannot_show_says_why(make: Make) -> None:
    with pytest.raises(UserError, match="captured_left is of another kind"):
        export_text(make("asqa-pairwise"), "label-studio.xml")


def test_annotations_of_unknown_items_are_refused_and_nothing_is_taken_in(make: Make, tmp_path: Path) -> None:
    study = make("hurdles-ab")
    path = annotated(study, tmp_path, overall="Answer A")
    tasks = json.loads(path.read_text(encoding="utf-8"))
    tasks[2]["data"]["item"] = "lost"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    with pytest.raises(BadInput, match=r"task 3: the study has no item 'lost'"):
        take_in(study, read_annotations(path, study))
    assert list(judgments_of(study)) == []


def test_a_filled_in_sheet_is_taken_in(make: Make, tmp_path: Path) -> None:
    study = make("asqa-pairwise")
    sheet = export_text(study, "sheet.csv")
    assert "zebra" not in sheet
    rows = list(csv.DictReader(io.StringIO(sheet)))
    for row in rows:
        row |= {"rater": "Ann", "captured_left": "0; 1", "resolving": "left", "fluency": "tie", "overall": "right"}
    path = tmp_path / "filled.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert take_in(study, read_sheet(path)) == 3
    boxes = [one.value for one in judgments_of(study) if one.criterion == "captured"]
    assert boxes.count([True, True]) == 3
    rows[1]["overall"] = "neither"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "rater": "Bob"} for row in rows)
    with pytest.raises(BadInput, match=r"row 3: Please answer: Which answer is better overall"):
        take_in(study, read_sheet(path))


def test_a_spreadsheet_takes_no_question_for_a_formula(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    call = '=HYPERLINK("http://x")'
    monkeypatch.setattr(study_helpers, "QUESTIONS", [{**one, "question": call} for one in study_helpers.QUESTIONS])
    rows = csv.DictReader(io.StringIO(export_text(make("asqa-pairwise"), "sheet.csv")))
    assert {row["question"] for row in rows} == {f"'{call}"}


def test_written_answers_come_out_in_asqas_layout_and_can_be_read_back(
    make: Make, browse: Browse, tmp_path: Path
) -> None:
    study = make("asqa-write", overlap=2, systems=())
    for _ in range(2):
        browser = browse(study)
        judge_all(browser, join(browser, study), long_answer="Charles, then Louis.")
    path = tmp_path / "asqa.json"
    path.write_text(export_text(study, "asqa.json"), encoding="utf-8")
    questions = list(open_dataset(f"asqa:{path}"))
    assert len(questions) == 3
    assert questions[0].references == ("Charles, then Louis.",) * 2


def test_readings_come_out_in_ambignqs_layout_and_can_be_read_back(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make("ambig-generate", overlap=1, systems=())
    browser = browse(study)
    readings = {"readings.question": ["Before?", "After?"], "readings.answers": ["Charles\nCharles X", "Louis"]}
    judge_all(browser, join(browser, study), **readings)
    path = tmp_path / "ambignq.json"
    path.write_text(export_text(study, "ambignq.json"), encoding="utf-8")
    (first, *_) = open_dataset(f"ambignq:{path}")
    assert [reading.answers for reading in first.interpretations] == [("Charles", "Charles X"), ("Louis",)]


@pytest.mark.parametrize(
    ("text", "masked", "targets"),
    [
        ("Answer A is better than Answer B.", "Answer <extra_id_0> is better than Answer <extra_id_1>.", ["A", "B"]),
        ("I prefer option B", "I prefer Answer <extra_id_0>", ["B"]),
        ("A is clear. B rambles.", "Answer <extra_id_0> is clear. Answer <extra_id_1> rambles.", ["A", "B"]),
        ("A clear example helps.", "A clear example helps.", []),
        ("It names a vitamin, b or c.", "It names a vitamin, b or c.", []),
    ],
)
def test_references_to_the_answers_are_masked(text: str, masked: str, targets: list[str]) -> None:
    assert mask_references(text) == (masked, targets)


def test_masked_justifications_leave_out_those_without_a_reference(make: Make, browse: Browse) -> None:
    study = make("expert-preference", overlap=2)
    for why in ("Answer A names both kings and the years, which nobody else does.", "because " * 12):
        browser = browse(study)
        judge_all(browser, join(browser, study), overall="left", difficult="no", justification=why)
    records = [json.loads(line) for line in export_text(study, "masked.jsonl").splitlines()]
    assert len(records) == 3
    assert records[0]["targets"] == ["A"]


def test_a_spreadsheet_takes_no_comment_for_a_formula(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study), **GOOD, comment='=HYPERLINK("http://x")')
    rows = list(csv.DictReader(io.StringIO(export_text(study, "judgments.csv"))))
    assert {row["comment"] for row in rows} == {"", '\'=HYPERLINK("http://x")'}


def test_a_spreadsheet_takes_nothing_of_a_sheet_for_a_formula_and_gives_its_items_back(
    make: Make, tmp_path: Path
) -> None:
    formula, items, filled = "=cmd|' /C calc'!A0", tmp_path / "own.jsonl", tmp_path / "filled.csv"
    pair = [{"system": "x", "text": formula}, {"system": "y", "text": "@SUM(A1)"}]
    items.write_text(json.dumps({"id": "-7x", "question": formula, "candidates": pair}), encoding="utf-8")
    study = make("eli5-preference", items=items)
    (row,) = csv.DictReader(io.StringIO(export_text(study, "sheet.csv")))
    assert not [value for value in row.values() if value.startswith(("=", "+", "-", "@"))]
    with filled.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow({**row, "rater": "Ann", "overall": "left"})
    assert take_in(study, read_sheet(filled)) == 1


def test_published_judgments_can_be_analyzed_as_a_study(tmp_path: Path) -> None:
    line = {"id": 1, "q_id": "x", "question_text": "Why?", "answer1": "One.", "answer2": "Two words.",
            "answer1_label": "HMM[3]", "BetterAnswer": "Answer B", "DifficultToChoose": "No.", "domain": "physics",
            "comments": "B is right.", "annotator_file": "p1", "lead_time": 30.0}  # fmt: skip
    path = tmp_path / "xu.jsonl"
    path.write_text(json.dumps(line) + "\n" + json.dumps({**line, "annotator_file": "p2"}) + "\n", encoding="utf-8")
    analysis = analyze_source(f"xu2023:{path}", samples=20)
    assert analysis.overall.choices[0].judgments == 2
    assert analysis.systems == ("human", "model")
