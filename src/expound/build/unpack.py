"""Packed files as streams of bounded blocks, from any byte on; what is damaged is told, and the rest is read."""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Callable, Generator, Iterator
from typing import IO, Any

from expound.build.places import open_bytes

Damaged = Callable[[int, str], None]
"""Told of a place in the packed file that cannot be read, and why."""

_BLOCK = 1 << 20
# How a bzip2 stream begins: its name, the size of its blocks, and the mark of the first block.
BZIP2_MARKS = tuple(b"BZh%d1AY&SY" % size for size in range(1, 10))
GZIP_MARK = b"\x1f\x8b\x08"
ZSTD_MARK = b"\x28\xb5\x2f\xfd"
_LONGEST_MARK = 10  # bytes of a bzip2 mark


def iter_blocks(url: str, damaged: Damaged, *, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The unpacked content of a file, in blocks: of all streams that begin from `start` on and before `end`.

    Whether and how a file is packed is seen from its first bytes: its name may say anything.
    """
    with open_bytes(url) as file:
        mark = file.read(_LONGEST_MARK)
        file.seek(start)
        if mark[:3] == b"BZh":
            yield from _streams(file, start, end, damaged, marks=BZIP2_MARKS, make=bz2.BZ2Decompressor)
        elif mark.startswith(GZIP_MARK):
            yield from _streams(file, start, end, damaged, marks=(GZIP_MARK,), make=_Gzip)
        elif mark.startswith(ZSTD_MARK):
            yield from _zstd(file, damaged)
        else:
            yield from _plain(file, start, end)


def iter_lines(url: str, damaged: Damaged, *, longest: int) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a file, packed or not; one that is longer than may be is told and left out."""
    rest, number, is_too_long = b"", 1, False
    for block in iter_blocks(url, damaged):
        *lines, last = (rest + block).split(b"\n")
        for line in lines:
            if is_too_long or len(line) > longest:
                damaged(number, f"a line of more than {longest:,} bytes")
            else:
                yield number, line
            is_too_long = False
            number += 1
        # Only that it is too long is remembered of such a line: its end may be a gigabyte away.
        is_too_long = is_too_long or len(last) > longest
        rest = b"" if is_too_long else last
    if is_too_long:
        damaged(number, f"a line of more than {longest:,} bytes")
    elif rest:
        yield number, rest


def find_streams(
    url: str,
    marks: tuple[bytes, ...],
    *,
    every: int,
    size: int,
    is_start: Callable[[IO[bytes], int], bool] | None = None,
) -> list[int]:
    """Where a stream begins, looked for from every so many bytes on: what a file can be cut at without reading it.

    `is_start` is asked where a mark may also occur by chance.
    """
    cuts = [0]
    with open_bytes(url) as file:
        for wanted in range(every, size, every):
            found = next_mark(file, max(wanted, cuts[-1] + 1), marks, size)
            while found is not None and is_start is not None and not is_start(file, found):
                found = next_mark(file, found + 1, marks, size)
            if found is not None:
                cuts.append(found)
    return list(dict.fromkeys(cuts))


def next_mark(file: IO[bytes], start: int, marks: tuple[bytes, ...], end: int | None) -> int | None:
    """The first place from `start` on, and before `end`, where a stream begins."""
    file.seek(start)
    window, at = b"", start
    while (end is None or at < end) and (block := file.read(_BLOCK)):
        window += block
        places = [place for mark in marks if (place := window.find(mark)) >= 0]
        if places:
            found = at + min(places)
            return found if end is None or found < end else None
        # A mark may lie across two blocks.
        at += len(window) - len(window[-_LONGEST_MARK:])
        window = window[-_LONGEST_MARK:]
    return None


class _Gzip:
    """zlib's decompressor with the manners of bzip2's."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data


def _streams(
    file: IO[bytes], start: int, end: int | None, damaged: Damaged, *, marks: tuple[bytes, ...], make: Callable[[], Any]
) -> Iterator[bytes]:
    """Stream after stream; behind a broken one the next is looked for."""
    begin: int | None = start
    while begin is not None and (end is None or begin < end):
        here = begin
        file.seek(here)
        try:
            begin = yield from _stream(file, make())
        except (OSError, EOFError, zlib.error) as error:
            damaged(here, f"the packed data is cut short or damaged ({error})")
            begin = next_mark(file, here + 1, marks, end)


def _stream(file: IO[bytes], decompressor: Any) -> Generator[bytes, None, int | None]:
    """One stream, in blocks; returns where the next begins, or nothing at the end of the file."""
    while not decompressor.eof:
        data = file.read(_BLOCK) if decompressor.needs_input else b""
        if decompressor.needs_input and not data:
            raise EOFError("it ends in the middle of a stream")
        # Bounded on the way out too: a few bytes can stand for gigabytes.
        if block := decompressor.decompress(data, max_length=_BLOCK):
            yield block
    unused = len(decompressor.unused_data)
    after = file.tell() - unused
    return after if unused or file.read(1) else None


def _zstd(file: IO[bytes], damaged: Damaged) -> Iterator[bytes]:
    import zstandard

    # Dumps of forums were packed with a window of 2 GB; no more than that is ever taken.
    reader = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(file, read_across_frames=True)
    try:
        while block := reader.read(_BLOCK):
            yield block
    except zstandard.ZstdError as error:
        damaged(file.tell(), f"the packed data is cut short or damaged ({error})")


def _plain(file: IO[bytes], start: int, end: int | None) -> Iterator[bytes]:
    left = None if end is None else end - start
    while block := file.read(_BLOCK if left is None else min(_BLOCK, left)):
        yield block
        left = None if left is None else left - len(block)
