"""Read PDF: a section per page, without running headers, with broken words made whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from expound.corpus.read.document import Block, Document
from expound.corpus.read.raw import is_gzip, name_of, read_raw, stem_of
from expound.corpus.read.unwrap import BREAK_MARK, unwrap
from expound.errors import BadInput
from expound.text.plain import plain, plain_line

_EDGE = 2
_FEWEST_PAGES = 3
_DIGITS = re.compile(r"\d+")
_FILE_NAME = re.compile(r"\.(?:docx?|odt|pdf|tex|dvi|indd|qxd|rtf|pptx?|xlsx?|html?|txt)$", re.IGNORECASE)
_NO_TITLE = re.compile(r"(?:untitled|microsoft (?:word|power)|powerpoint presentation|slide 1\b)", re.IGNORECASE)


def read(path: Path) -> Iterator[Document]:
    """One document per PDF file."""
    import pypdfium2

    name = name_of(path)
    try:
        pdf = pypdfium2.PdfDocument(read_raw(path) if is_gzip(path) else path)
    except pypdfium2.PdfiumError as error:
        raise _unreadable(name, str(error)) from error
    try:
        pages = [_page_lines(pdf, number, name) for number in range(len(pdf))]
        title = _title(pdf.get_metadata_value("Title"))
    finally:
        pdf.close()
    if not any(pages):
        raise BadInput(f"{name}: no text in it (scanned?); run text recognition (OCR) on it first")
    yield Document(title or stem_of(path), tuple(_blocks(pages)))


def _unreadable(name: str, reason: str) -> BadInput:
    if "password" in reason.lower():
        return BadInput(f"{name}: encrypted; save a copy without a password")
    return BadInput(f"{name}: a broken PDF ({plain_line(reason)}); open it in a viewer and save it again")


def _page_lines(pdf: Any, number: int, name: str) -> list[str]:
    """The lines of text on a page that are not blank."""
    import pypdfium2

    try:
        page = pdf[number]
        text_page = page.get_textpage()
        text = text_page.get_text_range()
        text_page.close()
        page.close()
    except pypdfium2.PdfiumError as error:
        raise _unreadable(f"{name}, page {number + 1}", str(error)) from error
    # The mark stands for hyphen and line break together.
    return [line for line in plain(text.replace(BREAK_MARK, BREAK_MARK + "\n")).split("\n") if line.strip()]


def _title(title: str) -> str:
    """The title in the metadata, unless it is a file name or a program's default."""
    title = plain_line(title)
    is_sensible = len(title) > 3 and any(map(str.isalpha, title))
    return "" if not is_sensible or _FILE_NAME.search(title) or _NO_TITLE.match(title) else title


def _blocks(pages: Sequence[list[str]]) -> Iterator[Block]:
    running = _running_lines(pages)
    for number, lines in enumerate(pages, 1):
        for paragraph in unwrap(_without_running(lines, running)):
            yield Block(paragraph, page=number)


def _running_lines(pages: Sequence[list[str]]) -> frozenset[str]:
    """Lines at the edges of more than half of the pages, page numbers apart."""
    filled = [lines for lines in pages if lines]
    if len(filled) < _FEWEST_PAGES:
        return frozenset()
    counts = Counter(shape for lines in filled for shape in {_shape(line) for line in lines[:_EDGE] + lines[-_EDGE:]})
    return frozenset(shape for shape, count in counts.items() if count * 2 > len(filled))


def _shape(line: str) -> str:
    return _DIGITS.sub("#", " ".join(line.split()))


def _without_running(lines: list[str], running: frozenset[str]) -> list[str]:
    """The lines of a page without its running header and footer."""
    last = len(lines) - _EDGE
    return [line for i, line in enumerate(lines) if _EDGE <= i < last or _shape(line) not in running]
