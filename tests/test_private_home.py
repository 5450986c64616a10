"""What is kept of the user's documents is for the user alone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from expound import resources
from expound.corpus import library
from expound.datasets.imported import import_file
from expound.models.cache import ReplyCache
from expound.models.engine import Completion
from expound.models.readers import CachedReader
from expound.protocols import Reader
from expound.remembered import remember
from expound.testing import write_toy_folder
from expound.types import Span


class NoSpan:
    name = "none"

    def read(self, pairs: object) -> list[Span]:
        return []


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(home: Path) -> list[Path]:
    """The files that others can read: the file lets them, and so does every folder on the way to it."""
    closed = [path for path in (home, *home.rglob("*")) if not path.stat().st_mode & 0o077]
    return [path for path in home.rglob("*") if path.is_file() and not {path, *path.parents} & set(closed)]


def fill_home(tmp_path: Path) -> None:
    """A corpus, a dataset, a reply, a vector, what was read and what was asked last."""
    # Closed here: SQLite takes its log away when it is, and nobody must be listing files then.
    library.add([write_toy_folder(tmp_path / "docs")], name="toy")[0].close()
    file = tmp_path / "qa.jsonl"
    file.write_text(json.dumps({"question": "Who?", "references": ["I."]}))
    import_file(file, "qa", name="mine", count=lambda _path: 1)
    ReplyCache().put("k", Completion("text", 1, 1, 0.1), kind="complete", engine="e")
    library.vector_store().put([(b"key", b"value")])
    reader: Reader = NoSpan()
    CachedReader(reader, resources.home_folder("cache") / "spans-1.sqlite").read([])
    remember("Who?", ["toy"], [])


def test_a_new_home_and_all_its_folders_are_for_the_user_alone(tmp_path: Path, expound_home: Path) -> None:
    fill_home(tmp_path)
    assert expound_home.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in expound_home.iterdir() if path.is_dir()} == {0o700}


def test_the_databases_and_the_index_of_a_corpus_are_for_the_user_alone(tmp_path: Path, expound_home: Path) -> None:
    fill_home(tmp_path)
    assert (expound_home / "corpora" / "toy" / "passages.sqlite").exists()
    # Its own folder is closed: whatever libraries write into it, and whoever opens the folders above it.
    assert (expound_home / "corpora" / "toy").stat().st_mode & 0o777 == 0o700
    assert open_to_others(expound_home / "corpora") == []
    kept = [path for path in (expound_home / "cache").iterdir() if path.is_file() and path.stat().st_size]
    assert len(kept) >= 4
    assert not [path for path in kept if path.stat().st_mode & 0o077]


def test_the_folders_of_an_older_home_are_closed(tmp_path: Path, expound_home: Path) -> None:
    for name in ("corpora", "cache", "datasets"):
        (expound_home / name).mkdir(parents=True, mode=0o755)
    expound_home.chmod(0o755)
    fill_home(tmp_path)
    assert {(expound_home / name).stat().st_mode & 0o777 for name in ("corpora", "cache", "datasets")} == {0o700}


def test_a_folder_that_the_user_made_keeps_its_rights(expound_home: Path) -> None:
    expound_home.mkdir(mode=0o755)
    resources.home_folder("cache")
    assert expound_home.stat().st_mode & 0o777 == 0o755


def test_a_home_that_cannot_be_written_can_be_read(expound_home: Path) -> None:
    expound_home.mkdir()
    (expound_home / "cache").write_text("a file is in the way")
    assert resources.home_folder("cache", "hub") == expound_home / "cache" / "hub"


def test_writing_a_corpus_changes_nothing_for_other_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_mask: int) -> int:
        raise AssertionError("a umask is the whole process's")

    monkeypatch.setattr(os, "umask", forbidden)
    # Closed here: SQLite takes its log away when it is, and nobody must be listing files then.
    library.add([write_toy_folder(tmp_path / "docs")], name="toy")[0].close()
    library.remove("toy")
    monkeypatch.undo()


def test_every_file_of_a_corpus_is_closed_to_others_even_in_an_open_folder(tmp_path: Path, expound_home: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    (folder / "broken.docx").write_bytes(b"no archive")
    library.add([folder], name="toy")[0].close()
    made = list((expound_home / "corpora" / "toy").rglob("*"))
    assert {"passages.sqlite", "rejects.jsonl", "lexical", "meta.json"} <= {path.name for path in made}
    assert {path.name: path.stat().st_mode & 0o077 for path in made} == dict.fromkeys((path.name for path in made), 0)


def test_a_corpus_that_was_open_is_closed_when_it_is_written_again(tmp_path: Path, expound_home: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    library.add([folder], name="toy")[0].close()
    outside = tmp_path / "outside"
    outside.touch()
    outside.chmod(0o644)
    (expound_home / "corpora" / "toy" / "link").symlink_to(outside)
    made = [path for path in (expound_home / "corpora" / "toy").rglob("*") if not path.is_symlink()]
    for path in made:
        path.chmod(0o755 if path.is_dir() else 0o644)
    (folder / "more.txt").write_text("The lighthouse at Holm was built in 1843.", encoding="utf-8")
    library.add([folder], name="toy")[0].close()
    assert not [path for path in made if path.exists() and path.stat().st_mode & 0o077]
    assert outside.stat().st_mode & 0o777 == 0o644
