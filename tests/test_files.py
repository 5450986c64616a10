"""Files are whole or absent, and a disk that cannot be written to says so in one line."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from expound.errors import StorageFull
from expound.files import written_whole


def test_a_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.txt"
    with written_whole(path) as file:
        file.write("one\n")
        assert not path.exists()
    assert path.read_text() == "one\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["file.txt"]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), written_whole(path) as file:
        file.writelines(["half", "\ud800"])
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.parametrize("step", ["mkdir", "open", "unlink"])
def test_a_read_only_disk_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, step, refuse)
    if step == "unlink":  # nothing can be tidied up there either; the first error is the one to tell
        monkeypatch.setattr(Path, "open", refuse)
    with (
        pytest.raises(StorageFull, match=r"file\.txt cannot be written: Read-only"),
        written_whole(tmp_path / "file.txt"),
    ):
        pass
