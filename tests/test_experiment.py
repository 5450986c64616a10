"""A run goes on where it was: no question twice, none lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.datasets.predictions import read_predictions
from expound.errors import BadInput
from expound.experiment import run
from expound.records import manifest_path
from expound.types import Answer, Prediction, Question

QUESTIONS = [Question(f"q{n}", f"Question {n}?") for n in range(5)]


class Echo:
    """Answers with the question; stops for good after so many."""

    def __init__(self, stop_after: int = 99) -> None:
        self.asked: list[str] = []
        self.stop_after = stop_after

    def ask(self, question: str, *, id: str = "") -> Prediction:
        if len(self.asked) == self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(id)
        return Prediction(id, question, "Echo", Answer(question))


def ids(out: Path) -> list[str]:
    return [prediction.id for prediction in read_predictions(out)]


def test_a_run_writes_every_answer_and_then_its_manifest(tmp_path: Path) -> None:
    out = run(QUESTIONS, Echo(), tmp_path / "p.jsonl", spec={"system": "Echo"})
    assert ids(out) == [question.id for question in QUESTIONS]
    assert json.loads(manifest_path(out).read_text())["count"] == 5


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(QUESTIONS, Echo(stop_after=2), out, spec={"system": "Echo"})
    assert not manifest_path(out).exists()
    with out.open("a") as file:
        file.write('{"id": "q2", "ques')  # a crash in the middle of a line
    second = Echo()
    run(QUESTIONS, second, out, spec={"system": "Echo"})
    assert second.asked == ["q2", "q3", "q4"]
    assert ids(out) == [question.id for question in QUESTIONS]


def test_a_finished_run_is_left_alone(tmp_path: Path) -> None:
    out = run(QUESTIONS, Echo(), tmp_path / "p.jsonl", spec={})
    again = Echo()
    run(QUESTIONS, again, out, spec={})
    assert again.asked == []


def test_answers_of_another_system_are_not_mixed_in(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(QUESTIONS, Echo(stop_after=1), tmp_path / "p.jsonl", spec={"system": "one"})
    with pytest.raises(BadInput, match="another run"):
        run(QUESTIONS, Echo(), tmp_path / "p.jsonl", spec={"system": "two"})
