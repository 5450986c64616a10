"""`expound train`: what is missing is said, and a smoke run goes all the way to an exported reader."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from expound.cli import execute

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "transformers", "onnx"))


def test_help_shows_both_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["train", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "reader-data" in shown
    assert "train" in shown


@pytest.mark.skipif(HAS_TORCH, reason="the extra is installed")
def test_without_the_extra_it_says_what_to_install(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["train", "reader", "--smoke", "--out", str(tmp_path)]) == 2
    assert "pip install 'expound[train]'" in capsys.readouterr().err


@pytest.mark.skipif(not HAS_TORCH, reason="needs torch, transformers and onnx")
def test_without_a_base_it_asks_for_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["train", "reader", "--out", str(tmp_path)]) == 2
    assert "--base FOLDER" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not HAS_TORCH, reason="needs torch, transformers and onnx")
def test_a_smoke_run_exports_a_reader(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["train", "reader", "--smoke", "--out", str(tmp_path), "--quiet"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {"dev_f1", "offset", "sha256"} <= set(figures)
    assert json.loads((tmp_path / "figures.json").read_text()) == figures
    assert (tmp_path / "reader.onnx").exists()
    assert (tmp_path / "model" / "model.safetensors").exists()
