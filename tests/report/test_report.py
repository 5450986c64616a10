"""A report says every number, which differences are real, and holds every answer; no text in it is obeyed."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import re
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from commands import Capture, fail, succeed
from expound.errors import BadInput, UserError
from expound.experiment import run
from expound.report.answer_concerns import Concerns
from expound.report.browse_data import chunks, is_supported
from expound.report.gathering import report
from expound.report.people import hear_people
from expound.report.report_formats import FORMATS, report_record, report_text, write_report
from expound.report.report_page import page_parts, report_page
from expound.report.report_request import ReportRequest
from expound.report.scatter_pictures import share_held
from expound.report.sources import find_sources
from expound.report.summary_table import told_differences
from expound.runs.plan import plan_from
from expound.score.citations import CitedSentence
from expound.types import Answer, Direct, Evidence, Interpretation, Passage, Prediction, Question
from report.report_world import HOSTILE, METRICS, reported, write_judged, write_judgments, write_world

AUDIT = {
    "metric": "str_em",
    "sections": [
        {
            "verdicts": [
                {"outcome": "fail", "check": "swapped", "sentence": "Swapped answers keep it. Lost (str_em): 3 %."},
                {"outcome": "pass", "check": "empty", "sentence": "Nearly all questions have an answer."},
            ]
        }
    ],
}


def unpacked(packed: str) -> Any:
    return json.loads(gzip.decompress(b64decode(packed)))


def test_a_sure_difference_has_a_letter_and_is_said_in_words(tmp_path: Path) -> None:
    found = reported(tmp_path)
    assert found.systems[0].results["str_em"].value == 100
    assert found.systems[1].results["str_em"].value == 50
    assert found.beaten("both", "str_em") == ["b"]
    assert found.beaten("one", "str_em") == []
    assert told_differences(found)[0] == "str_em: both is above one by 50.0 (95 %: 50.0 to 50.0)."


def test_what_is_above_nearly_all_says_so_in_few_words(tmp_path: Path) -> None:
    spec, (both, one) = write_world(tmp_path)
    others = [tmp_path / f"a-system-with-quite-a-long-name-{number}.jsonl" for number in range(5)]
    for file in others:
        file.write_bytes(one.read_bytes())
    found = report(ReportRequest(sources=[both, *others], dataset=spec, metrics=("StrEm()",)))
    assert told_differences(found) == ["str_em: a is above all others. 5 of 15 differences are sure."]
    # Cut off, the names of all pairs would be the same.
    assert all(f">a / {letter}</text>" in report_page(found) for letter in "bcdef")
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(both.read_bytes())
    found = report(ReportRequest(sources=[both, copy, *others], dataset=spec, metrics=("StrEm()",)))
    assert told_differences(found)[0].startswith("str_em: a is above all but b; b is above all but a.")


def test_a_difference_that_may_be_chance_has_none(tmp_path: Path) -> None:
    found = reported(tmp_path, n=3)
    assert found.beaten("both", "str_em") == []
    assert "no difference is sure" in told_differences(found)[0]


def test_a_p_value_is_not_rounded_to_the_level_that_it_misses(tmp_path: Path) -> None:
    found = reported(tmp_path, n=3)
    near = replace(found, comparisons=[replace(one, p_holm=0.0504) for one in found.comparisons])
    assert told_differences(near)[0].endswith("may be chance (p = 0.0504).")


def test_bounds_stand_beside_the_systems(tmp_path: Path) -> None:
    found = reported(tmp_path)
    trivial, people = found.bounds.values()
    assert trivial["str_em"].value == 0
    assert people["str_em"].value == 100


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_has_every_number(format: str, tmp_path: Path) -> None:
    text = report_text(reported(tmp_path), format)
    assert all(number in text for number in ("100", "50"))
    assert ("str_em" if format != "latex" else r"str\_em") in text


def test_csv_has_a_row_a_number_in_full(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(report_text(reported(tmp_path), "csv"))))
    assert [(row["system"], row["metric"]) for row in rows] == [
        ("both", "str_em"), ("both", "length"), ("one", "str_em"), ("one", "length"),
    ]  # fmt: skip
    assert rows[0]["signature"].startswith("str_em|")
    assert rows[0]["above"] == "b"


def test_latex_is_ready_to_paste(tmp_path: Path) -> None:
    text = report_text(reported(tmp_path), "latex")
    assert r"100.0$^{b}$ {\scriptsize [100.0, 100.0]}" in text
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")
    assert r"\caption{12 questions of qa:questions.jsonl; brackets hold bootstrap intervals of 95 \%" in text


def test_a_name_is_no_latex_command(tmp_path: Path) -> None:
    dataset, [both, one] = write_world(tmp_path)
    odd = both.rename(tmp_path / r"\input{x}_&.jsonl")
    found = reported(tmp_path / ".", sources=[odd, one], dataset=dataset)
    assert r"\textbackslash{}input\{x\}\_\&" in report_text(found, "latex")


def test_runs_of_one_plan_are_called_by_their_folders_and_others_by_their_plans(tmp_path: Path) -> None:
    record = json.dumps({"name": "echo", "spec": {}, "results": []})
    for folder, name in (("first", "echo"), ("second", "echo"), ("third", "other")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "scores.json").write_text(record.replace("echo", name), encoding="utf-8")
    folders = [tmp_path / folder for folder in ("first", "second", "third")]
    assert [one.name for one in find_sources(folders)] == ["first", "second", "other"]
    assert [one.name for one in find_sources(folders[1:])] == ["echo", "other"]
    assert [one.name for one in find_sources(folders[1:], ["mine", "yours"])] == ["mine", "yours"]
    with pytest.raises(UserError, match="the same run is named twice"):
        find_sources([folders[0], folders[0]])


def test_the_record_has_no_number_that_json_lacks(tmp_path: Path) -> None:
    record = report_record(reported(tmp_path, n=1))
    assert json.loads(json.dumps(record, allow_nan=False)) == record


@pytest.mark.usefixtures("punkt_file")
def test_a_run_knows_its_dataset_and_its_audit(tmp_path: Path) -> None:
    dataset, _ = write_world(tmp_path, n=2)
    plan = plan_from({"name": "echo", "dataset": dataset, "retrieve": "Nothing", "clarify": "AsAsked",
                      "answer": "RepeatQuestion(times=2)", "score": ["answer-only"]}, where="plan")  # fmt: skip
    folder = run(plan, tmp_path / "run").folder
    (folder / "audit").mkdir()
    (folder / "audit" / "audit.json").write_text(json.dumps(AUDIT))
    found = reported(tmp_path, n=2, sources=[folder], dataset="")
    [system] = found.systems
    assert system.name == "echo"
    assert system.results["str_em"].per_question
    # What the run scored by another profile is shown as it was recorded.
    assert set(system.results) > {"str_em", "length"}
    assert system.verdicts
    assert "not believable: Swapped answers keep it." in report_text(found, "csv")
    shown = report_page(found)
    assert "Nearly all questions have an answer." in shown
    # Said below the table: a cell of it only counts.
    assert "Not believable, says the audit" in shown
    assert "fail: Swapped answers keep it." not in shown
    assert "fail: Swapped answers keep it." in report_text(found, "markdown")


def test_an_audit_is_made_where_there_is_none(tmp_path: Path) -> None:
    [system, _] = reported(tmp_path, audit=True, metrics=("StrEm()", "Length()")).systems
    assert system.verdicts
    assert "empty-answers" in [check for _, check, _ in system.verdicts.found]


def test_people_are_heard_and_held_beside_metrics(tmp_path: Path) -> None:
    found = reported(tmp_path, people=[write_judgments(tmp_path)])
    assert found.people
    assert found.people.points["overall"]["both"].value == pytest.approx(100 * 11 / 12)
    assert found.people.agreement["overall"]["str_em"].value == pytest.approx(11 / 12)
    assert "12 judgments by 1 person." in report_page(found)


def test_a_metric_without_a_number_agrees_with_nobody(tmp_path: Path) -> None:
    found = reported(tmp_path, people=[write_judgments(tmp_path)])
    assert found.people
    systems = [
        replace(system, results={"m": replace(next(iter(system.results.values())), per_question=numbers)})
        for system in found.systems
        for numbers in [dict.fromkeys(next(iter(system.results.values())).per_question, math.nan)]
    ]
    assert hear_people(found.people.judgments, systems, seed=0).agreement == {"overall": {}}


def test_the_metric_that_agrees_with_people_is_named(tmp_path: Path) -> None:
    page = report_page(reported(tmp_path, people=[write_judgments(tmp_path)]))
    assert "of the metrics, str_em agrees best with people, in 92 % of 12 choices" in page


def test_a_judge_has_its_audit_in_its_row_and_is_no_person(tmp_path: Path) -> None:
    files = [write_judged(tmp_path), write_judgments(tmp_path)]
    found = reported(tmp_path, people=files)
    [judge] = found.judges
    assert (judge.judge, judge.judgments) == ("Pairwise() by small", 12)
    assert judge.agrees.value == pytest.approx(11 / 12)
    assert (judge.verdict, judge.failed) == ("fails: order flips", ("order flips 0.40 [0.30, 0.50] (at most 0.2)",))
    assert found.people
    assert {one.rater for one in found.people.judgments} == {"Ann"}
    assert "fails: order flips; order flips 0.40" in report_page(found)


def test_a_judge_without_an_audit_is_told_so(tmp_path: Path) -> None:
    judged = write_judged(tmp_path)
    (tmp_path / "judged.audit.json").unlink()
    [judge] = reported(tmp_path, people=[judged]).judges
    assert "no audit" in judge.verdict
    (tmp_path / "judged.audit.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadInput, match="is not the audit of a judge"):
        reported(tmp_path, people=[judged])


def test_an_answer_has_the_checks_that_concern_it(tmp_path: Path) -> None:
    [row] = unpacked(chunks(reported(tmp_path, n=1))["answers-0"])
    both, one = row["answers"]
    assert (both["checks"], one["checks"]) == (["in no passage: Bald of Burgundy, 1830"], [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no answer"),
        ('{"answer": "Louis", "sure": true}', "written in JSON"),
        ("Louis ruled land 1 and then", "stops within a sentence"),
        ("Louis ruled it last.</s>", "token in it: </s>"),
        ("Who ruled land 1?", "mostly copied from the question"),
        ("Louis ruled it last. " * 5, "are said before"),
    ],
)
def test_a_check_is_said_in_words(text: str, said: str) -> None:
    question = Question("q", "Who ruled land 1?")
    made = Prediction(id="q", question=question.text, system="", answer=Answer(text))
    assert any(said in one for one in Concerns([question], seed=0).about(question, made))


def test_domains_are_told_by_the_dataset_or_by_judgments(tmp_path: Path) -> None:
    found = reported(tmp_path, n=4)
    assert unpacked(chunks(found)["index"])["domains"] == ["west", "east", "west", "east"]
    assert '<option value="east">' in report_page(found)


def test_pictures_show_what_was_retrieved_and_whether_the_sure_are_right(tmp_path: Path) -> None:
    found = reported(tmp_path)
    assert "str_em by what the retrieved passages hold" in report_page(found)
    assert "Are confident answers right?" not in report_page(found)
    sure = {
        id: replace(
            one, answer=replace(one.answer, direct=Direct("Louis" if place % 2 else "Nobody", (1,), place / 12))
        )
        for place, (id, one) in enumerate(found.systems[0].predictions.items())
    }
    told = replace(found, systems=[replace(found.systems[0], predictions=sure)], comparisons=())
    assert "Are confident answers right?" in report_page(told)


def test_what_passages_hold_is_counted_in_short_answers_or_words() -> None:
    passage = Passage("p", "Charles ruled it first.")
    made = Prediction(id="q", question="?", system="", answer=Answer("x"), evidence=(Evidence(passage, 1, 1.0),))
    readings = tuple(Interpretation("?", (name,)) for name in ("Charles", "Louis"))
    assert share_held(Question("q", "?", interpretations=readings), made) == 0.5
    assert share_held(Question("q", "?", references=("Charles ruled.",)), made) == 1.0
    assert share_held(Question("q", "?"), made) is None


def test_a_study_may_call_a_run_by_its_folder_or_by_the_path_of_its_answers(tmp_path: Path) -> None:
    dataset, files = write_world(tmp_path)
    for file in files:
        (tmp_path / "runs" / file.stem).mkdir(parents=True)
        file.rename(tmp_path / "runs" / file.stem / "predictions.jsonl")
    runs = [tmp_path / "runs" / file.stem / "predictions.jsonl" for file in files]
    by_folder = write_judgments(tmp_path)
    by_path = tmp_path / "by-path.jsonl"
    by_path.write_text(by_folder.read_text().replace('"both"', f'"{runs[0]}"').replace('"one"', f'"{runs[1]}"'))
    for judgments in (by_folder, by_path):
        request = ReportRequest(
            sources=runs, names=["First", "Second"], dataset=dataset, metrics=METRICS, people=[judgments]
        )
        people = report(request).people
        assert people
        assert people.points["overall"]["First"].value == pytest.approx(100 * 11 / 12)


def test_people_who_judged_other_systems_are_told(tmp_path: Path, capsys: Capture) -> None:
    dataset, [both, _] = write_world(tmp_path)
    judged = str(write_judgments(tmp_path))
    other = both.rename(tmp_path / "third.jsonl")
    said = fail(capsys, "report", str(other), "-d", dataset, "-m", "StrEm()", "--people", judged, "-f", "csv")
    assert "people judged both, one; this report has third" in said


def test_answers_are_in_chunks_with_each_passage_once(tmp_path: Path) -> None:
    packed = chunks(reported(tmp_path, n=30))
    assert list(packed) == ["index", "answers-0", "passages-0", "passages-1"]
    assert [len(unpacked(packed[f"passages-{number}"])) for number in (0, 1)] == [25, 5]
    [first, *_] = unpacked(packed["passages-0"])
    assert [title for title, _ in first] == ["Rulers", "Charles"]


def test_a_quotation_is_marked_where_it_stands(tmp_path: Path) -> None:
    packed = chunks(reported(tmp_path, n=1))
    [row], [passages] = unpacked(packed["answers-0"]), unpacked(packed["passages-0"])
    [[start, end]] = row["answers"][0]["marks"]["1"]
    assert passages[0][1][start:end] == "Louis ruled it last."


@pytest.mark.parametrize(
    ("said", "numbers", "expected"),
    [("Louis ruled.", (1,), True), ("Louis ruled.", (2,), False), ("Louis ruled.", (), True), ("Otto won.", (), False),
     ("Louis ruled.", (9,), False)],
)  # fmt: skip
def test_a_sentence_is_supported_by_what_it_cites(said: str, numbers: tuple[int, ...], expected: bool) -> None:
    evidence = {1: Evidence(Passage("p", "Louis ruled."), 1, 1.0), 2: Evidence(Passage("q", "Nobody."), 2, 0.5)}
    assert is_supported(CitedSentence(said, numbers), evidence) is expected
    assert is_supported(CitedSentence(said, numbers), {}) is None


class Tags(HTMLParser):
    """The elements of a page and their attributes."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.found: list[tuple[str, frozenset[str]]] = []
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, frozenset(name for name, _ in attrs)))


def test_no_text_becomes_part_of_the_page(tmp_path: Path) -> None:
    plain = Tags(report_page(reported(tmp_path / "a", n=3)))
    dataset, [both, one] = write_world(tmp_path / "b", n=3, hostile=HOSTILE)
    named = both.rename(tmp_path / "b" / '"><img src=x onerror=alert(1)>')
    hostile = Tags(report_page(report(ReportRequest(sources=[named, one], dataset=dataset, metrics=METRICS))))
    # As many of each as before, marks of a scale aside: longer answers have another scale.
    assert set(hostile.found) == set(plain.found)
    for name in ("script", "td", "option", "img"):
        assert [tag for tag, _ in hostile.found].count(name) == [tag for tag, _ in plain.found].count(name)


def test_a_page_loads_nothing_and_runs_one_script(tmp_path: Path) -> None:
    page = report_page(reported(tmp_path, n=2))
    assert re.search(r"script-src 'sha256-[\w+/=]+'\"", page)
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=\"(?!#)", page)


def test_the_same_report_is_the_same_file(tmp_path: Path) -> None:
    assert report_page(reported(tmp_path, n=2)) == report_page(reported(tmp_path, n=2))


def test_a_folder_has_the_page_and_its_parts(tmp_path: Path) -> None:
    found = reported(tmp_path, n=2)
    assert write_report(found, tmp_path / "out", split=True) == tmp_path / "out" / "index.html"
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["answers-0.js", "index.html", "passages-0.js"]
    page, parts = page_parts(found)
    assert "'strict-dynamic'" in page
    assert all(re.fullmatch(r'expoundChunk\("[\w-]+","[\w+/=]+"\);\n', part) for part in parts.values())


def test_the_command_writes_a_page_or_prints_a_table(tmp_path: Path, capsys: Capture) -> None:
    dataset, files = write_world(tmp_path, n=2)
    words = ["report", *map(str, files), "-d", dataset, *(word for name in METRICS for word in ("-m", name))]
    assert succeed(capsys, *words, "--out", str(tmp_path / "r.html")) == ""
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert succeed(capsys, *words, "--format", "markdown").startswith(
        "| letter | system | n | str_em | length | words |"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{both}", "-d", "{data}"], "where to?"),
        (["{both}", "-d", "{data}", "-o", "r.csv"], "r.csv is no page: add --format csv"),
        (["{both}", "-f", "csv"], "which questions?"),
        (["{both}", "{both}", "-d", "{data}", "-f", "csv"], "named twice"),
        (["nowhere", "-d", "{data}", "-f", "csv"], "no such file or folder: nowhere"),
        ([".", "-f", "csv"], "not the folder of a finished run"),
        (["{both}", "-d", "{data}", "-m", "StrEm()", "-f", "csv", "--split", "-o", "x"], "--split makes a folder"),
        (["{both}", "-d", "{data}", "-o", "{folder}"], "is a folder; name a file"),
        (["{both}", "-d", "{data}", "-o", "{both}/r.html"], "both.jsonl is a file, not a folder"),
    ],
)
def test_a_mistake_is_told_in_one_line(words: list[str], said: str, tmp_path: Path, capsys: Capture) -> None:
    dataset, [both, _] = write_world(tmp_path, n=2)
    assert said in fail(capsys, "report", *(word.format(both=both, data=dataset, folder=tmp_path) for word in words))
