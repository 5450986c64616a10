"""Open zipped documents without writing to disk or unpacking more than fits in memory, whatever the members are called.

Only what is asked for is unpacked, and every byte of it is counted as it comes: what the zip's own table says of sizes
is a stranger's word.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from types import TracebackType

from expound.corpus.read.raw import is_gzip, name_of, read_raw
from expound.errors import BadInput

# Together with MOST_NODES of `xml_tree` and MOST_TAGS of `webpage` these keep the reading of any zip below 900 MB
# (tests/corpus/read/test_memory.py). The longest novels are 10 MB of XML; pictures and films are never unpacked.
LARGEST_MEMBER = 64 << 20
LARGEST_TOTAL = 128 << 20
# About 100,000 members: a table of five million would fill the memory before a single one is read.
LARGEST_TABLE = 8 << 20
_BLOCK = 1 << 20
# The kinds that office files and books may use. The others unpack a block to any size before it can be counted.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class Archive:
    """The members of a zip file by name; all of them together give no more than LARGEST_TOTAL bytes."""

    def __init__(self, path: Path) -> None:
        self._name = name_of(path)
        self._file = _InPieces(io.BytesIO(read_raw(path)) if is_gzip(path) else path.open("rb", buffering=0))
        try:
            self._zip = zipfile.ZipFile(self._file)
        except BaseException:
            self._file.close()
            raise
        self.names = frozenset(self._zip.namelist())
        self._left = LARGEST_TOTAL

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()
        self._file.close()

    def read(self, name: str) -> bytes:
        """A member's bytes; refuses one that grows too large, and the one that makes all of them too large."""
        if self._zip.getinfo(name).compress_type not in _METHODS:
            raise BadInput(f"{self._name}: packed in a way that documents do not use; save it again and add that")
        allowed = min(LARGEST_MEMBER, self._left)
        data = bytearray()
        with self._zip.open(name) as stream:
            while block := stream.read(_BLOCK):
                data += block
                if len(data) > allowed:
                    raise too_large(self._name)
        self._left -= len(data)
        return bytes(data)


def too_large(name: str) -> BadInput:
    """The refusal of what would fill the memory."""
    return BadInput(f"{name}: unpacks to too much data (a zip bomb?); save its text as a .txt file instead")


class _InPieces(io.BufferedReader):
    """A file that gives no large piece at once: the zip's table is the only one that is ever asked for."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LARGEST_TABLE:
            raise zipfile.BadZipFile(f"its table of members is larger than {LARGEST_TABLE >> 20} MB")
        return super().read(size)
