"""Find the files to read below the given paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from expound.corpus.read.raw import name_of
from expound.errors import BadInput, NothingToRead

# A path joins the two slashes of an address to one.
_ADDRESS = re.compile(r"(https?|ftp):/+", re.IGNORECASE)


def iter_visible_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Every file of the paths, folders in depth, sorted, each once; hidden files and folders are passed over."""
    for path in paths:
        if _ADDRESS.match(str(path)):
            address = _ADDRESS.sub(r"\1://", name_of(path))
            how = "save the page (in a browser, or with curl) and add the file"
            raise NothingToRead(f"{address}: expound does not fetch pages; {how}")
        if not path.exists():
            raise NothingToRead(f"{name_of(path)}: no such file or folder; check the spelling")
        if not (path.is_file() or path.is_dir()):
            raise BadInput(f"{name_of(path)}: neither a file nor a folder; give the path of a document")
    return _walk(paths)


def _walk(paths: Sequence[Path]) -> Iterator[Path]:
    seen: set[Path] = set()
    for root in paths:
        for file in _below(root):
            target = file.resolve()
            if target not in seen:
                seen.add(target)
                yield file


def _below(root: Path) -> Iterator[Path]:
    """The files below a path, which may itself be a file or a link."""
    inside = root.resolve()
    waiting = [root]
    while waiting:
        path = waiting.pop()
        if path.is_dir():
            waiting.extend(sorted(_children(path, inside), reverse=True))
        elif path.is_file():
            yield path


def _children(folder: Path, inside: Path) -> Iterator[Path]:
    """What is visible in a folder; a link is followed to a file of the same root, never to a folder."""
    try:
        children = list(folder.iterdir())
    except OSError as error:
        raise BadInput(f"{name_of(folder)}: {error.strerror}; allow reading it or leave it out") from error
    for child in children:
        if child.name.startswith("."):
            continue
        # A linked folder inside the root is visited under its own name, so that loops cannot occur.
        if not child.is_symlink() or (not child.is_dir() and _leads_into(child, inside)):
            yield child


def _leads_into(link: Path, inside: Path) -> bool:
    """Whether a link ends below the root; one that turns in circles or breaks off does not."""
    try:
        return link.resolve(strict=True).is_relative_to(inside)
    except (OSError, RuntimeError):
        return False
