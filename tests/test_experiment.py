"""A run goes on where it was: no question twice, none lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from expound import experiment
from expound.corpus import library
from expound.datasets.predictions import read_predictions
from expound.errors import BadInput, RunBusy, UserError
from expound.experiment import run
from expound.files import hold_lock
from expound.records import VOLATILE, manifest_path
from expound.runs.answers import answer_all
from expound.runs.folder import read_run
from expound.runs.plan import plan_from
from expound.testing import write_toy_folder
from expound.types import Answer, Prediction, Question

QUESTIONS = [Question(f"q{n}", f"Question {n}?") for n in range(5)]


class Echo:
    """Answers with the question; stops for good after so many."""

    def __init__(self, stop_after: int = 99) -> None:
        self.asked: list[str] = []
        self.stop_after = stop_after

    def __call__(self, question: Question) -> Prediction:
        if len(self.asked) == self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(question.id)
        return Prediction(question.id, question.text, "Echo", Answer(question.text))


def ids(out: Path) -> list[str]:
    return [prediction.id for prediction in read_predictions(out)]


def test_a_run_writes_every_answer_and_then_its_manifest(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    answer_all(QUESTIONS, Echo(), out, spec={"system": "Echo"})
    assert ids(out) == [question.id for question in QUESTIONS]
    assert json.loads(manifest_path(out).read_text())["count"] == 5


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    with pytest.raises(KeyboardInterrupt):
        answer_all(QUESTIONS, Echo(stop_after=2), out, spec={"system": "Echo"})
    assert not manifest_path(out).exists()
    with out.open("a") as file:
        file.write('{"id": "q2", "ques')  # a crash in the middle of a line
    second = Echo()
    answer_all(QUESTIONS, second, out, spec={"system": "Echo"})
    assert second.asked == ["q2", "q3", "q4"]
    assert ids(out) == [question.id for question in QUESTIONS]


def test_a_finished_run_is_left_alone(tmp_path: Path) -> None:
    answer_all(QUESTIONS, Echo(), tmp_path / "p.jsonl", spec={})
    again = Echo()
    answer_all(QUESTIONS, again, tmp_path / "p.jsonl", spec={})
    assert again.asked == []


def test_answers_of_another_system_are_not_mixed_in(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        answer_all(QUESTIONS, Echo(stop_after=1), tmp_path / "p.jsonl", spec={"system": "one"})
    with pytest.raises(BadInput, match=r"another run \(not the same: system\)"):
        answer_all(QUESTIONS, Echo(), tmp_path / "p.jsonl", spec={"system": "two"})


def test_a_file_that_is_no_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text("mine\n")
    with pytest.raises(BadInput, match="not written by a run"):
        answer_all(QUESTIONS, Echo(), tmp_path / "p.jsonl", spec={})
    assert (tmp_path / "p.jsonl").read_text() == "mine\n"


def test_two_runs_do_not_write_the_same_file(tmp_path: Path) -> None:
    with hold_lock(tmp_path / ".p.jsonl.lock"), pytest.raises(RunBusy, match="another process"):
        answer_all(QUESTIONS, Echo(), tmp_path / "p.jsonl", spec={})


# -- whole experiments


def dataset(folder: Path, count: int = 12) -> str:
    rows = [{"id": f"q{n}", "question": f"What is number {n}?", "references": [f"It is {n}."]} for n in range(count)]
    (folder / "qa.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"qa:{folder / 'qa.jsonl'}"


ECHO = """
import json, sys, time
for line in sys.stdin:
    time.sleep(0.03)
    print(json.dumps({"answer": "You asked: " + json.loads(line)["question"]}), flush=True)
"""


def echo_plan(folder: Path) -> dict[str, object]:
    (folder / "echo.py").write_text(ECHO)
    command = f"Command({str(sys.executable) + ' ' + str(folder / 'echo.py')!r})"
    return {"name": "echo", "dataset": dataset(folder), "retrieve": "Nothing", "answer": command, "score": ["eli5"]}


def test_a_foreign_command_is_run_and_scored(tmp_path: Path) -> None:
    finished = run(plan_from(echo_plan(tmp_path), where="test"), tmp_path / "run")
    assert finished.record["n"] == 12
    assert {result["metric"] for result in finished.record["results"]} == {"rouge_1", "rouge_2", "rouge_l"}
    assert read_run(tmp_path / "run").name == "echo"
    assert next(read_predictions(finished.predictions)).answer.text == "You asked: What is number 0?"


def test_several_processes_answer_in_the_same_order(tmp_path: Path) -> None:
    plan = plan_from({**echo_plan(tmp_path), "answer": "Extractive", "limit": 4}, where="test")
    for jobs in (1, 2):
        run(plan, tmp_path / f"run{jobs}", jobs=jobs)
    assert steady(tmp_path / "run1") == steady(tmp_path / "run2")


def test_documents_are_brought_in_before_several_processes_ask_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []

    def stop(*_: object, **__: object) -> None:
        seen.append(library.corpus_names())
        raise KeyboardInterrupt

    monkeypatch.setattr(experiment, "answer_all", stop)
    folder = write_toy_folder(tmp_path / "docs")
    plan = {"name": "p", "dataset": dataset(tmp_path), "corpus": str(folder), "score": ["StrEm()"]}
    with pytest.raises(KeyboardInterrupt):
        run(plan_from(plan, where="test"), tmp_path / "run", jobs=2)
    assert seen == [["docs"]]


def steady(folder: Path) -> list[dict[str, object]]:
    """The records without what may differ between equal runs."""
    records = [json.loads(line) for line in (folder / "predictions.jsonl").read_text().splitlines()]
    return [{key: value for key, value in record.items() if key not in VOLATILE} for record in records]


def size_of(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def test_a_run_killed_ten_times_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    plan = echo_plan(tmp_path)
    run(plan_from(plan, where="test"), tmp_path / "whole")
    code = (
        "import json, sys; from pathlib import Path; from expound.experiment import run;"
        "from expound.runs.plan import plan_from;"
        "run(plan_from(json.loads(sys.argv[1]), where='test'), Path(sys.argv[2]))"
    )
    command = [sys.executable, "-c", code, json.dumps(plan), str(tmp_path / "killed")]
    answers = tmp_path / "killed" / "predictions.jsonl"
    for number in range(1, 11):
        process = subprocess.Popen(command, env=dict(os.environ))
        while process.poll() is None and size_of(answers) < number * size_of(tmp_path / "whole/predictions.jsonl") / 12:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True)
    assert steady(tmp_path / "killed") == steady(tmp_path / "whole")


SLEEPS = """
import os, pathlib, sys, time
for line in sys.stdin:
    pathlib.Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(600)
"""


def is_running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(holds: Callable[[], bool]) -> bool:
    """Whether something comes true; given up after two minutes."""
    for _ in range(1200):
        if holds():
            return True
        time.sleep(0.1)
    return False


def test_a_killed_run_leaves_neither_workers_nor_foreign_programs(tmp_path: Path) -> None:
    (tmp_path / "sleeps.py").write_text(SLEEPS)
    (tmp_path / "pids").mkdir()
    plan = {**echo_plan(tmp_path), "answer": f"Command('{sys.executable} {tmp_path}/sleeps.py {tmp_path}/pids')"}
    script = tmp_path / "main.py"
    script.write_text(
        "import json, sys\nfrom pathlib import Path\nfrom expound.experiment import run\n"
        "from expound.runs.plan import plan_from\n"
        "if __name__ == '__main__':\n"
        "    run(plan_from(json.loads(sys.argv[1]), where='test'), Path(sys.argv[2]), jobs=2)\n"
    )
    process = subprocess.Popen([sys.executable, str(script), json.dumps(plan), str(tmp_path / "run")])
    assert wait_until(lambda: len(list((tmp_path / "pids").iterdir())) == 2)
    started = [int(file.name) for file in (tmp_path / "pids").iterdir()]
    workers = [int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]) for pid in started]
    process.kill()
    process.wait()
    assert wait_until(lambda: not any(map(is_running, [*started, *workers])))


def test_a_model_that_no_part_asks_is_told_before_the_run(tmp_path: Path) -> None:
    plan = plan_from({"name": "x", "dataset": "qa:none.jsonl", "model": "qwen2.5-coder-0.5b"}, where="here")
    with pytest.raises(UserError, match="no part of this plan asks the model"):
        experiment.check(plan, tmp_path / "out")
