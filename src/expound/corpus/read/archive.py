"""Open zipped documents without writing to disk or unpacking more than fits in memory."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from expound.corpus.read.raw import name_of, read_raw
from expound.errors import BadInput

LARGEST_MEMBER = 64 << 20
LARGEST_TOTAL = 512 << 20


def open_archive(path: Path) -> zipfile.ZipFile:
    """The zip file, checked: what its table says is also the most that reading a member can give."""
    archive = zipfile.ZipFile(io.BytesIO(read_raw(path)))
    members = archive.infolist()
    texts = [member for member in members if member.filename.lower().endswith(("ml", ".opf", ".rels"))]
    if sum(m.file_size for m in members) > LARGEST_TOTAL or any(m.file_size > LARGEST_MEMBER for m in texts):
        raise BadInput(f"{name_of(path)}: unpacks to too much data (a zip bomb?); save its text as a .txt file instead")
    return archive
