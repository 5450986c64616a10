"""Where a result cannot be written is told before anything is read, asked or computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.cli import execute

BAD = "qa:bad.jsonl"  # whoever reads it first says so

# Command lines; their place is inside a file.
COMMANDS = {
    "audit": ("audit", "bad.jsonl", "--dataset", BAD, "--out", "file/out"),
    "audit split": ("audit", "split", BAD, "--out", "file/out"),
    "datasets stats": ("datasets", "stats", BAD, "--plot", "file/shares.png"),
    "judge": ("judge", "bad.jsonl", "bad.jsonl", "--dataset", BAD, "--out", "file/judged.jsonl"),
    "judge page": (
        "judge",
        "bad.jsonl",
        "bad.jsonl",
        "--dataset",
        BAD,
        "--out",
        "j.jsonl",
        "--html",
        "file/judged.html",
    ),
    "meta": ("meta", "--people", "xu2023:bad.jsonl", "--metric", "Length()", "--html", "file/meta.html"),
    "report": ("report", "bad.jsonl", "bad.jsonl", "--dataset", BAD, "--out", "file/report.html"),
    "run": ("run", "plan.toml", "--out", "file/run"),
    "study analyze": ("study", "analyze", "bad.jsonl", "--out", "file/analysis.html"),
    "train reader": ("train", "reader", "--train", "bad.jsonl", "--out", "file/out", "--dry-run"),
    "train writer": ("train", "writer", "--train", "bad.jsonl", "--out", "file/out", "--dry-run"),
    "train answer-data": ("train", "answer-data", "--full", BAD, "--out", "file/out"),
    "train choice-rows": ("train", "choice-rows", "--people", "xu2023:bad.jsonl", "--out", "file/rows.jsonl"),
    "train pair-data": ("train", "pair-data", BAD, "--out", "file/out"),
    "train writer-data": ("train", "writer-data", "--train", BAD, "--out", "file/out"),
    "build split": ("build", "split", "--dataset", BAD, "--out", "file/out"),
    "build contexts": ("build", "contexts", "--dataset", "asqa:bad.jsonl", "--corpus", "sampler", "--out", "file/out"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_place_that_cannot_be_written_is_told_first(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.jsonl").write_text("{ no record\n", encoding="utf-8")
    Path("plan.toml").write_text(f'dataset = "{BAD}"\ncorpus = "sampler"\n', encoding="utf-8")
    Path("file").touch()
    assert execute(COMMANDS[name]) == 2
    (line,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("error: "))
    assert "file" in line
    assert "bad.jsonl" not in line
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "expound-home") == [
        "bad.jsonl",
        "file",
        "plan.toml",
    ]
