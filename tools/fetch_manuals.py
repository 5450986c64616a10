"""Fetch the documentation inside PyPI source packages, to train the ranker of passages on.

    python tools/fetch_manuals.py src/expound/train/manual_packages.txt FOLDER

Writes FOLDER/NAME.json.gz for every line NAME==VERSION: licence as the metadata give it, and the pages.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from urllib.request import urlopen

METADATA = "https://pypi.org/pypi/{name}/json"
# Larger packages hold data, not text.
MOST_BYTES, MOST_PAGE_BYTES = 60_000_000, 600_000
SUFFIXES = (".md", ".rst", ".txt", ".mdx", ".adoc")
DOCUMENTATION = re.compile(
    r"(^|/)(docs?|documentation|doc-src|guide|manual|user_guide|FAQ[^/]*|README[^/]*)(/|$|\.)", re.I
)
OTHER = re.compile(
    r"(^|/)(tests?|changes|changelog|history|news|releases?|release[-_]notes|whatsnew|licen[cs]es?|requirements[^/]*|"
    r"vendor|_vendor|node_modules|locale|po)(/|\.|$)",
    re.I,
)


def fetch(line: str, folder: Path) -> str:
    """Store the pages of one package; what was done, in a line."""
    name, _, version = line.partition("==")
    url = METADATA.format(name=name)
    record = json.loads(read(url))
    # The licence is the newest version's; a package that changed it would have to be looked at.
    files = record["releases"].get(version) or record["urls"]
    sources = [file["url"] for file in files if file["packagetype"] == "sdist"]
    if not sources:
        return f"{line}: no source package"
    address = urljoin(url, sources[0])
    pages = [(path, text) for path, text in iter_pages(address, read(address)) if is_manual(path)]
    with gzip.open(folder / f"{name}.json.gz", "wt", encoding="utf-8") as file:
        json.dump({**described(record["info"]), "docs": pages}, file)
    return f"{line}: {len(pages)} pages"


def described(info: dict[str, Any]) -> dict[str, Any]:
    """Name, version and every word about the licence."""
    return {
        "package": info["name"],
        "version": info["version"],
        "licence": info.get("license_expression") or "",
        # Some packages put the whole text here: the first lines name it.
        "licence_text": (info.get("license") or "")[:200],
        "classifiers": [name for name in info["classifiers"] if name.startswith("License")],
    }


def is_manual(path: str) -> bool:
    """Whether a file of a package is a page for readers."""
    return path.endswith(SUFFIXES) and bool(DOCUMENTATION.search(path)) and not OTHER.search(path)


def iter_pages(url: str, data: bytes) -> Iterator[tuple[str, str]]:
    """Paths below the package's folder, and texts."""
    for path, content in iter_zip(data) if url.endswith(".zip") else iter_tar(data):
        if path.endswith(SUFFIXES):
            yield path.partition("/")[2], content.decode("utf-8", errors="replace")


def iter_zip(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Files of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for item in archive.infolist():
            if item.file_size < MOST_PAGE_BYTES:
                yield item.filename, archive.read(item)


def iter_tar(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Files of a tar archive."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and member.size < MOST_PAGE_BYTES else None
            if file:
                yield member.name, file.read()


def read(url: str) -> bytes:
    """The content of an address."""
    with urlopen(url, timeout=60) as response:
        content: bytes = response.read(MOST_BYTES)
        return content


def main() -> None:
    """Fetch every package of a list."""
    packages, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(6) as pool:
        for said in pool.map(lambda line: fetch(line, folder), packages.read_text(encoding="utf-8").split()):
            print(said)


if __name__ == "__main__":
    main()
