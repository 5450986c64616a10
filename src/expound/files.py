"""Files that are whole or absent: atomic writes, locks between processes, content hashes."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from expound.errors import StorageFull

_BLOCK = 1 << 20


@contextmanager
def written_whole(path: Path, *, mode: int = 0o666) -> Iterator[IO[str]]:
    """A text file that appears under its name only when the block ends without an error.

    `mode` says who may read it, less what the user's own settings take away.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.touch(mode=mode)
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise storage_error(error, path) from error
    finally:
        with suppress(OSError):  # a disk that cannot be written to says so here, too
            partial.unlink(missing_ok=True)


def is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or in the nearest parent that exists."""
    while not folder.exists():
        folder = folder.parent
    return os.access(folder, os.W_OK)


def storage_error(error: OSError, path: Path) -> Exception:
    """The clear form of a full or read-only disk; any other error as it is."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull(f"the disk is full: {path} could not be written; free some space and run the command again")
    if error.errno in (errno.EROFS, errno.EACCES):
        return StorageFull(f"{path} cannot be written: {error.strerror}")
    return error


@contextmanager
def locked(path: Path, *, busy: Exception | None = None) -> Iterator[None]:
    """Hold a lock file; if another process holds it, wait, or raise `busy` at once when given."""
    import fcntl  # POSIX only, and not needed by readers

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a")
    except OSError as error:
        raise storage_error(error, path) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError as error:
            raise (busy or error) from error
        yield


def sha256_of(path: Path) -> str:
    """The hex sha256 of a file, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
