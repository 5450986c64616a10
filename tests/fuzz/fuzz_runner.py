"""Runs a row in a world of its own, and says what came of it."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from expound.cli import execute
from fuzz.fuzz_rows import ODD_FOLDER, Row
from fuzz.odd_values import CHANGES, CONTENTS, GZIPS, PLACES

_GIVEN_UP_AFTER_SECONDS = 300
"""A row that waits for something waits for ever: this ends it, and says nothing about speed."""


# Locks stay for who comes next, databases open files beside them, and a cache may hold anything at any time.
_OF_NO_ACCOUNT = re.compile(r"\.lock$|\.(sqlite|db)-(shm|wal)$|^home/cache(/|$)")


class Hangs(BaseException):
    """A command that waits for what will never come."""


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str
    changed: tuple[str, ...]
    """The files that are there, gone or other than before."""


def run_row(row: Row, world: Path) -> Outcome:
    """Run a row in a world; the current folder is the world, and its home is below it."""
    make_odd_file(row, world)
    before = _files_of(world)
    with _captured(row.stdin) as (out, err), _alarm():
        code = execute(["--quiet", *row.arguments])
    after = _files_of(world)
    changed = sorted(set(before.items()) ^ set(after.items()))
    return Outcome(code, out.getvalue(), err.getvalue(), tuple(dict.fromkeys(name for name, _ in changed)))


def make_odd_file(row: Row, world: Path) -> None:
    """Make the file that a row names, if it names one."""
    (world / ODD_FOLDER).mkdir(exist_ok=True)
    file = world / row.file
    if row.makes == "place":
        PLACES[row.odd](file)
    elif row.makes == "content":
        file.write_bytes(CONTENTS[row.odd])
    elif row.makes in ("change", "gzip"):
        change = CHANGES.get(row.odd) or GZIPS[row.odd]
        usual = world / row.like
        file.write_bytes(change(usual.read_bytes() if usual.is_file() else b"{}"))


def _files_of(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file and folder below a folder, with what would show that it was written to."""
    found = {}
    for file in folder.rglob("*"):
        name, status = str(file.relative_to(folder)), file.lstat()
        if not _OF_NO_ACCOUNT.search(name):
            found[name] = (0, 0) if stat.S_ISDIR(status.st_mode) else (status.st_size, status.st_mtime_ns)
    return found


@contextlib.contextmanager
def _captured(given: bytes) -> Iterator[tuple[io.StringIO, io.StringIO]]:
    out, err = io.StringIO(), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield out, err
    finally:
        sys.stdin = stdin


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(_GIVEN_UP_AFTER_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
