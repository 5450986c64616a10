"""Runs of a folder in whatever state they are, for who looks at them while they go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.experiment import run
from expound.files import hold_lock
from expound.runs.answers import count_file, lock_of, spec_file
from expound.runs.plan import Plan, plan_from
from expound.runs.states import find_runs
from expound.score.results import Scorer
from report.report_world import write_world

# The metrics of the runs split sentences.
pytestmark = pytest.mark.usefixtures("punkt_file")


def plan_of(folder: Path, *, n: int = 4) -> Plan:
    """A system that needs no corpus."""
    dataset, _ = write_world(folder, n=n)
    values = {"name": "echo", "dataset": dataset, "retrieve": "Nothing", "clarify": "AsAsked"}
    return plan_from({**values, "answer": "RepeatQuestion()", "score": ["answer-only"]}, where="plan")


def begin(folder: Path, *, answered: int, questions: int = 4) -> Path:
    """What a run has written down after some answers."""
    folder.mkdir(parents=True)
    out = folder / "predictions.jsonl"
    out.write_text('{"id": "q"}\n' * answered + '{"id": "ha', encoding="utf-8")
    spec_file(out).write_text(json.dumps({"answer": "Composed()", "dataset": "qa:x"}), encoding="utf-8")
    count_file(out).write_text(str(questions), encoding="ascii")
    return out


def test_a_finished_run_has_its_numbers(tmp_path: Path) -> None:
    run(plan_of(tmp_path), tmp_path / "runs" / "echo")
    [found] = find_runs(tmp_path / "runs")
    assert (found.name, found.state, found.answered) == ("echo", "finished", 4)
    assert found.results
    assert found.finished


def test_a_run_that_goes_on_says_how_far_it_is_and_comes_first(tmp_path: Path) -> None:
    run(plan_of(tmp_path), tmp_path / "runs" / "echo")
    out = begin(tmp_path / "runs" / "new" / "run", answered=2)
    with hold_lock(lock_of(out)):
        going_on, _ = find_runs(tmp_path / "runs")
        assert (going_on.name, going_on.state, going_on.answered, going_on.questions) == ("new/run", "running", 2, 4)
        assert going_on.spec["answer"] == "Composed()"
    assert [one.state for one in find_runs(tmp_path / "runs")] == ["finished", "stopped"]


def test_a_run_counts_its_questions_before_the_first_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan_of(tmp_path), tmp_path / "runs" / "echo", report=stop)
    [found] = find_runs(tmp_path / "runs")
    assert (found.state, found.answered, found.questions) == ("stopped", 1, 4)


def test_a_run_that_was_killed_before_its_scores_is_not_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def look_and_die(*_: object) -> None:
        seen.extend(one.state for one in find_runs(tmp_path / "runs"))
        raise KeyboardInterrupt

    monkeypatch.setattr(Scorer, "score", look_and_die)
    with pytest.raises(KeyboardInterrupt):
        run(plan_of(tmp_path), tmp_path / "runs" / "echo")
    assert seen == ["running"]
    [found] = find_runs(tmp_path / "runs")
    assert (found.state, found.answered, found.questions) == ("stopped", 4, 4)


def test_what_is_damaged_says_so_and_hides_no_other(tmp_path: Path) -> None:
    run(plan_of(tmp_path), tmp_path / "runs" / "echo")
    for name, content in (("list", "[]"), ("half", '{"name": ')):
        (tmp_path / "runs" / name).mkdir()
        (tmp_path / "runs" / name / "scores.json").write_text(content, encoding="utf-8")
    # Somebody's own file is no run.
    (tmp_path / "runs" / "own").mkdir()
    (tmp_path / "runs" / "own" / "predictions.jsonl").write_text("{}\n", encoding="utf-8")
    found = {one.name: one for one in find_runs(tmp_path / "runs")}
    assert {name: one.state for name, one in found.items()} == {
        "echo": "finished", "list": "damaged", "half": "damaged"
    }  # fmt: skip
    assert "scores.json" in found["half"].problem
