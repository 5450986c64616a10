"""Read PDF: typed blocks by the place and look of the lines, under the headings of its outline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

from expound.corpus.read import ocr
from expound.corpus.read.document import Document, PartlyRead
from expound.corpus.read.limits import widen_for_pictures
from expound.corpus.read.pdf_blocks import blocks_of
from expound.corpus.read.pdf_furniture import without_furniture
from expound.corpus.read.pdf_headings import outline_entries
from expound.corpus.read.pdf_lines import Line, page_lines
from expound.corpus.read.pdf_words import Word, page_words
from expound.corpus.read.raw import is_gzip, name_of, read_raw, stem_of
from expound.errors import BadInput
from expound.text.plain import plain_line

_FILE_NAME = re.compile(r"\.(?:docx?|odt|pdf|tex|dvi|indd|qxd|rtf|pptx?|xlsx?|html?|txt)$", re.IGNORECASE)
_NO_TITLE = re.compile(
    r"(?:untitled|microsoft (?:word|power)|powerpoint presentation|slide 1\b"
    r"|(?:(?:table of )?contents|introduction|abstract|preface|overview|chapter \d+)$)",
    re.IGNORECASE,
)
_HOW_TO_SEE = "`pip install expound[ocr]` and add it to a new corpus to have them recognised"
# A title on the first page is at least this much larger than what is written below it.
_TITLE_SIZE = 1.3
# What is longer is an abstract or a file's path that a program has put where the title belongs.
_LONGEST_TITLE = 120


def read(path: Path) -> Iterator[Document | PartlyRead]:
    """One document per PDF file, and how many of its pages gave no text."""
    import pypdfium2

    name = name_of(path)
    try:
        pdf = pypdfium2.PdfDocument(read_raw(path) if is_gzip(path) else path)
    except pypdfium2.PdfiumError as error:
        raise _unreadable(name, str(error)) from error
    try:
        # All that is needed is taken out while the file is open; PDFium keeps pages in memory.
        pages, unread = _pages(pdf, name)
        title = _title(pdf.get_metadata_value("Title")) or _find_title(pages)
        entries = outline_entries(pdf)
    finally:
        pdf.close()
    yield Document(title or stem_of(path), tuple(blocks_of(without_furniture(pages), entries)))
    if unread:
        yield PartlyRead(f"{name}: {unread:,} of {len(pages):,} pages have no text: scanned? {_HOW_TO_SEE}")


def _pages(pdf: Any, name: str) -> tuple[list[list[Line]], int]:
    """The lines of every page, and how many pages show something of which none could be read.

    Those are looked at if the extra is installed.
    """
    pages = [_lines(pdf, number, name, _read_words) for number in range(len(pdf))]
    has_text = any(pages)
    unread = [number for number, lines in enumerate(pages) if not lines and _shows_something(pdf, number)]
    if not has_text and not ocr.is_available():
        raise BadInput(f"{name}: scanned: no text; `pip install expound[ocr]` and add it again to have it recognised")
    if not unread or not ocr.is_available():
        return _some(pages, name), len(unread)
    widen_for_pictures()
    for number in unread:
        pages[number] = _lines(pdf, number, name, ocr.seen_words)
    # What shows no words after all is a picture.
    return _some(pages, name), 0


def _some(pages: list[list[Line]], name: str) -> list[list[Line]]:
    if not any(pages):
        raise BadInput(f"{name}: scanned: no text, and none could be recognised; remove it or give another file")
    return pages


def _shows_something(pdf: Any, number: int) -> bool:
    """Whether a page has a picture or a drawing; one that was left blank has nothing."""
    import pypdfium2

    try:
        page = pdf[number]
        shown = next(page.get_objects(max_depth=1), None) is not None
        page.close()
    except pypdfium2.PdfiumError:
        return False
    return shown


def _unreadable(name: str, reason: str) -> BadInput:
    if "password" in reason.lower():
        return BadInput(f"{name}: encrypted; save a copy without a password")
    return BadInput(f"{name}: a broken PDF ({plain_line(reason)}); open it in a viewer and save it again")


def _lines(pdf: Any, number: int, name: str, words: Callable[[Any], list[Word]]) -> list[Line]:
    """The lines of a page; nothing else of it stays in memory."""
    import pypdfium2

    try:
        page = pdf[number]
        lines = page_lines(words(page), number + 1)
        page.close()
    except pypdfium2.PdfiumError as error:
        raise _unreadable(f"{name}, page {number + 1}", str(error)) from error
    return lines


def _read_words(page: Any) -> list[Word]:
    text_page = page.get_textpage()
    words = page_words(text_page)
    text_page.close()
    return words


def _title(title: str) -> str:
    """The title in the metadata, unless it is a file name or a program's default."""
    title = plain_line(title)
    is_sensible = len(title) > 3 and any(map(str.isalpha, title))
    return "" if not is_sensible or _FILE_NAME.search(title) or _NO_TITLE.match(title) else title


def _find_title(pages: Sequence[Sequence[Line]]) -> str:
    """The first of the largest lines of the first page, if they are larger than the rest of it."""
    first = next(filter(None, pages), [])
    sizes = sorted({line.size for line in first})
    # A page of one size has no title, whatever stands first on it.
    if len(sizes) < 2 or sizes[-1] < _TITLE_SIZE * sizes[0]:
        return ""
    lines = dropwhile(lambda line: line.size < sizes[-1], first)
    title = plain_line(" ".join(line.text for line in takewhile(lambda line: line.size == sizes[-1], lines)))
    return _title(title) if len(title) <= _LONGEST_TITLE else ""
