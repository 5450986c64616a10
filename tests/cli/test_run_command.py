"""`expound run` and `expound runs`: plans in, scores out, runs side by side."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import Capture, fail, succeed
from expound.cli import execute


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [{"id": f"q{n}", "question": f"Who won {n}?", "references": [f"Ann won {n}."]} for n in range(4)]
    (tmp_path / "qa.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for name, times in (("once", 1), ("twice", 2)):
        (tmp_path / f"{name}.toml").write_text(
            f'dataset = "qa:qa.jsonl"\nretrieve = "Nothing"\nclarify = "AsAsked"\n'
            f'answer = "RepeatQuestion(times={times})"\nscore = ["eli5", "answer-only"]\n'
        )
    return tmp_path


def test_runs_are_made_listed_and_compared(folder: Path, capsys: Capture, punkt_file: Path) -> None:
    record: Any = json.loads(succeed(capsys, "run", "once.toml", "--out", "runs/once", "--json"))
    assert (record["name"], record["n"]) == ("once", 4)
    assert "rouge_1" in succeed(capsys, "run", "twice.toml", "--out", "runs/twice")
    listed = json.loads(succeed(capsys, "runs", "list", "runs", "--json", "--metric", "length"))
    assert [(row["run"], row["length"]) for row in listed] == [("once", 3.0), ("twice", 6.0)]
    assert "RepeatQuestion(times=2)" in succeed(capsys, "runs", "list", "runs", "--format", "csv")
    compared = json.loads(
        succeed(capsys, "runs", "compare", "runs/once", "runs/twice", "-p", "answer-only", "-m", "length", "--json")
    )
    assert [(item["a"], item["b"], item["difference"]) for item in compared] == [("once", "twice", -3.0)]


def test_runs_are_compared_by_what_stands_beside_their_answers(folder: Path, capsys: Capture, punkt_file: Path) -> None:
    for name, chance in (("once", 0.5), ("twice", 0.25)):
        succeed(capsys, "run", f"{name}.toml", "--out", f"runs/{name}", "--limit", "3")
        (folder / f"{name}.json").write_text(json.dumps({f"q{n}": [math.log(chance)] for n in range(3)}))
    words = ("runs", "compare", "runs/once", "runs/twice", "-p", "eli5", "-m", "perplexity", "--samples", "50")
    sides = ("--log-probabilities", "once.json", "--log-probabilities", "twice.json")
    [found] = json.loads(succeed(capsys, *words, *sides, "--json"))
    assert (round(found["a_value"], 9), round(found["b_value"], 9)) == (2, 4)
    (folder / "empty.json").write_text("{}")
    assert "empty.json has no entry for 'q0'" in fail(capsys, *words, *sides[:3], "empty.json")
    assert "the same run is named twice" in fail(capsys, "runs", "compare", "runs/once", "runs/once")


def test_another_plan_does_not_overwrite_a_run(folder: Path, capsys: Capture, punkt_file: Path) -> None:
    succeed(capsys, "run", "once.toml", "--out", "runs/once")
    assert "another run (not the same: answer)" in fail(capsys, "run", "twice.toml", "--out", "runs/once")
    assert "another run (not the same: limit)" in fail(capsys, "run", "once.toml", "--out", "runs/once", "--limit", "2")


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ('dataset = "qa:qa.jsonl"\nanswr = "x"', "did you mean 'answer'"),
        ('dataset = "qa:none.jsonl"', "no such file: none.jsonl"),
        ('dataset = "qa:qa.jsonl"\nanswer = "Magic()"', "no answer plug-in named 'Magic'"),
        ('dataset = "qa:qa.jsonl"\nscore = ["magic"]\nretrieve = "Nothing"\nanswer = "RepeatQuestion"', "magic"),
        ('dataset = "qa:empty.jsonl"', "has no questions"),
        ('dataset = "asqa:qa.jsonl"', "qa.jsonl"),
    ],
)
def test_a_mistake_in_a_plan_is_one_clear_line(folder: Path, capsys: Capture, plan: str, message: str) -> None:
    (folder / "empty.jsonl").write_text("")
    (folder / "bad.toml").write_text(plan)
    err = fail(capsys, "run", "bad.toml", "--out", "runs/bad")
    assert message in err
    assert len(err.splitlines()) == 1


DIES = """
import sys
for number, line in enumerate(sys.stdin):
    if number == 2:
        sys.exit("no more")
    print('{"answer": "x"}', flush=True)
"""


def test_a_foreign_command_that_dies_keeps_what_was_answered(folder: Path, capsys: Capture, punkt_file: Path) -> None:
    (folder / "dies.py").write_text(DIES)
    plan = {
        "dataset": "qa:qa.jsonl",
        "retrieve": "Nothing",
        "clarify": "AsAsked",
        "answer": "Command('python dies.py')",
    }
    (folder / "dies.toml").write_text("".join(f'{key} = "{value}"\n' for key, value in plan.items()))
    assert execute(["--quiet", "run", "dies.toml", "--out", "runs/dies"]) == 1
    assert "exit code 1: no more" in capsys.readouterr().err
    assert len((folder / "runs/dies/predictions.jsonl").read_text().splitlines()) == 2


FAILS_ONCE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    has_no_luck = "2" in asked["question"]
    print(json.dumps({"error": "no luck"} if has_no_luck else {"answer": "Ann won \\ud83d it."}), flush=True)
"""


@pytest.fixture
def unlucky(folder: Path) -> Path:
    """A plan whose system fails on the third of four questions and writes half characters."""
    (folder / "unlucky.py").write_text(FAILS_ONCE)
    plan = {
        "dataset": "qa:qa.jsonl",
        "retrieve": "Nothing",
        "clarify": "AsAsked",
        "answer": "Command('python unlucky.py')",
        "score": "eli5",
    }
    (folder / "unlucky.toml").write_text("".join(f'{key} = "{value}"\n' for key, value in plan.items()))
    return folder


def test_one_bad_reply_stops_a_run_unless_it_is_to_be_skipped(unlucky: Path, capsys: Capture) -> None:
    assert execute(["--quiet", "run", "unlucky.toml", "--out", "runs/u"]) == 1
    assert "reported: no luck" in capsys.readouterr().err
    assert execute(["run", "unlucky.toml", "--out", "runs/u", "--on-error", "skip"]) == 0
    out, err = capsys.readouterr()
    assert "|errors:1|n:3|" in out
    assert "1 questions failed, not scored: q2; the first with ForeignSystemFailed: " in err
    lines = [json.loads(line) for line in (unlucky / "runs/u/predictions.jsonl").read_text().splitlines()]
    assert [(line["id"], line["answer"]["text"]) for line in lines] == [
        ("q0", "Ann won \ufffd it."), ("q1", "Ann won \ufffd it."), ("q2", ""), ("q3", "Ann won \ufffd it."),
    ]  # fmt: skip
    assert lines[2]["meta"]["error"].endswith("reported: no luck")


def test_errors_are_listed_compared_and_asked_again(unlucky: Path, capsys: Capture, punkt_file: Path) -> None:
    record: Any = json.loads(succeed(capsys, "run", "unlucky.toml", "--out", "runs/u", "--on-error", "skip", "--json"))
    assert (record["n"], list(record["errors"])) == (3, ["q2"])
    succeed(capsys, "run", "once.toml", "--out", "runs/once")
    listed = json.loads(succeed(capsys, "runs", "list", "runs", "--json"))
    assert [(row["run"], row["errors"]) for row in listed] == [("unlucky", 1), ("once", 0)]
    compare = ("runs", "compare", "runs/u", "runs/once", "-p", "eli5", "-m", "rouge_1")
    [compared] = json.loads(succeed(capsys, *compare, "--json"))
    assert (compared["n"], compared["missing"], compared["errors"]) == (3, 0, 1)
    assert "|errors:1|n:3|" in compared["signature"]
    assert succeed(capsys, *compare).splitlines()[2].split()[-2:] == ["n", "errors"]
    (unlucky / "unlucky.py").write_text(FAILS_ONCE.replace('"2" in', '"nothing" in'))
    again = succeed(capsys, "run", "unlucky.toml", "--out", "runs/u", "--retry-errors", "--json")
    assert (json.loads(again)["n"], json.loads(again)["errors"]) == (4, {})


def test_a_system_that_always_fails_is_said_to_have_failed(unlucky: Path, capsys: Capture) -> None:
    (unlucky / "unlucky.py").write_text(FAILS_ONCE.replace('"2" in', '"Who" in'))
    err = fail(capsys, "run", "unlucky.toml", "--out", "runs/u", "--on-error", "skip")
    assert "the system failed on every question that was asked, the first with ForeignSystemFailed" in err


def test_the_extractive_answer_stands_in_and_says_so(unlucky: Path, capsys: Capture) -> None:
    rows = [json.loads(line) for line in (unlucky / "qa.jsonl").read_text().splitlines()]
    for row in rows:
        row["evidence"] = [{"id": "a", "text": f"Ann won {row['id'][1]} on a sunny day in the harbour of Ostrand."}]
    (unlucky / "qa.jsonl").write_text("\n".join(map(json.dumps, rows)))
    plan = (unlucky / "unlucky.toml").read_text().replace("Nothing", "Given")
    (unlucky / "unlucky.toml").write_text(plan + 'on_error = "stand-in"\n')
    record: Any = json.loads(succeed(capsys, "run", "unlucky.toml", "--out", "runs/u", "--json"))
    assert (record["n"], record["errors"], record["stand_ins"]) == (4, {}, 1)
    assert "|stand_ins:1|n:4|" in record["results"][0]["signature"]
    third = json.loads((unlucky / "runs/u/predictions.jsonl").read_text().splitlines()[2])
    assert third["answer"]["text"] == "Ann won 2 on a sunny day in the harbour of Ostrand."
    assert third["system"].startswith("Composed(")
    assert third["meta"]["stand_in_for"].startswith("Command('python unlucky.py'), which failed: ")


def test_a_file_in_the_place_of_a_run_is_one_clear_line(folder: Path, capsys: Capture) -> None:
    (folder / "mine").write_text("mine")
    assert "mine is a file; --out names the folder of a run" in fail(capsys, "run", "once.toml", "--out", "mine")
    assert "mine is a file, not a folder" in fail(capsys, "run", "once.toml", "--out", "mine/deeper")
    assert (folder / "mine").read_text() == "mine"


def test_a_record_that_is_none_is_named(folder: Path, capsys: Capture) -> None:
    (folder / "runs/other").mkdir(parents=True)
    for content in ('{"name": "x", "spec": {}, "results": [3]}', '{"name": "x", "spec": 3, "results": []}', "[]"):
        (folder / "runs/other/scores.json").write_text(content)
        assert "runs/other/scores.json is not the record of a run" in fail(capsys, "runs", "list", "runs")


def test_runs_are_listed_without_a_database(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    (folder / "runs/a").mkdir(parents=True)
    results = [{"metric": "x", "value": None}, {"metric": "y", "value": 2.5}]
    record = {"name": "a", "spec": {"dataset": "qa:x", "answer": "Y"}, "n": 3, "results": results}
    (folder / "runs/a/scores.json").write_text(json.dumps(record))
    assert json.loads(succeed(capsys, "runs", "list", "runs", "--json")) == [
        {"run": "a", "dataset": "qa:x", "answer": "Y", "n": 3, "x": "", "y": 2.5}
    ]


def test_no_runs_is_said(folder: Path, capsys: Capture) -> None:
    assert "no finished run below nowhere" in fail(capsys, "runs", "list", "nowhere")
    assert "not the folder of a finished run" in fail(capsys, "runs", "compare", "nowhere", "there")
