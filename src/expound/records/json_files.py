"""JSON and JSON Lines as they are read: every value is checked once, and a bad one is named with its file and line."""

from __future__ import annotations

import gzip
import json
import math
import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from expound.errors import BadInput, BadRecord
from expound.files import check_kind, is_there

# What is read at once takes several times as much memory; benchmarks have records of a few MB, and files of some 100.
MOST_AT_ONCE, LONGEST_LINE = 500_000_000, 100_000_000

_GZIP = b"\x1f\x8b"  # how every gzip file begins, and no JSON

_SURROGATE = re.compile("[\ud800-\udfff]")
# Looked for in bytes first: most files have none, and going through every value takes longer than reading it.
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file (gzipped or not) with their line numbers."""
    # Bytes and not text: what is wrong with one line must not depend on how much was read ahead.
    with readable(path) as file:
        for number, line in enumerate(_bounded_lines(file), start=1):
            if len(line) > LONGEST_LINE:
                raise BadRecord(f"{path}, line {number}: longer than {LONGEST_LINE:,} bytes; is it one record a line?")
            if line.strip():
                yield number, _object(line, path, number)


def read_json(path: Path) -> Any:
    """The one JSON value of a file (gzipped or not)."""
    content = read_whole(path)
    if not content.strip():
        raise BadInput(f"{path} is empty")
    try:
        return parse_json(content)
    except UnicodeDecodeError as error:
        # The line by counting: the parser of a whole file only knows a place.
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{path}, line {line}: not UTF-8 ({error.reason})") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not JSON ({error})") from error


def read_toml(path: Path, *, missing: str = "") -> dict[str, Any]:
    """The tables of a TOML file; `missing` is said of one that is not there."""
    if missing and not is_there(path):
        raise BadInput(missing)
    content = read_whole(path)
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} cannot be read as TOML: {error}") from error


def read_whole(path: Path) -> bytes:
    """What is in a file (gzipped or not), if there is room for it: a small file can unpack to any size."""
    with readable(path) as file:
        content = file.read(MOST_AT_ONCE + 1)
    if len(content) > MOST_AT_ONCE:
        raise BadInput(f"{path} holds more than {MOST_AT_ONCE:,} bytes in one piece; give it as JSON Lines")
    return content


def is_lines(path: Path) -> bool:
    """Whether a file holds JSON Lines: its first line is a value by itself and another follows, or its name says so."""
    if ".jsonl" in path.suffixes:
        return True
    # By looking: many JSON Lines files are called `.json`.
    with readable(path) as file:
        lines = (line for line in _bounded_lines(file) if line.strip())
        first, second = next(lines, b""), next(lines, b"")
    if len(first) > LONGEST_LINE:
        return False
    try:
        parse_json(first)
    except (ValueError, RecursionError):
        return False
    return bool(second)


def parse_json(content: bytes) -> Any:
    """A JSON value; a ValueError for what Python would let through: NaN, infinities, a key that stands twice."""
    # A byte order mark, as some editors leave it, is no part of the value.
    value = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_refuse_constant)
    return without_surrogates(value) if _ESCAPED_SURROGATE.search(content) else value


def without_nan(value: Any) -> Any:
    """A value in which nothing stands for numbers that JSON does not have: programs refuse Python's words for them.

    >>> without_nan({"low": float("nan"), "n": 3})
    {'low': None, 'n': 3}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: without_nan(item) for name, item in value.items()}
    return [without_nan(item) for item in value] if isinstance(value, list | tuple) else value


def without_surrogates(value: Any) -> Any:
    """A JSON value whose half characters (lone surrogates) are U+FFFD: JSON can name them, and no file can hold them.

    >>> without_surrogates({"text": "half \\ud83d"})
    {'text': 'half \ufffd'}
    """
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(name): without_surrogates(item) for name, item in value.items()}
    return value


@contextmanager
def readable(path: Path) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """A file opened for reading, unpacked on the way if it is gzipped; what goes wrong is a BadInput."""
    try:
        check_kind(path)
        with path.open("rb") as file:
            # By looking as well: a link or a copy may have lost the end of its name.
            is_packed = path.suffix == ".gz" or file.peek(len(_GZIP)).startswith(_GZIP)
            yield gzip.GzipFile(fileobj=file) if is_packed else file
    except FileNotFoundError as error:
        raise BadInput(f"no such file: {path}") from error
    # Gzip has three classes for a file that was cut or is none.
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BadInput(f"{path} cannot be unpacked: {error}; fetch it again if it was cut short") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error


def _bounded_lines(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    """The lines, none of them much longer than the longest: what is longer comes in pieces."""
    return iter(lambda: file.readline(LONGEST_LINE + 1), b"")


def _object(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        value = parse_json(line)
    except UnicodeDecodeError as error:
        raise BadRecord(f"{path}, line {number}: not UTF-8 ({error.reason})") from error
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{path}, line {number}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise BadRecord(f"{path}, line {number}: a JSON object is needed, not {type(value).__name__}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Python would keep the last of two keys: half of an answer would be lost and nobody told.
    found = dict(pairs)
    if len(found) < len(pairs):
        # Counted only where there is one: most objects are sound.
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{twice!r} stands twice")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")
