"""Paths as no one would type them: each gets one clear line, and what can be read is read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Capture, error_line
from expound.cli import execute
from expound.corpus import library
from expound.errors import UnknownName, UserError
from expound.testing import write_toy_folder

LETTER = "The lighthouse at Holm was built in 1843 by nine masons."
NOT_UTF8 = os.fsdecode(b"caf\xe9")


def test_showing_a_path_adds_nothing(tmp_path: Path, capsys: Capture) -> None:
    folder = write_toy_folder(tmp_path / "toys")
    for arguments in (["corpus", "show", str(folder)], ["index", "info", str(folder)], ["index", "build", str(folder)]):
        assert execute(arguments) == 2
        assert f"`expound corpus add {folder}` makes one of it" in error_line(capsys)
    assert library.corpus_names() == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["corpus", "add", ""],
        ["corpus", "show", ""],
        ["ask", "What is it?", "--corpus", ""],
        ["ask", "What is it?", "--corpus="],
        ["run", "plan.toml", "--out", ""],
    ],
)
def test_an_empty_path_is_not_the_current_folder(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    write_toy_folder(tmp_path / "toys")
    monkeypatch.chdir(tmp_path / "toys")
    before = sorted(Path.cwd().iterdir())
    assert execute(arguments) == 2
    assert "is empty; give it a value or leave it out" in error_line(capsys)
    assert library.corpus_names() == []
    assert sorted(Path.cwd().iterdir()) == before


def test_no_word_is_no_corpus() -> None:
    with pytest.raises(UnknownName):
        library.open_corpus("")


def refuse(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let a folder be closed, also to root."""
    listed = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)


def test_a_closed_folder_is_named_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for name in ("open", "closed"):
        (tmp_path / "docs" / name).mkdir(parents=True)
        (tmp_path / "docs" / name / "letter.txt").write_text(f"{LETTER} It is {name}.")
    with monkeypatch.context() as patch:
        refuse(patch, tmp_path / "docs" / "closed")
        assert execute(["corpus", "add", str(tmp_path / "docs")]) == 0
        assert "closed: Permission denied" in capsys.readouterr().out
    corpus, summary = library.add([tmp_path / "docs"], name="docs")
    assert (summary.added, summary.rejected, corpus.store.rejects()) == (1, {}, [])
    with monkeypatch.context() as patch:
        refuse(patch, tmp_path / "docs" / "closed")
        corpus, summary = library.add([tmp_path / "docs"], name="docs")
    assert (summary.gone, corpus.store.count("documents")) == (0, 2)


def test_a_closed_folder_alone_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "docs" / "closed").mkdir(parents=True)
    for folder in (tmp_path / "docs", tmp_path / "docs" / "closed"):
        with monkeypatch.context() as patch:
            refuse(patch, tmp_path / "docs" / "closed")
            assert execute(["corpus", "add", str(folder)]) == 2
        assert "Permission denied" in error_line(capsys)


def test_ten_thousand_nested_folders_are_passed_over(tmp_path: Path, capsys: Capture) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "letter.txt").write_text(LETTER)
    with contextlib.chdir(docs):
        for _ in range(10_000):
            Path("d").mkdir()
            os.chdir("d")
    assert execute(["corpus", "add", str(docs)]) == 0
    out = capsys.readouterr().out
    assert "1 new" in out
    assert "File name too long" in out
    _remove_deep(docs / "d")


def _remove_deep(folder: Path) -> None:
    """`shutil.rmtree` needs whole paths, and these are too long to be one."""
    depth = 0
    with contextlib.chdir(folder):
        while Path("d").is_dir():
            os.chdir("d")
            depth += 1
        for _ in range(depth):
            os.chdir("..")
            Path("d").rmdir()


@pytest.mark.parametrize("path", ["x" * 5000, "folder/" * 800, "~nobody-of-that-name/x", "/dev/null/x", "\x01"])
def test_a_path_that_cannot_be_is_not_there(path: str, capsys: Capture) -> None:
    assert execute(["corpus", "add", path]) == 2
    line = error_line(capsys)
    assert "no such file or folder" in line or "characters that are not text" in line
    assert len(line) < 500
    assert execute(["--quiet", "ask", "What is it?", "--corpus", path]) == 2
    assert len(error_line(capsys)) < 500


@pytest.mark.parametrize("arguments", [["corpus", "add"], ["ask"], ["search"], ["ask", "x", "--corpus"]])
def test_words_that_are_not_utf8_are_refused(arguments: list[str], capsys: Capture) -> None:
    assert execute([*arguments, NOT_UTF8]) == 2
    assert error_line(capsys) == r"error: 'caf\udce9' is not UTF-8; rename the file, or set your terminal to UTF-8"


def test_a_folder_whose_name_is_not_utf8_is_refused_and_one_inside_is_passed_over(tmp_path: Path) -> None:
    inside = tmp_path / "docs" / NOT_UTF8
    inside.mkdir(parents=True)
    (inside / "letter.txt").write_text(LETTER)
    (tmp_path / "docs" / "letter.txt").write_text(LETTER)
    _, summary = library.add([tmp_path / "docs"], name="docs")
    assert summary.added == 1
    [reason] = summary.rejected.values()
    assert "caf\ufffd/letter.txt: the name has characters that are not text; rename it" in reason
    with pytest.raises(UserError, match="characters that are not text"):
        library.add([inside], name="inside")


def test_two_spaces_in_a_name_are_text(tmp_path: Path) -> None:
    (tmp_path / "two  spaces.txt").write_text(LETTER)
    assert library.add([tmp_path], name="docs")[1].added == 1


@pytest.mark.parametrize(
    ("home", "says"),
    [
        ("/proc/no/such/place", "cannot be made"),
        ("/dev/null", "is not a folder"),
        ("/dev/null/below", "is not a folder"),
        ("x" * 300, "cannot be made: File name too long"),
        ("y/" * 3000, "cannot be made: File name too long"),
        ("~nobody-of-that-name/home", "set EXPOUND_HOME"),
        (NOT_UTF8, "is not UTF-8"),
    ],
)
@pytest.mark.parametrize("arguments", [["ask", "What is it?"], ["corpus", "list"], ["models", "list"]])
def test_a_home_that_cannot_be_made_is_one_clear_line(
    home: str, says: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXPOUND_HOME", home)
    assert execute(["--quiet", *arguments]) == 2
    assert says in error_line(capsys)


def test_a_folder_that_is_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert execute(["corpus", "add", "letter.txt"]) == 2
    assert error_line(capsys) == "error: the current folder is gone; change to one that exists"
