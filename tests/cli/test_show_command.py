"""`expound show`: a passage of the latest answer, or one by its id, between its neighbours."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from expound.cli import execute
from expound.corpus import library
from expound.remembered import last_file, recall, remember
from expound.testing import write_toy_folder

Capture = pytest.CaptureFixture[str]
SUBJECTS = ("tea", "coffee", "cocoa")


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    sections = (
        f"## About {subject}\n\nThe best {subject} is served at {hour} o'clock.\n"
        for hour, subject in enumerate(SUBJECTS, 3)
    )
    (folder / "drinks.md").write_text("# Drinks\n\n" + "\n".join(sections), encoding="utf-8")
    library.add([folder], name="handbook")
    return folder


def ask(question: str, *options: str) -> None:
    assert execute(["ask", question, "--json", "--quiet", *options]) == 0


def test_a_number_is_one_of_the_latest_answer(handbook: Path, capsys: Capture) -> None:
    ask("When is the best coffee served?")
    first = json.loads(capsys.readouterr().out)["evidence"][0]
    assert first["id"] == "drinks.md#2"
    assert execute(["show", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "[1] Drinks > About coffee"
    assert "┃ The best coffee is served at 4 o'clock." in lines
    assert "  About tea" in lines
    assert "  The best cocoa is served at 5 o'clock." in lines


def test_a_number_opens_the_corpus_of_its_answer_alone(
    handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add([write_toy_folder(tmp_path / "toys")], name="toys")
    ask("When is the best coffee served?", "--corpus", "handbook")
    opened: list[str] = []
    open_corpora = library.open_corpora

    def note_opened(names: list[str]) -> list[library.Corpus]:
        opened.extend(names)
        return open_corpora(names)

    monkeypatch.setattr(library, "open_corpora", note_opened)
    assert execute(["show", "1"]) == 0
    assert opened == ["handbook"]


def test_a_number_is_one_of_the_latest_search(handbook: Path, capsys: Capture) -> None:
    assert execute(["search", "cocoa", "-k", "1", "--quiet"]) == 0
    capsys.readouterr()
    assert execute(["show", "1", "--around", "0", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["passage"]["id"] == "drinks.md#3"
    assert record["before"] == record["after"] == []


def test_what_is_remembered_is_for_the_owner_alone(handbook: Path, capsys: Capture) -> None:
    ask("When is the best coffee served?")
    assert stat.S_IMODE(last_file().stat().st_mode) == 0o600


def test_a_passage_is_found_by_its_id(handbook: Path, capsys: Capture) -> None:
    assert execute(["show", "drinks.md#2", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["path"] == str(handbook / "drinks.md")
    assert [item["id"] for item in (*record["before"], *record["after"])] == ["drinks.md#1", "drinks.md#3"]


def test_an_id_of_two_corpora_has_to_be_told_apart(handbook: Path, capsys: Capture) -> None:
    library.add([handbook], name="copy")
    assert execute(["show", "drinks.md#2"]) == 2
    assert "in several corpora (copy, handbook): choose one with --corpus" in capsys.readouterr().err
    assert execute(["show", "drinks.md#2", "--corpus", "copy"]) == 0


def test_a_corpus_that_changed_since_is_said_kindly(handbook: Path, capsys: Capture) -> None:
    ask("When is the best coffee served?")
    file = handbook / "drinks.md"
    file.write_text(file.read_text(encoding="utf-8").replace("best coffee", "worst coffee"), encoding="utf-8")
    library.add([handbook], name="handbook")
    capsys.readouterr()
    assert execute(["show", "1"]) == 0
    captured = capsys.readouterr()
    assert "The best coffee is served" in captured.out
    assert "handbook changed since you asked: the passage is shown as it was" in captured.err


def test_a_corpus_that_is_gone_is_no_error_either(handbook: Path, capsys: Capture) -> None:
    ask("When is the best coffee served?")
    library.remove("handbook")
    assert execute(["show", "1"]) == 0
    assert "The best coffee is served" in capsys.readouterr().out


def test_before_the_first_question_there_is_nothing_to_show(tmp_path: Path, capsys: Capture) -> None:
    library.add([write_toy_folder(tmp_path / "toys")], name="toys")
    assert execute(["show", "1"]) == 2
    assert "nothing to show yet: ask or search first" in capsys.readouterr().err


@pytest.mark.parametrize("which", ["99", "nothing.md#1"])
def test_what_is_not_there_is_a_users_mistake(which: str, handbook: Path, capsys: Capture) -> None:
    ask("When is the best coffee served?")
    assert execute(["show", which, "--quiet"]) == 2
    assert "passage" in capsys.readouterr().err


def test_a_damaged_memory_is_none(handbook: Path) -> None:
    remember("Who?", ["handbook"], [])
    assert recall() is not None
    for content in ("", "[]", '{"evidence": 3}', '{"question": "x", "corpora": [], "evidence": [{}]}'):
        last_file().write_text(content, encoding="utf-8")
        assert recall() is None


def test_a_home_that_cannot_be_written_does_not_keep_an_answer_back(handbook: Path, capsys: Capture) -> None:
    last_file().mkdir(parents=True)
    ask("When is the best coffee served?")
    assert json.loads(capsys.readouterr().out)["evidence"]


def test_open_hands_the_file_to_the_system_without_a_shell(
    handbook: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[list[str], dict[str, Any]]] = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")

    class Opener:
        """Stays open, as some do until their window is closed."""

        def __init__(self, command: list[str], **options: Any) -> None:
            started.append((command, options))

        def wait(self, timeout: float) -> int:
            raise subprocess.TimeoutExpired("xdg-open", timeout)

    monkeypatch.setattr(subprocess, "Popen", Opener)
    assert execute(["show", "drinks.md#2", "--open"]) == 0
    [(command, options)] = started
    assert command == ["/usr/bin/xdg-open", str(handbook / "drinks.md")]
    assert not options.get("shell")


def test_without_a_program_to_open_files_it_says_where_the_file_is(
    handbook: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert execute(["show", "drinks.md#2", "--open"]) == 1
    captured = capsys.readouterr()
    assert "The best coffee" in captured.out
    assert f"this system has no xdg-open to open files with; the file is {handbook / 'drinks.md'}" in captured.err


def test_an_opener_that_gives_up_has_not_opened_the_file(
    handbook: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("shutil.which", lambda name: "/bin/false")
    assert execute(["show", "drinks.md#2", "--open"]) == 1
    captured = capsys.readouterr()
    assert f"xdg-open found no program to open it with; the file is {handbook / 'drinks.md'}" in captured.err
    assert "opened" not in captured.out + captured.err


def test_a_file_that_is_gone_cannot_be_opened(handbook: Path, capsys: Capture) -> None:
    (handbook / "drinks.md").unlink()
    assert execute(["show", "drinks.md#2", "--open"]) == 1
    assert "no longer there" in capsys.readouterr().err
