"""Find the files to read below the given paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from expound.corpus.read.raw import name_of
from expound.errors import BadInput, NothingToRead
from expound.files import is_there

Closed: TypeAlias = Callable[[Path, str], None]
"""Called with a folder that cannot be looked into, and why."""
LeftOut: TypeAlias = Callable[[Path], None]
"""Called with a link that leads out of the folder it stands in, or nowhere, and with what is no file at all."""

# A path joins the two slashes of an address to one.
_LONGEST_SHOWN = 300
# Of two letters and more: "C:/" is a drive.
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+):/+", re.IGNORECASE)


def iter_visible_files(
    paths: Sequence[Path], *, closed: Closed | None = None, left_out: LeftOut | None = None
) -> Iterator[Path]:
    """Every file of the paths, folders in depth, sorted, each once; hidden files and folders are passed over.

    A folder that cannot be looked into is told to `closed` and passed over; without it, and for a path that was
    given, it is an error. A link that leads out of its folder is told to `left_out` and not followed, as is
    a pipe or socket.
    """
    for path in paths:
        check_path(path)
    return _walk(paths, closed, left_out or (lambda link: None))


def check_path(path: Path) -> None:
    """Refuse what is no document and no folder of them."""
    if not is_there(path) and (found := _ADDRESS.match(str(path))):
        raise NothingToRead(_about_address(found.group(1).lower(), name_of(path)))
    if not is_there(path):
        raise NothingToRead(f"{name_of(path)}: no such file or folder; check the spelling")
    if not (path.is_file() or path.is_dir()):
        raise BadInput(f"{name_of(path)}: neither a file nor a folder; give the path of a document")


def _about_address(scheme: str, name: str) -> str:
    address = _ADDRESS.sub(r"\1:///" if scheme == "file" else r"\1://", name)
    if scheme in ("http", "https"):
        how = f"`expound corpus add {address}` fetches a page and makes a corpus of it"
    elif scheme == "file":
        how = f"name it by its path: {_ADDRESS.sub('/', name)}"
    else:
        how = "fetch it, and give the path of what you saved"
    return f"{address} is no file; {how}"


def _walk(paths: Sequence[Path], closed: Closed | None, left_out: LeftOut) -> Iterator[Path]:
    seen: set[Path] = set()
    for root in paths:
        for file in _below(root, closed, left_out):
            target = file.resolve()
            if target not in seen:
                seen.add(target)
                yield file


def _below(root: Path, closed: Closed | None, left_out: LeftOut) -> Iterator[Path]:
    """The files below a path, which may itself be a file or a link."""
    inside = root.resolve()
    waiting = [root]
    while waiting:
        path = waiting.pop()
        try:
            if path.is_dir():
                waiting.extend(sorted(_children(path, inside, left_out), reverse=True))
            elif path.is_file():
                yield path
            else:
                left_out(path)
        except OSError as error:  # not allowed, or a path that is longer than paths can be
            if closed is None or path == root:
                raise BadInput(f"{name_of(path)}: {error.strerror}; allow reading it or leave it out") from error
            closed(path, f"{name_of(path)[:_LONGEST_SHOWN]}: {error.strerror}")


def _children(folder: Path, inside: Path, left_out: LeftOut) -> Iterator[Path]:
    """What is visible in a folder; a link is followed to a file of the same root, never to a folder."""
    for child in list(folder.iterdir()):
        if child.name.startswith("."):
            continue
        if child.is_symlink() and not _leads_into(child, inside):
            left_out(child)
        # A linked folder inside the root is visited under its own name, so that loops cannot occur.
        elif not (child.is_symlink() and child.is_dir()):
            yield child


def _leads_into(link: Path, inside: Path) -> bool:
    """Whether a link ends below the root; one that turns in circles or breaks off does not."""
    try:
        return link.resolve(strict=True).is_relative_to(inside)
    except (OSError, RuntimeError):
        return False
