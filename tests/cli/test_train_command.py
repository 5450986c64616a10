"""`expound train`: one shape of options for every kind, what is missing is said, and a smoke run goes all the way."""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from expound.cli import execute
from expound.errors import UnknownName
from expound.train import TrainingFiles, TrainingRequest, TrainingSettings, rehearse
from expound.train.data.group_files import write_groups
from expound.train.smoke import iter_groups

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "transformers", "onnx"))
KINDS = ("reader", "ranker", "retriever", "sentences", "tagger", "nli")
SHARED = "--out --train --base --steps --rate --batch --hours --patience --threads --seed --dry-run".split()
EXPORTED = {
    "reader": "reader.onnx",
    "ranker": "ranker.onnx",
    "retriever": "embedder.onnx",
    "sentences": "ranker.onnx",
    "tagger": "tagger.onnx",
    "nli": "nli.onnx",
}


def test_help_shows_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["train", "--help"]) == 0
    shown = capsys.readouterr().out
    for name in (*KINDS, "reader-data", "ranker-data", "document-data", "reader-figures"):
        assert re.search(rf"\b{name}\b", shown)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_the_same_options(
    kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert execute(["train", kind, "--help"]) == 0
    shown = capsys.readouterr().out
    assert not [option for option in SHARED if option not in shown]


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else find(name))
    assert execute(["train", "reader", "--smoke", "--out", str(tmp_path)]) == 2
    assert "training needs torch" in (said := capsys.readouterr().err)
    assert "pip install 'expound[train]'" in said


@pytest.mark.skipif(not HAS_TORCH, reason="needs torch, transformers and onnx")
def test_without_a_base_it_asks_for_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_groups(file := tmp_path / "train.jsonl", list(iter_groups()))
    assert execute(["train", "ranker", "--train", str(file), "--out", str(tmp_path / "run")]) == 2
    assert "run: expound models get minilm-float32 minilm-tokenizer" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--dry-run"], []])
def test_a_bad_file_is_told_before_a_base_is_fetched(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPOUND_LAUNCHER", "1")
    monkeypatch.setattr("expound.train.request.require_extra", lambda: None)
    (tmp_path / "train.jsonl").write_text("no group\n")
    command = ["train", "retriever", "--train", str(tmp_path / "train.jsonl"), "--out", str(tmp_path / "run")]
    assert execute([*command, *more]) == 2
    said = capsys.readouterr().err
    assert "train.jsonl, line 1" in said
    assert "fetching" not in said


def test_a_rehearsal_fetches_no_base(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_groups(tmp_path / "train.jsonl", list(iter_groups()))
    command = ["train", "retriever", "--train", str(tmp_path / "train.jsonl"), "--dry-run", "--out", str(tmp_path)]
    assert execute(command) == 0
    assert json.loads(capsys.readouterr().out)["base"] == "minilm-float32"
    assert execute([*command, "--base", "minilm"]) == 2
    assert "no base named 'minilm'" in capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS)
def test_a_rehearsal_needs_no_torch_and_writes_no_model(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert execute(["train", kind, "--smoke", "--dry-run", "--out", str(tmp_path)]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["kind"], plan["steps"]) == (kind, 30)
    assert plan["passes"] == pytest.approx(30 * plan["batch"] / plan["train"], abs=0.01)
    assert [path.name for path in tmp_path.iterdir() if path.name != "expound-home"] == ["smoke"]


def test_an_unknown_kind_is_named(tmp_path: Path) -> None:
    files = TrainingFiles((), ())
    request = TrainingRequest(kind="rankers", files=files, base="", settings=TrainingSettings(1), most_tokens=96)
    with pytest.raises(UnknownName, match="did you mean 'ranker'"):
        rehearse(replace(request, base=str(_empty_base(tmp_path))), tmp_path)


def _empty_base(folder: Path) -> Path:
    for name in ("tokenizer.json", "config.json", "model.safetensors"):
        (folder / name).touch()
    return folder


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--train", str(tmp_path / "nowhere.jsonl"), "--base", str(_empty_base(tmp_path)), "--dry-run"]
    assert execute(["train", "retriever", *words, "--out", str(tmp_path)]) == 2
    assert "nowhere.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "said"), [("ranker", "has no groups"), ("nli", "has no pairs")])
def test_an_empty_file_is_refused(kind: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.jsonl").touch()
    base = str(_empty_base(tmp_path))
    words = ["--train", str(tmp_path / "train.jsonl"), "--base", base, "--dry-run", "--out", str(tmp_path)]
    assert execute(["train", kind, *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.skipif(not HAS_TORCH, reason="needs torch, transformers and onnx")
def test_a_smoke_run_exports_a_model_and_the_same_command_adds_nothing(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", kind, "--smoke", "--threads", "1", "--out", str(tmp_path), "--quiet"]
    assert execute(command) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {"train", "dev", "sha256", "steps", "ended", "cpu_seconds"} <= set(figures)
    assert json.loads((tmp_path / "figures.json").read_text()) == figures
    assert (tmp_path / EXPORTED[kind]).exists()
    assert (tmp_path / "model" / "model.safetensors").exists()
    losses = [json.loads(line).get("loss") for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    falling = [loss for loss in losses if loss is not None]
    assert falling[-1] < falling[0]
    assert execute(command) == 0
    assert json.loads(capsys.readouterr().out) == figures
