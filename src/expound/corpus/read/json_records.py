"""Read JSON Lines as a stream, and JSON files that hold a list: ready passages or documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from expound.corpus.read.document import Document
from expound.corpus.read.raw import iter_lines, name_of, read_text, stem_of
from expound.corpus.read.record import TEXT_FIELDS, item_of
from expound.errors import BadInput, BadRecord
from expound.types import Passage

# Settings that people and programs write are short; what is longer is data, and its reader says what is amiss.
_LONGEST_SETTINGS = 1 << 16
_EXAMPLE = '{"id": "1", "title": "...", "text": "..."}'


def read_lines(path: Path) -> Iterator[Document | Passage]:
    """One passage or document per line; blank lines are skipped."""
    place = f"{stem_of(path)} line"
    for number, line in enumerate(iter_lines(path), 1):
        if line.isspace():
            continue
        try:
            item = item_of(json.loads(line), place, number)
        except (ValueError, RecursionError) as error:
            raise _bad_record(path, f"line {number}", error) from error
        yield item


def read_list(path: Path) -> Iterator[Document | Passage]:
    """One passage or document per entry of a list; a single object counts as a list of one."""
    for number, record in enumerate(_load_list(path), 1):
        try:
            item = item_of(record, f"{stem_of(path)} entry", number)
        except (ValueError, RecursionError) as error:
            raise _bad_record(path, f"entry {number}", error) from error
        yield item


def is_settings(path: Path) -> bool:
    """Whether a file is one JSON object without a text, such as the package.json in a folder of documents."""
    if path.suffix.lower() != ".json" or path.stat().st_size > _LONGEST_SETTINGS:
        return False
    try:
        content = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError, BadInput):
        return False
    return isinstance(content, dict) and not any(name in content for name in TEXT_FIELDS)


def _load_list(path: Path) -> list[Any]:
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name_of(path)}: {_reason(error)}; a file of JSON Lines needs the suffix .jsonl") from error
    return content if isinstance(content, list) else [content]


def _bad_record(path: Path, place: str, error: Exception) -> BadRecord:
    return BadRecord(f"{name_of(path)}, {place}: {_reason(error)}; a record looks like {_EXAMPLE}")


def _reason(error: Exception) -> str:
    """Why a record was refused, in a few words."""
    if isinstance(error, json.JSONDecodeError):
        place = f"line {error.lineno}, column" if error.lineno > 1 else "column"
        return f"not valid JSON ({error.msg} at {place} {error.colno})"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(error)
