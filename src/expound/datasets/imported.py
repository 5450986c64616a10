"""Datasets that were imported: a copy of the file in EXPOUND_HOME/datasets, known by name and by content."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from expound import resources
from expound.errors import BadInput, UserError
from expound.files import hold_lock, storage_error, write_whole
from expound.records import read_json, readable

# A name is a folder and a spec: no slash that leaves the home, no colon that a spec would take for a path.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CARD = "dataset.json"
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Imported:
    """A dataset kept by this machine: its layout, its file inside its folder, and the hash of its unpacked content."""

    name: str
    layout: str
    file: str
    sha256: str
    records: int

    @property
    def path(self) -> Path:
        """Where the copy is."""
        return datasets_folder() / self.name / self.file


def datasets_folder() -> Path:
    """Where imported datasets are kept; who only looks makes no folder."""
    return resources.home() / "datasets"


def imported_datasets() -> list[Imported]:
    """All imported datasets by name; a folder without a card is unfinished and not among them."""
    return [_read_card(card) for card in sorted(datasets_folder().glob(f"[!.]*/{_CARD}"))]


def import_file(path: Path, layout: str, *, name: str, count: Callable[[Path], int]) -> tuple[Imported, bool]:
    """Copy a file into the home under a name, and whether it is new; the same content again is the dataset it was.

    `count` reads the file whole, so that one of another layout is refused before anything is kept.
    """
    digest = content_hash(path)
    if known := _same(imported_datasets(), layout, digest):
        return known, False
    found = Imported(name=_check_name(name), layout=layout, file=path.name, sha256=digest, records=count(path))
    # Looked for twice: outside the lock because reading a large file under it would keep others waiting, and inside
    # since another process may have imported the same file in the meantime.
    with hold_lock(resources.home_folder("datasets") / ".lock"):
        if known := _same(imported_datasets(), layout, digest):
            return known, False
        _put(found, path)
    return found, True


def content_hash(path: Path) -> str:
    """The hex sha256 of what a file holds, unpacked: the same questions packed again are the same dataset."""
    digest = hashlib.sha256()
    with readable(path) as file:
        # In pieces: a dataset may be larger than the memory.
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def name_for(path: Path) -> str:
    """A dataset name made from a file name: `dev.json.gz` is `dev`."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path.name.split(".")[0]).strip("-._")[:64]
    # A file name of another script leaves nothing that a name may hold.
    return name if _NAME.fullmatch(name) else "dataset"


def _same(known: Iterable[Imported], layout: str, digest: str) -> Imported | None:
    return next((item for item in known if (item.layout, item.sha256) == (layout, digest)), None)


def _check_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UserError(f"{name!r} cannot be a dataset name; use up to 64 letters, digits, '.', '_' and '-'")
    return name


def _put(found: Imported, source: Path) -> None:
    """Make the folder under another name and rename it when it is whole."""
    folder = datasets_folder() / found.name
    if folder.exists():
        raise UserError(
            f"there is a dataset {found.name!r} with other content; give another --name, or delete {folder} first"
        )
    # With the process in its name: two imports at a time must not write into one folder. The dot hides it from the
    # list.
    partial = folder.with_name(f".{found.name}.{os.getpid()}.partial")
    try:
        partial.mkdir(parents=True)
        shutil.copyfile(source, partial / found.file)
        with write_whole(partial / _CARD) as file:
            json.dump(asdict(found), file, ensure_ascii=False, indent=1)
        # The card is inside by now: a folder that is seen is whole.
        partial.replace(folder)
    except OSError as error:
        raise storage_error(error, folder) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _read_card(card: Path) -> Imported:
    try:
        return Imported(**read_json(card))
    except TypeError as error:
        raise BadInput(f"{card} is not the card of a dataset; delete {card.parent} and import it again") from error
