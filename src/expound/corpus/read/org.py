"""Read Org: headings, paragraphs, lists, tables, source blocks and quotations; drawers, settings and comments go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from expound.corpus.read.builder import Builder, dedent
from expound.corpus.read.document import Block, Document, join_cells
from expound.corpus.read.raw import read_text, stem_of
from expound.text.markup import render_org
from expound.text.plain import plain

# At the very beginning of a line: a star behind a blank is an item of a list. Thirty levels are more than anybody has.
_HEADING = re.compile(r"(\*{1,30})[ \t]+(.*)")
# What a heading says of a task is for its owner; searched for, "TODO" would find every unfinished section.
_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAITING|CANCELLED|COMMENT)\b\s*|\[#\w\]\s*")
_TAGS = re.compile(r"\s+:[\w@#%:]{1,200}:\s*$")
_TITLE = re.compile(r"#\+title:\s*(.*)", re.IGNORECASE)
_CAPTION = re.compile(r"\s*#\+caption(?:\[[^\[\]]*\])?:\s*(.*)", re.IGNORECASE)
_BEGIN = re.compile(r"\s*#\+begin_(\w+)(?:[ \t]+([^\s:]\S*))?", re.IGNORECASE)
_END = re.compile(r"\s*#\+end_(\w+)", re.IGNORECASE)
_DRAWER = re.compile(r"\s*:[\w-]+:\s*$")
_SETTING = re.compile(r"\s*#(?:\+|\s|$)")
_PLANNING = re.compile(r"\s*(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):\s*[<\[]")
# A star is a bullet only behind a blank, since without one it opens a heading.
_ITEM = re.compile(r"([ \t]*)([-+]|\d{1,9}[.)]|(?<=[ \t])\*)[ \t]+(?:\[@\d+\][ \t]+)?(?:(\[[ xX-]\])[ \t]+)?(?=\S)")
_TERM = re.compile(r"(.{1,200}?)[ \t]+::(?:[ \t]+|$)")
_RULE = re.compile(r"\s*\|[-+|: ]+$")
_FIXED = re.compile(r"\s*:(?: (.*))?$")
_LITERAL = frozenset(("src", "example", "verbatim", "latex", "verse"))
_HIDDEN = frozenset(("comment", "export"))


def read(path: Path) -> Iterator[Document]:
    """One document per file."""
    title, blocks = blocks_of(read_text(path))
    yield Document(title or stem_of(path), tuple(blocks))


def blocks_of(text: str) -> tuple[str, list[Block]]:
    """The title that a text sets, empty if it sets none, and its blocks."""
    reader = _Reader()
    for line in plain(text).strip("\ufeff").split("\n"):
        reader.add(line.expandtabs(8) if "\t" in line else line)
    reader.finish()
    return reader.title, reader.builder.blocks


class _Reader:
    """The blocks of an Org text, collected line by line."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.title = ""
        self._literal = ""
        self._language = ""
        self._held: list[str] = []
        self._in_quotation = False
        self._in_drawer = False
        self._columns: list[int] = []

    def add(self, line: str) -> None:
        """Take the next line."""
        if self._literal:
            self._add_literal(line)
        elif self._in_drawer:
            self._in_drawer = line.strip().upper() != ":END:"
        elif not line.strip():
            self.builder.end()
        elif not (self._add_heading(line) or self._add_mark(line) or self._add_row(line) or self._add_fixed(line)):
            self._add_prose(line)

    def finish(self) -> None:
        """Close what is open; a block that never ends is kept, too."""
        self._end_literal()
        self.builder.end()

    def _add_literal(self, line: str) -> None:
        end = _END.match(line)
        if end and end.group(1).lower() == self._literal:
            self._end_literal()
        else:
            # Org puts a comma before lines of code that look like its own marks; it is no part of the code.
            self._held.append(line[1:] if line.startswith((",*", ",#+")) else line)

    def _end_literal(self) -> None:
        if self._held and self._literal not in _HIDDEN:
            self.builder.add("code", "\n".join(dedent(self._held)), self._language)
        self._literal, self._held = "", []

    def _add_heading(self, line: str) -> bool:
        heading = _HEADING.match(line)
        if heading is None:
            return False
        # Twice: a state and then a priority may stand there.
        text = _STATE.sub("", _TAGS.sub("", heading.group(2)[:1000]), count=2)
        self.builder.open_heading(len(heading.group(1)), render_org(text))
        self._columns = []
        return True

    def _add_mark(self, line: str) -> bool:
        """Take a line that is said to the program, not to the reader."""
        begin = _BEGIN.match(line)
        if begin:
            self._begin(begin.group(1).lower(), begin.group(2) or "")
        elif _END.match(line):
            self.builder.end()
            self._in_quotation = False
        elif caption := _CAPTION.match(line):
            self.builder.add("caption", caption.group(1))
        # Only between paragraphs: inside one, `:word:` may be a time or an emoji.
        elif _DRAWER.match(line) and not self.builder.lines:
            self._in_drawer = line.strip().upper() != ":END:"
        elif not (_SETTING.match(line) or _PLANNING.match(line)):
            return False
        elif title := _TITLE.match(line):
            self.title = " ".join(f"{self.title} {title.group(1)}".split())
        return True

    def _begin(self, name: str, language: str) -> None:
        self.builder.end()
        if name in _LITERAL or name in _HIDDEN:
            self._literal, self._language = name, language if name == "src" else ""
        self._in_quotation = name == "quote"

    def _add_row(self, line: str) -> bool:
        """Keep a table's rows together; a rule below the first row makes that row the header."""
        if not line.lstrip().startswith("|"):
            return False
        builder = self.builder
        if _RULE.match(line):
            # A rule further down parts groups of rows, and makes no header of what stands above it.
            if builder.kind == "table" and len(builder.lines) == 1:
                row = builder.lines[0]
                builder.lines = []
                builder.start("table", "header")
                builder.take(row)
            return True
        if builder.kind != "table":
            builder.start("table")
        builder.take(join_cells(line.split("|")))
        return True

    def _add_fixed(self, line: str) -> bool:
        """A line behind a colon is kept as it stands."""
        fixed = _FIXED.match(line)
        if fixed is None:
            return False
        if self.builder.kind != "code":
            self.builder.start("code")
        self.builder.take(fixed.group(1) or "")
        return True

    def _add_prose(self, line: str) -> None:
        if self.builder.kind in ("table", "code"):
            self.builder.end()
        item = _ITEM.match(line)
        if item:
            self._start_item(item, line[item.end() :])
        else:
            if not self.builder.lines and self.builder.kind == "paragraph" and self._in_quotation:
                self.builder.start("quotation")
            self.builder.take(line)

    def _start_item(self, item: re.Match[str], text: str) -> None:
        column = len(item.group(1))
        # By indent: an item that stands further left closes all lists that began further right.
        self._columns = [*(c for c in self._columns if c < column), column]
        # Numbered items hold steps: a double colon in one of them belongs to a name such as `std::vector`.
        term = _TERM.match(text) if item.group(2) in "-+*" else None
        level = len(self._columns) - 1
        if term:
            self.builder.start("definition", level=level)
            self.builder.lines = [term.group(1).strip(), text[term.end() :].strip()]
        else:
            self.builder.start("item", " ".join(filter(None, item.group(2, 3))), level)
            self.builder.take(text)
