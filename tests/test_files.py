"""Files are whole or absent, and a disk that cannot be written to says so in one line."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from expound.errors import BadInput, StorageFull, UserError
from expound.files import (
    check_file_place,
    check_folder,
    hold_named_lock,
    private_file,
    private_folder,
    sha256_of,
    user_path,
    write_whole,
)


def test_a_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.txt"
    with write_whole(path) as file:
        file.write("one\n")
        assert not path.exists()
    assert path.read_text() == "one\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["file.txt"]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), write_whole(path) as file:
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
        write_whole(tmp_path / "file.txt"),
    ):
        pass


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_lock_by_name_is_held_by_one_at_a_time_and_leaves_nothing_behind(tmp_path: Path) -> None:
    inside, most, guard = [0], [0], threading.Lock()

    def work() -> None:
        for _ in range(20):
            with hold_named_lock(tmp_path / "locks" / "key"):
                with guard:
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                with guard:
                    inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert list((tmp_path / "locks").iterdir()) == []


def test_who_waited_for_a_lock_that_was_removed_holds_the_one_that_others_see(tmp_path: Path) -> None:
    waits, first_may_go, second_is_in, second_may_go = (threading.Event() for _ in range(4))

    def second() -> None:
        with hold_named_lock(tmp_path / "key", on_wait=waits.set):
            second_is_in.set()
            second_may_go.wait(60)

    def first() -> None:
        with hold_named_lock(tmp_path / "key"):
            thread.start()
            first_may_go.wait(60)

    thread = threading.Thread(target=second)
    holder = threading.Thread(target=first)
    holder.start()
    assert waits.wait(60)
    first_may_go.set()
    assert second_is_in.wait(60)
    third_waits, third_is_in = threading.Event(), threading.Event()

    def third() -> None:
        with hold_named_lock(tmp_path / "key", on_wait=third_waits.set):
            third_is_in.set()

    last = threading.Thread(target=third)
    last.start()
    assert third_waits.wait(60)
    assert not third_is_in.is_set()
    second_may_go.set()
    assert third_is_in.wait(60)
    for ended in (holder, thread, last):
        ended.join()


def test_what_is_private_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        assert mode(private_folder(tmp_path / "a" / "new")) == 0o700
        assert mode(private_file(tmp_path / "new.sqlite")) == 0o600
    finally:
        os.umask(before)


def test_what_was_open_to_others_is_closed(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir(mode=0o755)
    (tmp_path / "old.sqlite").write_text("kept")
    (tmp_path / "old.sqlite").chmod(0o644)
    assert mode(private_folder(tmp_path / "old")) == 0o700
    assert mode(private_file(tmp_path / "old.sqlite")) == 0o600
    assert (tmp_path / "old.sqlite").read_text() == "kept"


@pytest.mark.parametrize("special", ["fifo", "device"])
def test_what_only_looks_like_a_file_is_refused_without_waiting(special: str, tmp_path: Path) -> None:
    path = tmp_path / "pipe" if special == "fifo" else Path(os.devnull)
    if special == "fifo":
        os.mkfifo(path)
    with pytest.raises(BadInput, match=r"is a (pipe|device), not a file"):
        sha256_of(path)


def test_a_home_of_nobody_is_said(tmp_path: Path) -> None:
    assert user_path(str(tmp_path)) == tmp_path
    with pytest.raises(UserError, match="there is no such home"):
        user_path("~no-such-user/x")


def test_a_folder_that_could_not_be_made_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    check_folder(tmp_path / "a" / "b")
    assert list(tmp_path.glob("a*")) == []
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="file is a file"):
        check_folder(tmp_path / "file" / "b")


def test_a_place_for_a_file_is_refused_before_the_work_and_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "file.txt").touch()
    for place, why in (("", "is a folder"), ("file.txt/page.html", "page.html cannot be written: .*file.txt is")):
        with pytest.raises(UserError, match=why):
            check_file_place(tmp_path / place)
    check_file_place(tmp_path / "new" / "page.html")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]
