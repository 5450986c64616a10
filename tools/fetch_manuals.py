"""Fetch the documentation inside PyPI source packages, to train the ranker of passages on.

    python tools/fetch_manuals.py src/expound/train/manual_packages.txt FOLDER

Writes FOLDER/NAME.json.gz for every line NAME==VERSION: licence as the metadata give it, and the pages.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import Any

# A larger file holds data, not a page.
MOST_PAGE_BYTES = 600_000
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
    with tempfile.TemporaryDirectory() as scratch:
        options = ["-qq", "--no-deps", "--no-binary", ":all:", "-d", scratch]
        command = [sys.executable, "-P", "-m", "pip", "download", *options, line]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            return f"{line}: no source package"
        [source] = Path(scratch).iterdir()
        files = dict(iter_files(source))
    pages = [(path, content.decode("utf-8", errors="replace")) for path, content in files.items() if is_manual(path)]
    described = licence_of(BytesParser().parsebytes(files.get("PKG-INFO", b"")))
    with gzip.open(folder / f"{line.partition('==')[0]}.json.gz", "wt", encoding="utf-8") as file:
        json.dump({**described, "docs": pages}, file)
    return f"{line}: {len(pages)} pages"


def licence_of(info: Message) -> dict[str, Any]:
    """Name, version and every word about the licence."""
    return {
        "package": info["Name"],
        "version": info["Version"],
        "licence": info["License-Expression"] or "",
        # Some packages put the whole text here: the first lines name it.
        "licence_text": (info["License"] or "")[:200],
        "classifiers": [name for name in info.get_all("Classifier", []) if name.startswith("License")],
    }


def is_manual(path: str) -> bool:
    """Whether a file of a package is a page for readers."""
    return path.endswith(SUFFIXES) and bool(DOCUMENTATION.search(path)) and not OTHER.search(path)


def iter_files(source: Path) -> Iterator[tuple[str, bytes]]:
    """Paths below the package's folder, and contents."""
    for path, content in iter_zip(source) if source.suffix == ".zip" else iter_tar(source):
        yield path.partition("/")[2], content


def iter_zip(source: Path) -> Iterator[tuple[str, bytes]]:
    """Files of a zip archive."""
    with zipfile.ZipFile(source) as archive:
        for item in archive.infolist():
            if item.file_size < MOST_PAGE_BYTES:
                yield item.filename, archive.read(item)


def iter_tar(source: Path) -> Iterator[tuple[str, bytes]]:
    """Files of a tar archive."""
    with tarfile.open(source) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and member.size < MOST_PAGE_BYTES else None
            if file:
                yield member.name, file.read()


def main() -> None:
    """Fetch every package of a list."""
    packages, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for line in packages.read_text(encoding="utf-8").split():
        print(fetch(line, folder))


if __name__ == "__main__":
    main()
