"""What writers learn from, as JSON Lines: a question, documents that were found for it, and an answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.errors import BadInput, BadRecord
from expound.files import write_whole
from expound.records import read_lines
from expound.types import Passage

_SHAPE = "a line has a `question`, an `answer` and perhaps `documents`, a list of texts or of objects with a `text`"


@dataclass(frozen=True)
class WriterRow:
    """An answer to learn, with what is given for it; the best document is first."""

    question: str
    answer: str
    documents: tuple[Passage, ...] = ()


def read_writer_rows(paths: Sequence[Path]) -> list[WriterRow]:
    """The rows of files, one JSON object a line."""
    return [row for path in paths for row in _rows_of(path)]


def write_writer_rows(path: Path, rows: Iterable[WriterRow]) -> None:
    """Write a file of rows."""
    with write_whole(path) as file:
        for row in rows:
            # What the inputs of the papers show of a passage; ids and facts belong to a corpus that others do not have.
            documents = [{"title": document.title, "text": document.text} for document in row.documents]
            record = {"question": row.question, "documents": documents, "answer": row.answer}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _rows_of(path: Path) -> list[WriterRow]:
    rows = [_row_from(record, path, number) for number, record in read_lines(path)]
    if not rows:
        raise BadInput(f"{path} has no rows; {_SHAPE}")
    return rows


def _row_from(record: Mapping[str, Any], path: Path, number: int) -> WriterRow:
    question, answer, documents = record.get("question"), record.get("answer"), record.get("documents", [])
    if not _is_text(question) or not _is_text(answer) or not isinstance(documents, list):
        raise BadRecord(f"{path}, line {number}: {_SHAPE}")
    try:
        passages = tuple(read_document(document, place) for place, document in enumerate(documents, start=1))
    except (KeyError, TypeError):
        raise BadRecord(f"{path}, line {number}: {_SHAPE}") from None
    return WriterRow(str(question).strip(), str(answer).strip(), passages)


def read_document(document: Any, place: int) -> Passage:
    """A document of a row, a text or an object with one; KeyError or TypeError for anything else."""
    text, title = (document, "") if isinstance(document, str) else (document["text"], document.get("title") or "")
    if not _is_text(text) or not isinstance(title, str):
        # Without words: only the caller knows the file and the line, and says what shape is wanted.
        raise TypeError
    # By its place, since rows have no ids of their own.
    return Passage(str(place), text.strip(), title)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
