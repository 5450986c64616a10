"""Files that are whole or absent: atomic writes, locks between processes, content hashes, and who may look."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from expound.errors import BadInput, StorageFull, UserError

_BLOCK = 1 << 20
_OTHERS = 0o077  # the bits of group and others, none of which a private file has
_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}


@contextmanager
def write_whole(path: Path, *, mode: int = 0o666) -> Iterator[IO[str]]:
    """A text file that appears under its name only when the block ends without an error.

    `mode` says who may read it, less what the user's own settings take away.
    """
    with appearing_whole(path, mode=mode) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        yield file


@contextmanager
def appearing_whole(path: Path, *, mode: int = 0o666) -> Iterator[Path]:
    """The same for whatever writes to a path by itself: an empty file beside the other, which then takes its name."""
    # With the process's number: two writers must not write into one partial file.
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Before anything is in it: there is no moment at which others could read it.
        partial.touch(mode=mode)
        yield partial
        with partial.open("rb") as file:
            # On the disk before it gets its name, or a power cut leaves an empty file under it.
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise storage_error(error, path) from error
    finally:
        with suppress(OSError):  # a disk that cannot be written to says so here, too
            partial.unlink(missing_ok=True)


def is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or in the nearest parent that exists."""
    while not os.access(folder, os.F_OK) and folder != folder.parent:
        folder = folder.parent
    return os.access(folder, os.W_OK)


def is_there(path: Path) -> bool:
    """Whether a path leads to something; one that is too long or may not be looked at does not."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def user_path(text: str) -> Path:
    """The path that a text names, where `~` is the user's home."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise UserError(f"{text}: there is no such home; write the path in full") from error


def check_kind(path: Path) -> None:
    """Refuse what only looks like a file: files are read more than once, and a pipe may be waited at for ever."""
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
    except ValueError as error:
        raise BadInput(f"{str(path)!a} is no path: it holds a NUL") from error
    if kind in _KINDS:
        raise BadInput(f"{path} is {_KINDS[kind]}, not a file; write what comes out of it to a file first")


def check_folder(folder: Path) -> None:
    """Refuse a folder that could not be made or written to; nothing is made."""
    nearest = _nearest_there(folder)
    if not nearest.is_dir():
        raise UserError(f"{folder} is no folder: {nearest} is a file")
    if not is_writable(nearest):
        raise StorageFull(f"{folder} cannot be written: Permission denied")


def check_file_place(file: Path) -> None:
    """Refuse a place where no file could be written, before the long work; nothing is made."""
    if file.is_dir():
        raise UserError(f"{file} is a folder; name a file")
    nearest = _nearest_there(file.parent)
    if not nearest.is_dir():
        raise UserError(f"{file} cannot be written: {nearest} is a file, not a folder")
    if not is_writable(nearest):
        raise StorageFull(f"{file} cannot be written: Permission denied")


def _nearest_there(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if is_there(path))


def is_locked(path: Path) -> bool:
    """Whether another process holds a lock file now."""
    import fcntl

    try:
        with path.open("rb") as file:
            # A shared lock: two who look do not disturb each other, and a writer refuses both.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # there is none, or none that we may look at
        return False
    return False


def remark(text: str) -> None:
    """A line on stderr: something was put right, and whoever wonders why it took longer should know."""
    sys.stderr.write(f"{text}\n")


def is_storage_error(error: OSError) -> bool:
    """Whether a disk is full or does not let us write."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


def storage_error(error: OSError, path: Path) -> Exception:
    """The clear form of a full or read-only disk, or of a path that cannot be one; any other error as it is."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull(f"the disk is full: {path} could not be written; free some space and run the command again")
    if is_storage_error(error):
        return StorageFull(f"{path} cannot be written: {error.strerror}")
    # Which of the parents is no folder: the system only says that some is not.
    if file := next((item for item in path.parents if is_there(item) and item.is_file()), None):
        return UserError(f"{path} cannot be written: {file} is a file, not a folder")
    if isinstance(error, IsADirectoryError):
        return UserError(f"{path} is a folder; name a file")
    return error


@contextmanager
def hold_lock(path: Path, *, busy: Exception | None = None) -> Iterator[None]:
    """Hold a lock file; if another process holds it, wait, or raise `busy` at once when given."""
    import fcntl  # POSIX only, and not needed by readers

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Append mode: the file is made if need be, and never emptied.
        file = path.open("a")
    except OSError as error:
        raise storage_error(error, path) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError as error:
            raise (busy or error) from error
        yield


@contextmanager
def hold_named_lock(path: Path, *, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold a lock file that is there only while somebody wants it: there may be as many names as there are keys.

    `on_wait` is called when somebody else holds it.
    """
    file = _hold_lock(path, on_wait)
    try:
        yield
    finally:
        with suppress(OSError):
            # Removed while the lock is still held: whoever waits notices in `_held` that its file has no name.
            path.unlink(missing_ok=True)
        file.close()


def _hold_lock(path: Path, on_wait: Callable[[], None] | None) -> IO[str]:
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        file = path.open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if on_wait:
                on_wait()
            fcntl.flock(file, fcntl.LOCK_EX)
        # Between opening and locking, the file may have been removed by its last holder.
        if _is_at(path, file):
            return file
        file.close()  # who held it has removed it: a lock on a file without a name keeps nobody out


def _is_at(path: Path, file: IO[str]) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def private_folder(folder: Path) -> Path:
    """The folder, made if need be, for this user alone; one that others could look into is closed to them."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _close_to_others(folder)
    return folder


def private_file(path: Path) -> Path:
    """The file, made empty if need be, for this user alone."""
    path.touch(mode=0o600)
    _close_to_others(path)
    return path


def close_below(folder: Path) -> None:
    """Close to others whatever libraries made in a folder: they ask nobody with which rights."""
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            with suppress(FileNotFoundError):  # a lock or a log that its library took away meanwhile
                if not path.is_symlink():  # what it leads to is not in this folder
                    _close_to_others(path)


def _close_to_others(path: Path) -> None:
    mode = path.stat().st_mode
    if mode & _OTHERS:
        with suppress(OSError):  # it is somebody else's, who decides on it
            path.chmod(mode & 0o700)


def sha256_of(path: Path) -> str:
    """The hex sha256 of a file, read in blocks."""
    check_kind(path)
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
