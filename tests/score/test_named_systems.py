"""Systems are named after their files, or after the folders of their runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.datasets import read_predictions
from expound.errors import UserError
from expound.score import name_systems


def write_run(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "predictions.jsonl").write_text('{"id": "1", "question": "How deep?", "answer": "31 metres"}\n')
    return folder


def test_the_folder_of_a_run_stands_for_its_answers(tmp_path: Path) -> None:
    run = write_run(tmp_path / "brief")
    assert [prediction.answer.text for prediction in read_predictions(run)] == ["31 metres"]


def test_runs_are_named_by_their_folders_and_files_by_themselves(tmp_path: Path) -> None:
    brief, long = write_run(tmp_path / "brief"), write_run(tmp_path / "long")
    named = name_systems([brief, long / "predictions.jsonl", tmp_path / "mine.json"])
    assert named == {
        "brief": brief / "predictions.jsonl",
        "long": long / "predictions.jsonl",
        "mine": tmp_path / "mine.json",
    }


def test_runs_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / side / "brief") for side in ("a", "b")]
    assert list(name_systems(runs)) == [str(run / "predictions.jsonl") for run in runs]


def test_a_run_named_by_its_folder_and_by_its_file_is_one_run(tmp_path: Path) -> None:
    run = write_run(tmp_path / "brief")
    with pytest.raises(UserError, match="named twice"):
        name_systems([run, run / "predictions.jsonl"])
