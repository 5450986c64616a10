"""A corpus that is being made, was cut off or is damaged says so; it never answers as if it were whole."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from expound.cli import execute
from expound.corpus import library
from expound.errors import CorpusUnfinished, Damaged
from expound.index.vectors import VectorStore
from expound.testing import write_toy_folder

Capture = pytest.CaptureFixture[str]
QUESTION = "Which countries does the Danube flow through?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_toy_folder(tmp_path / "toys")


@pytest.fixture
def toys(folder: Path) -> library.Corpus:
    corpus, _ = library.add([folder], name="toys")
    corpus.close()
    return corpus


@pytest.fixture(params=["reading", "indexing"])
def half_way(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A first `add` that another thread is in the middle of."""
    reached, go_on = threading.Event(), threading.Event()
    build = library.build_indexes

    def wait(*_: object) -> None:
        reached.set()
        go_on.wait()

    def build_late(*arguments: Any, **options: Any) -> None:
        wait()
        build(*arguments, **options)

    if request.param == "indexing":
        monkeypatch.setattr(library, "build_indexes", build_late)
    report = wait if request.param == "reading" else None
    adding = threading.Thread(target=lambda: library.add([folder], name="toys", report=report))
    adding.start()
    reached.wait()
    yield
    go_on.set()
    adding.join()


@pytest.mark.usefixtures("half_way")
@pytest.mark.parametrize("arguments", [["ask", QUESTION], ["search", "Danube"], ["corpus", "show", "toys"]])
def test_a_corpus_that_is_being_made_is_not_asked_yet(arguments: list[str], capsys: Capture) -> None:
    assert execute(arguments) == 1
    assert "error: the corpus 'toys' is still being made by another process" in capsys.readouterr().err


def test_a_first_add_that_was_killed_says_how_to_go_on(folder: Path, capsys: Capture, expound_home: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from expound.corpus import library\n"
        "die = lambda name, done, total: done == 2 and os.kill(os.getpid(), signal.SIGKILL)\n"
        "library.add([Path(sys.argv[1])], name='toys', report=die)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, folder], env={**os.environ, "EXPOUND_HOME": str(expound_home)}
    )
    assert done.returncode == -signal.SIGKILL
    assert execute(["ask", QUESTION]) == 1
    said = capsys.readouterr().err
    assert "'toys' is unfinished: its first `corpus add` was stopped" in said
    assert f"run `expound corpus add {folder} --name toys` again" in said
    with pytest.raises(CorpusUnfinished):
        library.open_corpus("toys")
    assert execute(["corpus", "list"]) == 0
    assert "is unfinished" in capsys.readouterr().out
    assert execute(["corpus", "add", str(folder), "--name", "toys"]) == 0
    assert execute(["ask", QUESTION]) == 0


def test_other_paths_do_not_finish_a_corpus(folder: Path, tmp_path: Path, toys: library.Corpus) -> None:
    library.Corpus("toys", toys.folder).store.set_fact(library.UNFINISHED, str(folder))
    (tmp_path / "letter.txt").write_text("The lighthouse at Holm was built in 1843.")
    library.add([tmp_path / "letter.txt"], name="toys")
    with pytest.raises(CorpusUnfinished):
        library.open_corpus("toys")
    library.add([folder], name="toys")
    library.open_corpus("toys")


Damage = Callable[[Path], None]


def empty(file: Path) -> None:
    file.write_bytes(b"")


def spoil(file: Path) -> None:
    """Overwrite all but the first page, as a bad disk would."""
    data = file.read_bytes()
    file.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def turn(file: Path) -> None:
    file.write_bytes(file.read_bytes()[::-1])


def garble(file: Path) -> None:
    file.write_bytes(b"no database at all\n" * 500)


def drop_table(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("DROP TABLE passages")


@pytest.mark.parametrize("damage", [empty, spoil, cut, garble, drop_table])
@pytest.mark.parametrize("arguments", [["ask", QUESTION], ["search", "Danube"], ["corpus", "show", "toys"]])
def test_a_damaged_corpus_is_named(damage: Damage, arguments: list[str], toys: library.Corpus, capsys: Capture) -> None:
    damage(toys.folder / "passages.sqlite")
    assert execute(arguments) == 1
    said = capsys.readouterr().err
    assert "passages.sqlite" in said
    assert "remove the corpus and add the documents again" in said
    assert "mistake in expound" not in said


def test_a_damaged_corpus_does_not_hide_the_others(toys: library.Corpus, folder: Path, capsys: Capture) -> None:
    library.add([folder], name="whole")[0].close()
    spoil(toys.folder / "passages.sqlite")
    for command in (["corpus", "list", "--json"], ["index", "info", "--json"]):
        assert execute(command) == 0
        said = json.loads(capsys.readouterr().out)
        rows = said if isinstance(said, list) else said["indexes"]
        states = {row.get("name", row.get("corpus")): row for row in rows}
        assert "damaged" in states["toys"]["state"]
        assert states["whole"]["passages"] > 0
    assert execute(["corpus", "list"]) == 0
    assert execute(["index", "info"]) == 0
    assert execute(["ask", QUESTION, "--corpus", "whole"]) == 0


@pytest.mark.parametrize("damage", [empty, garble, turn])
def test_a_damaged_index_says_how_to_build_it_anew(damage: Damage, toys: library.Corpus, capfd: Capture) -> None:
    for file in (toys.folder / "lexical").iterdir():
        if not file.name.endswith((".lock", ".format")):
            damage(file)
    assert execute(["ask", QUESTION]) == 1
    assert "expound index build toys" in capfd.readouterr().err
    assert execute(["index", "build", "toys"]) == 0
    assert execute(["ask", QUESTION]) == 0


def test_an_emptied_corpus_can_be_added_again(toys: library.Corpus, folder: Path) -> None:
    empty(toys.folder / "passages.sqlite")
    corpus, summary = library.add([folder], name="toys")
    assert summary.added == len(list(folder.iterdir()))
    assert len(corpus.lexical) == corpus.store.count()


def test_a_damaged_corpus_can_be_removed(toys: library.Corpus) -> None:
    garble(toys.folder / "passages.sqlite")
    assert execute(["corpus", "remove", "toys"]) == 0
    assert not toys.folder.exists()


@pytest.mark.parametrize("file", ["vectors.sqlite", "ranks.sqlite"])
@pytest.mark.parametrize("damage", [garble, spoil, cut])
@pytest.mark.usefixtures("embedder_files", "toys")
def test_a_damaged_cache_is_thrown_away_with_a_line(
    file: str, damage: Damage, expound_home: Path, capsys: Capture
) -> None:
    cache = VectorStore(expound_home / "cache" / file)
    cache.put([(bytes([number] * 16), bytes(700)) for number in range(100)])
    cache.close()
    damage(cache.path)
    assert execute(["ask", QUESTION]) == 0
    said = capsys.readouterr().err
    assert f"{file} is damaged" in said
    assert "thrown away" in said
    assert execute(["ask", QUESTION]) == 0
    assert "damaged" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["minilm", "minilm-tokenizer"])
@pytest.mark.usefixtures("toys")
def test_a_damaged_model_file_is_refused_by_name(
    name: str, embedder_files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    bad = tmp_path / f"bad-{embedder_files[name].name}"
    shutil.copy(embedder_files[name], bad)
    bad.write_bytes(bad.read_bytes()[:-1000].replace(b"e", b"x"))
    variable = f"EXPOUND_RESOURCE_{name.upper().replace('-', '_')}"
    monkeypatch.setenv(variable, str(bad))
    assert execute(["ask", QUESTION]) == 1
    said = capsys.readouterr().err
    assert f"{bad} cannot be loaded" in said
    assert f"{variable} names it" in said


def test_a_fetched_file_that_is_damaged_says_how_to_get_it_again(expound_home: Path) -> None:
    from expound import resources
    from expound.models.embedder import open_tokenizer

    file = expound_home / "resources" / resources.find("minilm-tokenizer").file
    file.parent.mkdir(parents=True)
    file.write_bytes(b"{")
    with pytest.raises(Damaged, match="run: expound models get minilm-tokenizer"):
        open_tokenizer(file)


def test_whoever_asks_does_not_wait_for_the_readers_of_all_formats() -> None:
    code = "import sys, expound.corpus.library, expound.system; sys.exit('expound.corpus.read.formats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
