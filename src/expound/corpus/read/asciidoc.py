"""Read AsciiDoc: headings, paragraphs, lists, definitions, listings, tables; settings and comments go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from expound.corpus.read.builder import Builder, dedent
from expound.corpus.read.document import Block, Document, join_cells
from expound.corpus.read.raw import read_text, stem_of
from expound.text.markup import render_adoc
from expound.text.plain import plain

# The same marks may close the line; Markdown's # is allowed too, as Asciidoctor reads it.
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?$")
_UNDERLINE = re.compile(r"(=+|-+|~+|\^+|\++)$")
_UNDERLINES = "=-~^+"
# Four or more of a mark alone on a line; two dashes open a block of any kind, and only its attributes tell which.
_FENCE = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|_{4,}|\*{4,}|={4,}|--|\"\"|`{3,}(?=\w*$))(\w*)$")
_TABLE = re.compile(r"[|,:!]={3,}$")
# Alone on its line: `[1]` at the beginning of a sentence is a reference, and what stands in brackets there is text.
_ATTRIBUTES = re.compile(r"\[(?:\[?[\w#.%,\"'|][^\[\]]*\]?|)\]$")
_LANGUAGE = re.compile(r"\[(?:source|listing)?%?\w*,\s*(?:language=)?\"?([\w+#-]+)", re.IGNORECASE)
# `:name: value`; a colon that opens a smiley or an emoji code within a line is none.
_SETTING = re.compile(r":!?[\w-]+!?:(?:\s|$)")
_MACRO = re.compile(r"(?:include|image|video|audio|toc|ifdef|ifndef|ifeval|endif)::\S*?\[.*\]$")
# A dot and no blank behind it: with one it is an item of a numbered list, and two dots are an item within.
_BLOCK_TITLE = re.compile(r"\.(?![\s.])(.+)")
_ITEM = re.compile(r"[ \t]*(\*{1,5}|-|\.{1,5}|\d{1,9}[.)]|[a-z][.)]|<(?:\d+|\.)>)[ \t]+(?:\[[ xX*]\][ \t]+)?(?=\S)")
# The shortest stretch in front of the colons, and bounded: a line of a megabyte without any must not be tried from
# every place.
_TERM = re.compile(r"[ \t]*(\S.{0,300}?)(:{2,4}|;;)(?:[ \t]+|$)")
# What a cell may say of itself stands right before its bar: `2+^.>s|` spans, is aligned and styled, and is no text.
_CELL_SPEC = re.compile(r"(?<!\\)(?:(?<=[ \t])[\d.]*[+*]?[<^>.]*[adehlmsv]?|^[\d.]*[+*]?[<^>.]*[adehlmsv]?)\|")
_COLUMNS = re.compile(r"cols=\"?([^\"\]]+)")
_RULE = re.compile(r"(?:'{3,}|<{3,}|\*{3}|-{3})$")
_HIDDEN, _CODE = "+/", "-.`"


def read(path: Path) -> Iterator[Document]:
    """One document per file."""
    title, blocks = blocks_of(read_text(path))
    yield Document(title or stem_of(path), tuple(blocks))


def blocks_of(text: str) -> tuple[str, list[Block]]:
    """The title of a text, empty if it names none, and its blocks."""
    # Blanks at the end of a line mean nothing here, and a fence with one behind it would never be closed.
    lines = [line.rstrip() for line in plain(text).strip("\ufeff").expandtabs(8).split("\n")]
    reader = _Reader()
    for number, line in enumerate(lines):
        reader.add(line, lines[number + 1] if number + 1 < len(lines) else "")
    reader.finish()
    return reader.title, reader.builder.blocks


class _Reader:
    """The blocks of an AsciiDoc text, collected line by line."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.title = ""
        self._headings = 0
        self._fence = ""
        self._held: list[str] = []
        self._attributes = ""
        # The open lists, outermost first: their mark, and how many items they have had.
        self._lists: list[tuple[str, int]] = []
        self._in_quotation = False
        self._skips = False

    def add(self, line: str, following: str) -> None:
        """Take the next line; the one after it tells an underlined heading."""
        if self._fence:
            self._add_held(line)
        elif self._skips:
            self._skips = False
        elif not line.strip():
            self._add_blank()
        elif not (self._add_heading(line, following) or self._add_fence(line) or self._add_mark(line)):
            self._add_text(line)

    def finish(self) -> None:
        """Close what is open; a block that never ends is kept, too."""
        self._end_held()
        self.builder.end()

    def _add_blank(self) -> None:
        # A term may stand apart from its text.
        if not (self.builder.kind == "definition" and len(self.builder.lines) == 1):
            self.builder.end()

    def _add_held(self, line: str) -> None:
        if line == self._fence:
            self._end_held()
        else:
            self._held.append(line)

    def _end_held(self) -> None:
        fence, held = self._fence, self._held
        self._fence, self._held = "", []
        if not fence or fence[0] in _HIDDEN:
            return
        if fence[0] in _CODE:
            self.builder.add("code", "\n".join(dedent(held)), self._language())
        else:
            self._add_table(held)
        self._attributes = ""

    def _language(self) -> str:
        found = _LANGUAGE.match(self._attributes)
        return found.group(1) if found else ""

    def _add_table(self, lines: list[str]) -> None:
        """A line a row: as it is written, or as many cells as there are columns."""
        # The language's own rule: a first row with an empty line below it names the columns, also without saying so.
        has_header = "header" in self._attributes or (len(lines) > 1 and bool(lines[0]) and not lines[1])
        rows = _rows(lines, self._columns())
        self.builder.add("table", "\n".join(filter(None, rows)), "header" if has_header else "")

    def _columns(self) -> int:
        found = _COLUMNS.search(self._attributes)
        if not found:
            return 0
        # `3*` is three columns; any other list has one more column than commas.
        times = re.match(r"(\d{1,3})\*", found.group(1))
        return int(times.group(1)) if times else found.group(1).count(",") + 1

    def _add_heading(self, line: str, following: str) -> bool:
        heading = _HEADING.match(line) if line[0] in "=#" else None
        if heading:
            self._open(len(heading.group(1)), heading.group(2))
            return True
        # "Title" over "~~~~~" of about the same length
        is_underlined = (
            not self.builder.lines
            and len(following) > 2
            # The language allows a little more or less than the text; a rule that parts two texts is mostly longer.
            and abs(len(following) - len(line)) <= 2
            and _UNDERLINE.match(following)
            and line[:1].isalnum()
        )
        if is_underlined:
            self._open(_UNDERLINES.index(following[0]) + 1, line)
            self._skips = True
        return bool(is_underlined)

    def _open(self, level: int, heading: str) -> None:
        """Start a section; the first top heading is the title and nobody's section."""
        self._headings += 1
        self._lists, self._attributes, self._in_quotation = [], "", False
        heading = render_adoc(heading[:1000])
        if level == 1 and self._headings == 1:
            self.title, heading = heading, ""
        self.builder.open_heading(level, heading)

    def _add_fence(self, line: str) -> bool:
        fence = _FENCE.match(line)
        if _TABLE.match(line) or (fence and (fence.group(1)[0] in _HIDDEN or self._is_code(fence.group(1)))):
            self.builder.end()
            self._fence = fence.group(1) if fence else line
            if fence and fence.group(2):
                self._attributes = f"[source,{fence.group(2)}]"
            return True
        if fence is None:
            return False
        # What else is fenced holds text like any other.
        self.builder.end()
        self._in_quotation = fence.group(1)[0] in '_"' and not self._in_quotation
        self._attributes = ""
        return True

    def _is_code(self, fence: str) -> bool:
        return fence[0] in _CODE and (fence != "--" or self._attributes.startswith(("[source", "[listing")))

    def _add_mark(self, line: str) -> bool:
        """Take a line that is said to the program, not to the reader."""
        if line == "+":  # what follows belongs to the item above
            self.builder.end()
        elif _ATTRIBUTES.match(line):
            self.builder.end()
            self._attributes = line
        elif line.startswith("//") or _MACRO.match(line) or _RULE.match(line) or _SETTING.match(line):
            self._add_blank()
        elif not self.builder.lines and (title := _BLOCK_TITLE.match(line)):
            self.builder.add("caption", title.group(1))
        else:
            return False
        return True

    def _add_text(self, line: str) -> None:
        builder = self.builder
        item = _ITEM.match(line)
        term = None if item else _TERM.match(line)
        if item:
            builder.end()
            number, mark = self._count(item.group(1)), item.group(1)
            builder.start("item", mark if mark.strip(".") else f"{number}.", len(self._lists) - 1)
            builder.take(line[item.end() :])
        elif term and (not builder.lines or builder.kind == "definition"):
            builder.start("definition")
            builder.lines = [term.group(1), *filter(None, [line[term.end() :].strip()])]
        elif builder.kind == "definition":
            builder.take(line)
        elif not builder.lines and (line[0] == " " or self._attributes.startswith(("[source", "[listing"))):
            self._start_literal(line)
        else:
            if not builder.lines and builder.kind == "paragraph" and self._quotes():
                builder.start("quotation")
            builder.take(line)
        self._attributes = ""

    def _quotes(self) -> bool:
        return self._in_quotation or self._attributes.startswith(("[quote", "[verse"))

    def _start_literal(self, line: str) -> None:
        self.builder.start("code", self._language())
        self.builder.take(line)

    def _count(self, mark: str) -> int:
        """Take one more item of the list that has this mark; its number in it. A new mark opens a list within."""
        # Numbers of one list differ from item to item: what they share is the sign behind them.
        kind = mark if not mark.strip("*.") else mark[-1]
        marks = [name for name, _ in self._lists]
        if kind in marks:
            place = marks.index(kind)
            number = self._lists[place][1] + 1
        else:
            place, number = (len(marks) if self._is_in_list() else 0), 1
        # A numbered list begins anew behind text that is not part of it.
        number = number if self._is_in_list() else 1
        self._lists[place:] = [(kind, number)]
        return number

    def _is_in_list(self) -> bool:
        blocks = self.builder.blocks
        return bool(blocks) and blocks[-1].kind in ("item", "code") and bool(self._lists)


def _rows(lines: list[str], columns: int) -> list[str]:
    """The rows of a table: lines that hold several cells, else cells counted off."""
    cells_of = [_CELL_SPEC.split(line) for line in lines]
    if not columns:
        columns = next((len(cells) - 1 for cells in cells_of if len(cells) > 1), 1)
    flat: list[str] = []
    for cells in cells_of:
        # Text in front of the first bar goes on with the cell of the line above.
        if flat and cells[0].strip():
            flat[-1] = f"{flat[-1]} {cells[0].strip()}"  # a cell goes on
        flat.extend(cell.strip() for cell in cells[1:])
    return [join_cells(flat[start : start + columns]) for start in range(0, len(flat), columns)]
