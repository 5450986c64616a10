"""A backup is whole or absent, and a study that can be opened."""

from __future__ import annotations

import errno
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from expound.errors import StorageFull
from expound.study.engine import backup
from expound.study.engine.opened import Study, open_study
from expound.study.engine.study_store import StudyStore
from expound.study.out.judgments import judgments_of
from study.study_helpers import Browse, Make, action_of, fill, join


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_copy_goes_on_as_the_study_that_it_was(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make(overlap=1)
    browser = browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page))
    before = names_in(tmp_path)
    assert backup.back_up(study, tmp_path / "copy.db") > 0
    assert names_in(tmp_path) - before == {"copy.db"}  # one file, without a log beside it
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    plan = (tmp_path / "study.toml").read_text(encoding="utf-8")
    (tmp_path / "again.toml").write_text(f'database = "copy.db"\nitems = "study.items.jsonl"\n{plan}', encoding="utf-8")
    again = open_study(tmp_path / "again.toml")
    assert again.secret("join_token") == study.secret("join_token")
    assert len(list(judgments_of(again))) == len(list(judgments_of(study))) == 5


def test_a_copy_that_is_made_while_someone_writes_sees_what_is_saved(make: Make, tmp_path: Path) -> None:
    study = make(overlap=1)
    with study.store.writing():
        assert backup.back_up(study, tmp_path / "copy.db") > 0


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), sqlite3.OperationalError("database or disk is full")]
)
def test_what_breaks_off_leaves_nothing(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    study = make()
    before = names_in(tmp_path)
    monkeypatch.setattr(backup, "_copy_file", broken_off(error))
    with pytest.raises(StorageFull):
        backup.back_up(study, tmp_path / "copy.db")
    assert names_in(tmp_path) == before


def broken_off(error: Exception) -> Callable[[StudyStore, Path], None]:
    """A copy that gets half-way."""

    def copy(_store: StudyStore, to: Path) -> None:
        to.write_bytes(b"SQLite format 3\0" + b"half")
        raise error

    return copy


def test_the_name_is_there_only_when_the_copy_is_whole(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study: Study = make()
    out, copy = tmp_path / "copy.db", backup._copy_file

    def look_on(store: StudyStore, to: Path) -> None:
        copy(store, to)
        assert not out.exists()

    monkeypatch.setattr(backup, "_copy_file", look_on)
    backup.back_up(study, out)
    assert out.exists()
