"""Whatever is wrong with the data that a recipe is given: one clear line, exit 2, and no table."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import fail
from expound.recipes.catalogue import LISTED, find_recipe

LAYOUTS = {"eli5-web": "qa"}
ON_FILES = [name for name in LISTED if find_recipe(name).files]
ON_DATASETS = [name for name in LISTED if find_recipe(name).layout]


def missing(folder: Path) -> Path:
    return folder / "nope.jsonl"


def a_folder(folder: Path) -> Path:
    return folder


def empty(folder: Path) -> Path:
    return _written(folder / "empty.jsonl", "")


def of_another_layout(folder: Path) -> Path:
    return _written(folder / "other.jsonl", '{"other": 1}\n')


def a_list_of_nothing(folder: Path) -> Path:
    return _written(folder / "list.json", "[]\n")


def no_json(folder: Path) -> Path:
    return _written(folder / "text.jsonl", "Once upon a time\n")


def no_text(folder: Path) -> Path:
    file = folder / "bytes.jsonl"
    file.write_bytes(b"\xff\xfe\x00\x81")
    return file


def _written(file: Path, text: str) -> Path:
    file.write_text(text)
    return file


WRONG = (missing, a_folder, empty, of_another_layout, a_list_of_nothing, no_json, no_text)
Wrong = Callable[[Path], Path]


def out_of(name: str, folder: Path) -> list[str]:
    return ["--out", str(folder / "out")] if "out" in LISTED[name].takes else []


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", ON_FILES)
def test_a_wrong_file_is_named(name: str, wrong: Wrong, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = wrong(tmp_path)
    files = [str(file)] * len(find_recipe(name).files)
    # One recipe trains on rows and is asked questions of a dataset.
    dataset = ["--dataset", f"asqa:{file}"] if "dataset" in LISTED[name].takes else []
    line = fail(capsys, "recipe", name, *files, *dataset, *out_of(name, tmp_path))
    assert str(file) in line or "expound models get" in line


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", ON_DATASETS)
def test_a_wrong_dataset_is_named(name: str, wrong: Wrong, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, layout = wrong(tmp_path), find_recipe(name).layout
    train = ["--train", "qa:x"] if "train" in LISTED[name].takes else []
    dataset = f"{LAYOUTS.get(layout, layout)}:{file}"
    assert str(file) in fail(capsys, "recipe", name, "--dataset", dataset, *train, *out_of(name, tmp_path))


@pytest.mark.parametrize("wrong", [missing, empty])
def test_a_wrong_folder_of_documents_is_named(wrong: Wrong, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(wrong(tmp_path))
    assert folder in fail(capsys, "recipe", "documents-qa", "--set", "toy", "--data", folder)
    assert folder in fail(capsys, "recipe", "real-documents", "--data", folder)
    assert folder in fail(capsys, "recipe", "real-documents", "--data", str(tmp_path), "--suite", folder)
    assert folder in fail(capsys, "recipe", "all", "--data", folder, "--out", str(tmp_path / "out"))


QUESTION: dict[str, Any] = {"id": "1", "question": "Why?", "kind": "why", "gold_sentences": ["So."], "answer": None}
QUESTION |= {"short_answers": None, "meta": {}, "documents": [{"id": "a/b.md"}]}


@pytest.mark.parametrize("lacking", list(QUESTION))
def test_a_question_of_a_set_that_lacks_a_field_is_named_with_its_line(
    lacking: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {name: value for name, value in QUESTION.items() if name != lacking}
    file = tmp_path / "toy.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps(record).encode()))
    line = fail(capsys, "recipe", "documents-qa", "--set", "toy", "--data", str(tmp_path))
    assert f"{file}, line 1: " in line
    assert lacking in line


def test_questions_without_their_documents_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "toy.jsonl.gz").write_bytes(gzip.compress(json.dumps(QUESTION).encode()))
    line = fail(capsys, "recipe", "documents-qa", "--set", "toy", "--data", str(tmp_path))
    assert "toy_documents.jsonl.gz" in line


@pytest.mark.parametrize(
    ("collections", "questions", "told"),
    [
        ("[kettle", "", "collections.toml"),
        ("kettle = 1", "", "collections.toml"),
        ("[kettle]\nother = 1", "", "collections.toml"),
        ('[kettle]\nhalf = "choose"', "", "questions.jsonl"),
        ('[kettle]\nhalf = "choose"', "{}\n", "questions.jsonl, line 1"),
        ('[kettle]\nhalf = "choose"', "what\n", "questions.jsonl, line 1"),
    ],
)
def test_a_suite_of_another_shape_is_told(
    collections: str, questions: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "collections.toml").write_text(collections)
    if questions:
        (tmp_path / "questions.jsonl").write_text(questions)
    (tmp_path / "kettle").mkdir()
    assert told in fail(capsys, "recipe", "real-documents", "--data", str(tmp_path), "--suite", str(tmp_path))


def test_a_suite_without_questions_to_ask_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "collections.toml").write_text('[kettle]\nhalf = "choose"')
    (tmp_path / "questions.jsonl").write_text("")
    (tmp_path / "kettle").mkdir()
    assert "no question" in fail(capsys, "recipe", "real-documents", "--data", str(tmp_path), "--suite", str(tmp_path))


@pytest.mark.parametrize("name", [name for name in LISTED if {"out", "keep"} & set(LISTED[name].takes)])
def test_a_file_in_place_of_the_folder_for_results_is_told_before_the_work(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = empty(tmp_path)
    given = {"dataset": ["--dataset", "qa:x"], "set_name": ["--set", "x"], "data": ["--data", "x"]}
    options = [word for key, words in given.items() if key in LISTED[name].takes for word in words]
    options += ["--data", "x"] if "documents" in LISTED[name].takes else []
    files = [str(file)] * len(find_recipe(name).files)
    assert "--out names a folder" in fail(capsys, "recipe", name, *files, *options, "--out", str(file))
