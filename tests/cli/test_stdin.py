"""Questions and paths from stdin, one a line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expound.cli import execute
from expound.corpus import library
from expound.remembered import recall
from expound.testing import write_toy_folder

Capture = pytest.CaptureFixture[str]
Give = Callable[[bytes], None]


@pytest.fixture
def give(monkeypatch: pytest.MonkeyPatch) -> Give:
    """Put bytes on stdin."""
    return lambda data: monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.fixture
def toys(tmp_path: Path) -> Path:
    return write_toy_folder(tmp_path / "toys")


def test_every_question_gets_a_record(toys: Path, give: Give, capsys: Capture) -> None:
    give(b"Who was the King of France in 1830?\r\n\n  \nWhere does the Danube end?\n")
    assert execute(["ask", "-", "--corpus", str(toys), "--quiet"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["question"] for record in records] == [
        "Who was the King of France in 1830?",
        "Where does the Danube end?",
    ]
    last = recall()
    assert last is not None
    assert last.question == "Where does the Danube end?"


def test_a_bad_line_does_not_stop_the_others(toys: Path, give: Give, capsys: Capture) -> None:
    give(b"???\n\xff\xfe\n" + b"x" * 3000 + b"\nWhere does the Danube end?\n")
    assert execute(["ask", "-", "--corpus", str(toys)]) == 1
    captured = capsys.readouterr()
    records = [json.loads(line) for line in captured.out.splitlines()]
    assert ["error" in record for record in records] == [True, True, True, False]
    assert records[0] == {"question": "???", "error": "the question is empty: it has no word in it"}
    assert "not UTF-8" in records[1]["error"]
    assert "3 of 4 questions failed" in captured.err


def test_no_question_is_said(toys: Path, give: Give, capsys: Capture) -> None:
    give(b"\n")
    assert execute(["ask", "-", "--corpus", str(toys)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no question on stdin" in captured.err


def test_paths_come_from_stdin(toys: Path, give: Give, capsys: Capture) -> None:
    (toys / "with space.md").write_text("# Spaces\n\nA name may have a space.\n", encoding="utf-8")
    give("".join(f"{file}\n" for file in sorted(toys.iterdir())[-2:]).encode())
    assert execute(["corpus", "add", "-"]) == 0
    assert library.corpus_names() == ["toys"]
    assert library.open_corpus("toys").store.count("documents") == 2


def test_no_path_is_a_users_mistake(give: Give, capsys: Capture) -> None:
    give(b"")
    assert execute(["corpus", "add", "-", "--name", "none"]) == 2
    assert "no path on stdin" in capsys.readouterr().err


def test_a_text_on_stdin_is_no_path(give: Give, capsys: Capture) -> None:
    give(b"The lighthouse has 201 steps.\n")
    assert execute(["corpus", "add", "-", "--name", "none"]) == 2
    assert "stdin names no file 'The lighthouse has 201 steps.'" in capsys.readouterr().err
