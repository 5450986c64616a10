"""Read CSV and TSV as a stream: rows as ready passages or as documents."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from expound.corpus.read.document import Block, Document
from expound.corpus.read.raw import iter_lines, name_of, not_text, stem_of, suffix_of
from expound.corpus.read.record import passage_of, prose_document
from expound.errors import BadInput, BadRecord
from expound.text.plain import plain_line
from expound.types import Passage

TITLE_COLUMNS = ("title", "name", "question")
TEXT_COLUMNS = ("text", "content", "body", "answer", "abstract", "description")
_KNOWN_COLUMNS = frozenset(("id", "url", *TITLE_COLUMNS, *TEXT_COLUMNS))
# A round figure, above the longest line that a record may have: a row may go over several lines.
_LONGEST_CELL = 16 << 20


def read(path: Path) -> Iterator[Document | Passage]:
    """One passage or document per row; the first row names the columns."""
    # The csv module knows one limit for the whole process, by default too small for long texts.
    csv.field_size_limit(_LONGEST_CELL)
    lines = _Counted(iter_lines(path))
    header = next((line for line in lines if not line.isspace()), "")
    if "\0" in header:
        raise not_text(path)
    delimiter = _delimiter(path, header)
    columns = [_column(cell) for cell in next(csv.reader([header], delimiter=delimiter), [])]
    yield from _items(path, columns, lines.rows(delimiter))


class _Counted:
    """The lines of a file, of which no row may take too many: an open quote goes on from line to line."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self._characters = lines, 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._characters += len(line)
        # Counted before the csv module has the row: it would gather an open quotation to the end of the file first.
        if self._characters > _LONGEST_CELL:
            raise csv.Error(f"a row of more than {_LONGEST_CELL >> 20} MB")
        return line

    def rows(self, delimiter: str) -> Iterator[list[str]]:
        """The rows, counted one by one."""
        for row in csv.reader(self, delimiter=delimiter):
            self._characters = 0
            yield row


def _delimiter(path: Path, header: str) -> str:
    """Tab or comma by suffix; a semicolon where a comma is decimal and the header has none."""
    if suffix_of(path) in (".tsv", ".tab"):
        return "\t"
    # By the header alone, in which no decimal comma stands: the csv module's own guess reads far too much into short
    # files.
    return ";" if ";" in header and "," not in header else ","


def _column(cell: str) -> str:
    """A column's name: in lower case if it is one that means something here, else as written."""
    name = plain_line(cell)
    return name.lower() if name.lower() in _KNOWN_COLUMNS else name


def _items(path: Path, columns: Sequence[str], rows: Iterator[list[str]]) -> Iterator[Document | Passage]:
    is_ready = "id" in columns and "text" in columns
    for number, row in enumerate(_full_rows(path, len(columns), rows), 1):
        # A short row lacks its last cells, as spreadsheets write it; one that is too long was refused above.
        record = dict(zip(columns, row, strict=False))
        if not is_ready:
            yield _document(record, f"{stem_of(path)} row {number}")
            continue
        try:
            passage = passage_of({**record})
        except ValueError as error:
            raise BadRecord(f"{name_of(path)}, row {number}: {error}; fill the column or remove the row") from error
        yield passage


def _full_rows(path: Path, width: int, rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """The rows that are not blank; one with more cells than the header has is an error."""
    number = 0
    try:
        for row in rows:
            if not any(map(str.strip, row)):
                continue
            number += 1
            if len(row) > width:
                count = f"{len(row)} cells but {width} columns"
                raise BadRecord(f"{name_of(path)}, row {number}: {count}; quote the cells that hold the separator")
            yield row
    except csv.Error as error:
        raise BadInput(f"{name_of(path)}, after row {number}: {error}; is a quote left open?") from error


def _document(record: dict[str, str], default_title: str) -> Document:
    """A row as a document: its long texts, or one sentence of all its cells if it has none."""
    titled = next((name for name in TITLE_COLUMNS if record.get(name, "").strip()), "")
    title = plain_line(record.pop(titled, "")) or default_title
    url = record.pop("url", "")
    # Taken out: what is left becomes the passage's facts, and must not say everything twice.
    texts = [record.pop(name) for name in TEXT_COLUMNS if name in record]
    if texts:
        return prose_document(title, "\n".join(texts), url, {**record})
    named = {titled: title, **record} if titled else record
    return Document(title, (Block(_sentence(named)),), url)


def _sentence(record: dict[str, str]) -> str:
    """ "Captain: Ole Berg, built: 1911." """
    cells = [(name, plain_line(value).rstrip(".")) for name, value in record.items()]
    text = ", ".join(f"{name}: {value}" if name else value for name, value in cells if value)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
