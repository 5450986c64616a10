"""The papers' sizes: every number that a paper has, by name, and an option that is told wins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.cli import execute
from expound.train.data.answer_lists import AnswerList, write_answer_lists
from expound.train.data.group_files import write_groups
from expound.train.data.writer_files import WriterRow, write_writer_rows
from expound.train.presets import WRITER_PRESETS
from expound.train.smoke import iter_groups
from expound.types import Passage


def rehearse(command: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert execute(["train", *command, "--dry-run", "--out", str(folder / "run")]) == 0
    plan: dict[str, Any] = json.loads(capsys.readouterr().out)
    return plan


@pytest.mark.parametrize(
    ("preset", "batch", "steps", "rate"),
    [
        ("usual", 2, 200, 2e-4),
        ("eli5", 32, 300_000, 5e-4),
        ("asqa-closed", 16, 2700, 4e-5),
        ("asqa-1", 8, 5400, 4e-5),
        ("asqa-3", 8, 5400, 4e-5),
        ("asqa-5", 8, 5400, 4e-5),
        ("hurdles", 128, 100_000, 5e-5),
    ],
)
def test_a_writer_is_trained_as_its_preset_says(
    preset: str, batch: int, steps: int, rate: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_writer_rows(rows := tmp_path / "rows.jsonl", [WriterRow("q", "a", (Passage("1", "t"),))])
    command = ["writer", "--train", str(rows), "--preset", preset]
    plan = rehearse(command, tmp_path, capsys)
    assert (plan["batch"], plan["steps"], plan["learning_rate"]) == (batch, steps, pytest.approx(rate))
    told = rehearse([*command, "--steps", "7", "--rate", "0", "--batch", "3"], tmp_path, capsys)
    assert (told["batch"], told["steps"], told["learning_rate"]) == (3, 7, 0)


def test_every_preset_has_a_row_above() -> None:
    assert set(WRITER_PRESETS) == {"usual", "eli5", "asqa-closed", "asqa-1", "asqa-3", "asqa-5", "hurdles"}
    assert round(WRITER_PRESETS["hurdles"].writing.answer_words * 1.6) == 288


def test_a_retriever_has_the_batches_of_its_preset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_groups(groups := tmp_path / "groups.jsonl", list(iter_groups()))
    plan = rehearse(["retriever", "--train", str(groups), "--preset", "hurdles"], tmp_path, capsys)
    assert (plan["batch"], plan["steps"]) == (12_288, 4000)
    assert rehearse(["retriever", "--train", str(groups)], tmp_path, capsys)["batch"] == 16


def test_co_training_has_the_models_of_its_preset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_answer_lists(full := tmp_path / "full.jsonl", [AnswerList("who ?", ("mira", "olan"))])
    write_answer_lists(partial := tmp_path / "partial.jsonl", [AnswerList("who ?", ("mira",))])
    command = ["answers", "--full", str(full), "--partial", str(partial), "--preset", "ambigqa"]
    plan = rehearse(command, tmp_path, capsys)
    assert (plan["models"], plan["rounds"], plan["steps"]) == (6 * 2 + 4, 2, 18_800)
    assert rehearse([*command, "--models", "3", "--rounds", "1", "--final", "1"], tmp_path, capsys)["models"] == 4


@pytest.mark.parametrize("kind", ["writer", "retriever"])
def test_a_preset_that_there_is_none_of_is_named(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["train", kind, "--preset", "hurdle", "--out", str(tmp_path)]) == 2
    assert "no preset named 'hurdle'; did you mean 'hurdles'" in capsys.readouterr().err
