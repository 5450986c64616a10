"""Read man pages, of both macro packages: sections, terms and their meaning, items, code, tables; markup goes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from expound.corpus.read.document import Block, Document
from expound.corpus.read.man_escapes import Strings
from expound.corpus.read.man_macros import STRINGS, ManPage
from expound.corpus.read.man_mdoc import MdocPage
from expound.corpus.read.man_requests import RoffSource
from expound.corpus.read.man_tables import RoffTable
from expound.corpus.read.raw import decode, is_text, name_of, open_raw, read_text, stem_of, suffix_of
from expound.errors import BadInput
from expound.text.plain import plain

# ".1", ".3pm", ".8ssl", ".n" and ".l" of Tcl and old systems, ".man".
_SUFFIX = re.compile(r"\.(?:[1-9][a-z]{0,12}|[nl]|man)", re.ASCII)
_SAMPLE = 1 << 16
"""Bytes that are looked at: pages made of Perl's begin with a hundred lines of definitions."""
_BEGINS = re.compile(r"""(?:\ufeff)?(?:[.']|\\["#])""")
_PROVES = re.compile(r"^[.'][ \t]*(?:(TH|SH)|(Dd|Dt|Sh)|so)[ \t]+\S", re.MULTILINE)
# A page that only names another is a line or two: what is longer has a text of its own.
_LONGEST_POINTER = 4096
_POINTS = re.compile(r"[.'][ \t]*so[ \t]+(\S{1,200})")
# Pages of programs for X have a macro of this name with another meaning; all others mean what they always do.
_REDEFINED = frozenset(("OP",))
_COMMENT = re.compile(r"""[.'\\][ \t]*\\?["#]""")
_NAME = re.compile(r"[^\s,]{1,100}")
_PURPOSE = re.compile(r" [-–—]+ (?=\S)(.+)", re.DOTALL)
_LONGEST_PURPOSE = 100
"""Characters; a page may tell its whole story there."""


def is_man_suffix(suffix: str) -> bool:
    """Whether man pages are called so, as much else is."""
    return _SUFFIX.fullmatch(suffix) is not None


def is_man_page(path: Path) -> bool:
    """Whether a file is called like a man page and begins like one: the log `app.log.1` does not."""
    if not is_man_suffix(suffix_of(path)):
        return False
    try:
        with open_raw(path) as stream:
            text = decode(stream.read(_SAMPLE))
    except (OSError, EOFError, zlib.error):
        return False
    return is_text(text) and looks_like_man(text)


def looks_like_man(text: str) -> bool:
    """Whether a text begins with a macro or a comment, and says its title or a section."""
    return _BEGINS.match(text.lstrip()) is not None and _PROVES.search(text[:_SAMPLE]) is not None


def points_elsewhere(path: Path) -> str:
    """The page that a man page stands for, if it says nothing but that."""
    # Pages that hold text are larger, and need not be read twice.
    return _target(read_text(path)) if path.stat().st_size <= _LONGEST_POINTER and is_man_page(path) else ""


def _target(text: str) -> str:
    lines = (line for line in text[:_SAMPLE].split("\n") if line.strip() and not _COMMENT.match(line))
    points = _POINTS.match(next(lines, ""))
    return points.group(1) if points and next(lines, None) is None else ""


def read(path: Path) -> Iterator[Document]:
    """One document per page."""
    text = plain(read_text(path))
    if target := _target(text):
        raise BadInput(f"{name_of(path)}: only points to {target}; add that page")
    yield document_of(text, stem_of(path))


def document_of(text: str, name: str) -> Document:
    """The document of a page, called like `rsync(1) - a fast file-copying tool`."""
    strings = Strings(STRINGS)
    proof = _PROVES.search(text)
    page = MdocPage(strings) if proof and proof.group(2) else ManPage(strings)
    _go_through(page, RoffSource(text, strings, page.MACROS.keys() - _REDEFINED), strings)
    blocks = page.blocks.done()
    opening = blocks[0].text[:500] if blocks else ""
    title = _title(page.name, name, _NAME.findall(opening))
    title = f"{title}({page.section})" if page.section else title
    # What it is for: "Stores a binary copy" is far from any question without it (recipes/LOG.md, "Fourteen
    # collections").
    return Document(" - ".join(filter(None, (title, _purpose(blocks)))), tuple(blocks), is_reference=True)


def _purpose(blocks: Sequence[Block]) -> str:
    """What a page says that its program is for, behind its name: "rsync - a fast file-copying tool"."""
    if not blocks or blocks[0].path[-1:] not in (("NAME",), ("Name",)):
        return ""
    found = _PURPOSE.search(blocks[0].text)
    return found.group(1)[:_LONGEST_PURPOSE].strip() if found else ""


def _title(title: str, file: str, names: Sequence[str]) -> str:
    """What a page is called. Title lines are in capitals, whatever the program is called, and some name its family."""
    for other in (file, *names):
        if other.lower() == title.lower():
            return other
    return file if file in names else title or file


def _go_through(page: ManPage, source: RoffSource, strings: Strings) -> None:
    table: RoffTable | None = None
    hidden = ""
    for line in source:
        if hidden:
            # Formulas and drawings: what is written of them is a program.
            hidden = "" if line.macro == hidden else hidden
        elif line.macro in _HIDDEN:
            hidden = _HIDDEN[line.macro]
        elif line.macro == "TS":
            table = RoffTable(strings)
        elif table is not None and line.macro in ("TE", "SH", "Sh"):
            rows, has_header = table.rows()
            page.blocks.table(rows, has_header=has_header)
            table = None
            page.macro(line.macro, line.text)
        elif table is not None:
            table.take(line)
        elif line.macro:
            page.macro(line.macro, line.text)
        else:
            page.text(line.text)
    if table is not None:
        page.blocks.table(table.rows()[0], has_header=False)


_HIDDEN = {"EQ": "EN", "PS": "PE", "G1": "G2", "[": "]"}
