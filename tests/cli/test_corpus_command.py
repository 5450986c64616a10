"""Bad input at the command line: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Capture, error_line
from expound.cli import execute
from expound.corpus.library import corpora_folder, corpus_names
from expound.files import hold_lock
from expound.testing import TOY_ARTICLES, write_jsonl, write_toy_folder


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_add_list_show_and_remove(tmp_path: Path, capsys: Capture) -> None:
    folder = write_toy_folder(tmp_path / "toys")
    assert execute(["corpus", "add", str(folder)]) == 0
    assert f"{len(TOY_ARTICLES)} new" in capsys.readouterr().out
    assert execute(["corpus", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == "toys"
    assert execute(["corpus", "show", "toys"]) == 0
    assert "passages" in capsys.readouterr().out
    assert execute(["index", "info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["indexes"][0]["by words"] == len(TOY_ARTICLES)
    assert execute(["corpus", "remove", "toys"]) == 0
    assert corpus_names() == []


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("garbage.txt", bytes(range(256)) * 40, "not a text file"),
        ("empty.txt", b"", "empty"),
        ("scan.pdf", b"%PDF-1.4\ngarbage", "PDF"),
        ("lines.jsonl", b'{"id": "1", "text": "Good."}\n{oops\n', "line 2"),
        ("cut.txt.gz", b"\x1f\x8b\x08\x00broken", "gz"),
        ("book.epub", b"PK\x03\x04nothing", "book.epub"),
    ],
)
def test_a_broken_file_is_one_clear_line(tmp_path: Path, capsys: Capture, name: str, data: bytes, says: str) -> None:
    assert execute(["corpus", "add", str(write(tmp_path / name, data)), "--name", "bad"]) == 2
    assert says in error_line(capsys)
    assert corpus_names() == []


def test_a_missing_path_is_a_users_mistake(tmp_path: Path, capsys: Capture) -> None:
    assert execute(["corpus", "add", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in error_line(capsys)


def test_a_name_in_front_of_the_paths_is_told_its_option(tmp_path: Path, capsys: Capture) -> None:
    assert execute(["corpus", "add", "notes", str(write_toy_folder(tmp_path / "toys"))]) == 2
    assert "say --name notes" in error_line(capsys)


def test_an_empty_folder_is_a_users_mistake(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "void").mkdir()
    assert execute(["corpus", "add", str(tmp_path / "void")]) == 2
    assert "no readable document" in error_line(capsys)


def test_an_unknown_corpus_gets_a_suggestion(tmp_path: Path, capsys: Capture) -> None:
    execute(["--quiet", "corpus", "add", str(write_toy_folder(tmp_path / "toys"))])
    capsys.readouterr()
    assert execute(["ask", "Who?", "--corpus", "toyz", "--quiet"]) == 2
    assert error_line(capsys) == "error: no corpus named 'toyz'; did you mean 'toys'?"


def test_a_second_add_at_once_is_refused(tmp_path: Path, capsys: Capture) -> None:
    folder = write_toy_folder(tmp_path / "toys")
    with hold_lock(corpora_folder() / ".toys.lock"):
        assert execute(["corpus", "add", str(folder)]) == 1
    assert "another expound process" in error_line(capsys)


def test_a_single_line_of_50_megabytes_is_read(tmp_path: Path, capsys: Capture) -> None:
    words = " ".join(f"word{number}" for number in range(1000))
    write(tmp_path / "long.txt", ((words + " ") * 6500).encode()[: 50 * 1024 * 1024])
    assert execute(["--quiet", "corpus", "add", str(tmp_path / "long.txt")]) == 0
    assert "1 new" in capsys.readouterr().out


def test_a_broken_file_among_good_ones_is_counted(tmp_path: Path, capsys: Capture) -> None:
    folder = write_toy_folder(tmp_path / "toys")
    write(folder / "bad.pdf", b"not a pdf")
    assert execute(["corpus", "add", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "1 not readable" in out
    assert "bad.pdf" in out


def test_hostile_text_reaches_the_terminal_as_text(tmp_path: Path, capsys: Capture) -> None:
    evil = "The \x1b[31mDanube\x1b[0m flows <script>alert(1)</script> [bold]through[/bold] ten \x07countries."
    write_jsonl(tmp_path / "evil.jsonl", [{"id": "\x1b[2Jx", "title": "Da\x1b]0;nube", "text": evil}])
    question = "Which ten countries does the Danube flow through?"
    for form in ("text", "markdown", "json"):
        assert execute(["--quiet", "ask", question, "--corpus", str(tmp_path / "evil.jsonl"), "--format", form]) == 0
        out = capsys.readouterr().out
        assert "\x1b" not in out
        assert "\x07" not in out
        assert "script" in out


def test_conditions_choose_passages(tmp_path: Path, capsys: Capture) -> None:
    rows = [{"id": str(n), "text": f"River number {n} flows here.", "kind": "a" if n else "b"} for n in range(3)]
    file = write_jsonl(tmp_path / "rows.jsonl", rows)
    assert execute(["--quiet", "corpus", "add", str(file), "--where", "meta.kind != b"]) == 0
    assert "1 left out" in capsys.readouterr().out
    assert execute(["corpus", "add", str(file), "--where", "kind is b"]) == 2
