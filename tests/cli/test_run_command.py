"""`expound run` and `expound runs`: plans in, scores out, runs side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.cli import execute

Capture = pytest.CaptureFixture[str]


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


def succeed(capsys: Capture, *arguments: str) -> str:
    code = execute(["--quiet", *arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


def fail(capsys: Capture, *arguments: str) -> str:
    assert execute(["--quiet", *arguments]) == 2
    return capsys.readouterr().err


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


def test_another_plan_does_not_overwrite_a_run(folder: Path, capsys: Capture, punkt_file: Path) -> None:
    succeed(capsys, "run", "once.toml", "--out", "runs/once")
    assert "another run (answer differ)" in fail(capsys, "run", "twice.toml", "--out", "runs/once")
    assert "another run (limit differ)" in fail(capsys, "run", "once.toml", "--out", "runs/once", "--limit", "2")


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


def test_a_foreign_command_that_dies_keeps_what_was_answered(folder: Path, capsys: Capture) -> None:
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


def test_no_runs_is_said(folder: Path, capsys: Capture) -> None:
    assert "no finished run below nowhere" in fail(capsys, "runs", "list", "nowhere")
    assert "not the folder of a finished run" in fail(capsys, "runs", "compare", "nowhere", "there")
