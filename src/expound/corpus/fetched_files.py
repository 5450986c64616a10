"""Files of a corpus that came from an address: kept in its folder, known by the address."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from expound.corpus.fetching import Fetched
from expound.corpus.store import Store
from expound.files import appearing_whole

_FOLDER = "fetched"
_ADDRESS = "address "  # of the fact that tells where a file came from


def keep_fetched(store: Store, folder: Path, fetched: Sequence[Fetched]) -> list[Path]:
    """Write what was fetched into the corpus folder; the paths to read, old ones too that are now forgotten."""
    paths: list[Path] = []
    for item in fetched:
        file = fetched_file(folder / _FOLDER, item)
        # A page that has become a PDF: its file of before is known to the store, and has gone.
        former = [other for other in file.parent.glob("*") if other != file]
        write_fetched(file, item.data)
        keep_addresses(store, {file: item.address})
        for other in former:
            other.unlink(missing_ok=True)
            keep_addresses(store, {other: ""})
        paths += [*former, file]
    return paths


def keep_addresses(store: Store, addresses: Mapping[Path, str]) -> None:
    """Note where files came from, before they are read."""
    for file, address in addresses.items():
        store.set_fact(_ADDRESS + os.path.abspath(file), address)


def address_of(store: Store, path: str) -> str:
    """The address that a file of the store was fetched from; nothing for the user's own files."""
    return store.fact(_ADDRESS + path)


def fetched_file(folder: Path, item: Fetched) -> Path:
    """The same folder for the same address; the name is the title of last resort, and so the page's own."""
    parts = urlsplit(item.address)
    name = PurePosixPath(unquote(parts.path)).stem or parts.hostname or ""
    return folder / sha256(item.address.encode()).hexdigest()[:12] / f"{_plain_name(name)}{item.suffix}"


def write_fetched(file: Path, data: bytes) -> None:
    """Write what an address gave, for this user alone: on the disk, and whole, when this returns."""
    with appearing_whole(file, mode=0o600) as partial:
        partial.write_bytes(data)


def _plain_name(name: str) -> str:
    """A name as every file system takes it, and as no shell takes it for something else."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-._")[:60] or "page"
