"""Read Markdown: headings become sections, everything else becomes plain prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from expound.corpus.read.document import Document, Section, join_cells, join_paragraphs
from expound.corpus.read.inline import without_inline_markup
from expound.corpus.read.raw import read_text, stem_of
from expound.text.plain import plain

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*)|$)")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*+){3,}|(?:-[ \t]*+){3,}|(?:_[ \t]*+){3,})$")
_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\[\]]+\]:[ \t]*\S")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?")
_NUMBER = re.compile(r"[ \t]*\d{1,9}[.)][ \t]+")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\[\]]+\]:[ \t]*")
_TABLE_RULE = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-*+:?[ \t]*+)++$")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_FRONT_MATTER_LINE = re.compile(r"[\w.\-\"' ]+[:=]|[ \t]|[-#\]}]|$")
_FRONT_TITLE = re.compile(r"title\s*[:=]\s*(.+)", re.IGNORECASE)
_HTML_CODE = re.compile(r" {0,3}<(script|style)\b", re.IGNORECASE)


def read(path: Path) -> Iterator[Document]:
    """One document per Markdown file."""
    title, lines = _split_front_matter(plain(read_text(path)).strip("\ufeff").split("\n"))
    blocks = _Blocks()
    for line in _without_comments("\n".join(lines)).split("\n"):
        blocks.add(line)
    yield blocks.document(title, stem_of(path))


def _split_front_matter(lines: list[str]) -> tuple[str, list[str]]:
    """The title that a YAML or TOML header gives, and the lines below the header."""
    fence = lines[0].rstrip()
    if fence not in ("---", "+++"):
        return "", lines
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in (fence, "..."):
            titles = [_unquoted(found.group(1)) for found in map(_FRONT_TITLE.match, lines[:number]) if found]
            return (titles[0] if titles else ""), lines[number + 1 :]
        if not _FRONT_MATTER_LINE.match(line):
            break
    return "", lines


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _without_comments(text: str) -> str:
    """The text without HTML comments; one that is never closed stays."""
    first, *rest = text.split("<!--")
    kept = [first]
    for number, piece in enumerate(rest):
        _, closed, after = piece.partition("-->")
        if closed:
            kept.append(after)
        elif number == len(rest) - 1:
            kept.append(piece)
    return "".join(kept)


class _Blocks:
    """The blocks of a Markdown text, collected line by line."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.title = ""
        self._headings = 0
        self._heading = ""
        self._paragraphs: list[str] = []
        self._lines: list[str] = []
        self._fence = ""
        self._in_list = False
        self._html_code = ""

    def add(self, line: str) -> None:
        """Take the next line."""
        if self._html_code or (not self._fence and _HTML_CODE.match(line)):
            self._skip_html_code(line)
            return
        if self._fence or _FENCE.match(line):
            self._add_code(line)
            return
        line = _QUOTE.sub("", line, count=1) if ">" in line[:4] else line
        if not line.strip() or _DEFINITION.match(line):
            self._end_paragraph()
        elif not self._add_heading(line) and not self._add_table_row(line):
            self._add_prose(line)

    def document(self, title: str, stem: str) -> Document:
        """All that was added; the file's own title, else its first top heading, else the file name."""
        self._end_section()
        return Document(title or self.title or stem, tuple(self.sections))

    def _skip_html_code(self, line: str) -> None:
        """Leave out a script or a style sheet, up to the line that ends it."""
        start = _HTML_CODE.match(line)
        if not self._html_code and start:
            self._end_paragraph()
            self._html_code = start.group(1).lower()
        if f"</{self._html_code}" in line.lower():
            self._html_code = ""

    def _add_code(self, line: str) -> None:
        """Keep the lines of a code block as they are."""
        fence = _FENCE.match(line)
        if not self._fence and fence:
            self._end_paragraph()
            self._fence = fence.group(1)
        elif fence and fence.group(1).startswith(self._fence) and not line.strip(" \t`~"):
            self._fence = ""
            self._paragraphs.append("\n".join(self._lines))
            self._lines = []
        else:
            self._lines.append(line)

    def _add_heading(self, line: str) -> bool:
        """Start a section if the line is a heading, or underlines one."""
        heading = _HEADING.match(line)
        if heading:
            self._end_paragraph()
            self._start_section(_CLOSING_HASHES.sub("", (heading.group(2) or "").rstrip()), len(heading.group(1)))
            return True
        underline = _SETEXT.match(line)
        if underline and self._lines and not self._in_list:
            text = " ".join(self._lines)
            self._lines = []
            self._start_section(text, 1 if underline.group(1)[0] == "=" else 2)
            return True
        if _RULE.match(line):
            self._end_paragraph()
            return True
        return False

    def _add_table_row(self, line: str) -> bool:
        """Keep a table row as a paragraph of its own; drop the rule below the header."""
        if "|" not in line:
            return False
        if _TABLE_RULE.match(line):
            header = self._lines.pop() if self._lines else ""
            self._end_paragraph()
            self._paragraphs.append(_row(header) if "|" in header else _prose(header))
            return True
        if not line.lstrip().startswith("|"):
            return False
        self._end_paragraph()
        self._paragraphs.append(_row(line))
        return True

    def _add_prose(self, line: str) -> None:
        """Continue the paragraph, or start one at a list item or a footnote."""
        marker = _BULLET.match(line) or _FOOTNOTE.match(line)
        # "1986. A good year" in the middle of a paragraph is no list item.
        if not marker and (self._in_list or not self._lines or line.lstrip().startswith(("1.", "1)"))):
            marker = _NUMBER.match(line)
        if marker:
            self._end_paragraph()
            self._in_list = True
            line = line[marker.end() :]
        ends_line = line.endswith(("  ", "\\"))
        self._lines.append(line.strip().removesuffix("\\") + ("\n" if ends_line else ""))

    def _start_section(self, heading: str, level: int) -> None:
        heading = _prose(heading)
        self._end_section()
        self._headings += 1
        if level == 1 and self._headings == 1:
            self.title = heading
            heading = ""
        self._heading = heading

    def _end_section(self) -> None:
        self._end_paragraph()
        self.sections.append(Section(join_paragraphs(self._paragraphs), self._heading))
        self._paragraphs = []

    def _end_paragraph(self) -> None:
        if self._lines:
            self._paragraphs.append("\n".join(self._lines) if self._fence else _prose(" ".join(self._lines)))
        self._lines = []
        self._in_list = False


def _prose(text: str) -> str:
    """Text without inline markup, one space between words, hard line breaks kept."""
    lines = unescape(without_inline_markup(text)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def _row(line: str) -> str:
    """The cells of a table row."""
    return join_cells(_prose(cell) for cell in _CELL_BORDER.split(line.strip()))
