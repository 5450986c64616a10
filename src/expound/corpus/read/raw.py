"""The bytes and characters of a file: gzip, encodings, lines, and the refusal of what is not text."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from expound.errors import BadInput, BadRecord
from expound.text.plain import plain_line

# Plain prose takes four times its size to read; nobody wrote so much of it into one file.
LARGEST_FILE = 128 << 20
# A record of lists within lists takes sixty times its size. A whole library's longest book has 10 MB.
LONGEST_LINE = 10 << 20
# UTF-32 first: its little-endian mark starts with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
_ODD = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd]")
_SAMPLE = 1 << 16
# Old text files have an escape code here and there; in binary data every few characters are odd.
_ODD_SHARE = 0.1


def name_of(path: Path) -> str:
    """The path as it can safely be printed in a message."""
    return plain_line(str(path))


def suffix_of(path: Path) -> str:
    """The suffix that tells the format, in lower case; `.gz` is looked through."""
    return Path(_inner_name(path)).suffix.lower()


def stem_of(path: Path) -> str:
    """The file name without the suffixes, the title of last resort."""
    return Path(_inner_name(path)).stem


def is_gzip(path: Path) -> bool:
    """Whether the name says that the content is compressed."""
    return path.suffix.lower() == ".gz"


def open_raw(path: Path) -> io.BufferedReader:
    """The uncompressed bytes of a file as a stream."""
    if is_gzip(path):
        # Gzip's own readline runs in Python: a buffer around it makes lines several times faster.
        return io.BufferedReader(gzip.GzipFile(path), 1 << 20)
    return path.open("rb")


def read_raw(path: Path) -> bytes:
    """All uncompressed bytes of a file; refuses one too large to hold in memory."""
    with open_raw(path) as stream:
        # One byte more than is allowed, to see whether there is more; a gzip file says nothing about its size.
        data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise BadInput(f"{name_of(path)}: larger than {LARGEST_FILE >> 20} MB; split it into smaller files")
    return data


def read_text(path: Path) -> str:
    """All characters of a text file; refuses what is not text."""
    text = decode(read_raw(path))
    if not is_text(text):
        raise not_text(path)
    return text


def decode(data: bytes) -> str:
    """Text by byte order mark, else as UTF-8, else as Windows-1252."""
    encoding = marked_encoding(data)
    if encoding:
        return data.decode(encoding, "replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        # Windows-1252 gives nearly every byte a character, so it cannot
        # fail; what is nonsense then is told by `is_text`.
        return data.decode("cp1252", "replace")


def marked_encoding(data: bytes) -> str:
    """The encoding that a byte order mark names, or nothing."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "")


def is_text(text: str) -> bool:
    """Whether decoded text is free of NUL and nearly free of other stray control characters."""
    sample = text[:_SAMPLE]
    # NUL anywhere: no encoding that we read as text has one.
    return "\0" not in text and len(_ODD.findall(sample)) <= len(sample) * _ODD_SHARE


def first_text(path: Path) -> str:
    """What a text file begins with; nothing of one that is no text, is empty or cannot be opened."""
    try:
        with open_raw(path) as stream:
            text = decode(stream.read(_SAMPLE))
    except (OSError, EOFError, zlib.error):
        return ""
    return text if text.strip() and is_text(text) else ""


def not_text(path: Path) -> BadInput:
    """The error for binary content under the name of a text file."""
    return BadInput(f"{name_of(path)}: not a text file; save it as UTF-8 text or give it its real suffix")


def iter_lines(path: Path) -> Iterator[str]:
    """The lines of a file one by one, with their line ends, each decoded by itself."""
    with open_raw(path) as stream:
        encoding = marked_encoding(stream.peek(4))
        # A newline's bytes may be part of another character there: lines are cut after decoding.
        if encoding.startswith(("utf-16", "utf-32")):
            wide = io.TextIOWrapper(stream, encoding, "replace", newline="\n")
            for number, text in enumerate(iter(partial(wide.readline, LONGEST_LINE), ""), 1):
                _refuse_long(path, number, text)
                yield text
            return
        for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE), b""), 1):
            _refuse_long(path, number, line)
            try:
                # Line by line: files that were joined from several sources mix encodings.
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                yield line.decode("cp1252", "replace")


def _refuse_long(path: Path, number: int, line: str | bytes) -> None:
    if len(line) == LONGEST_LINE:
        raise BadRecord(f"{name_of(path)}, line {number}: over {LONGEST_LINE >> 20} MB; one record per line")


def _inner_name(path: Path) -> str:
    return path.stem if is_gzip(path) else path.name
