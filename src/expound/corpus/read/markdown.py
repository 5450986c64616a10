"""Read Markdown: headings, paragraphs, items, code, tables, quotations and definitions, each as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

from expound.corpus.read.document import Block, Document, Kind, Outline
from expound.corpus.read.front_matter import split_front_matter
from expound.corpus.read.markdown_hidden import HiddenHtml, opens_code
from expound.corpus.read.markdown_links import is_contents_line, picture_words, without_badges, without_data
from expound.corpus.read.markdown_tags import holds_prose, is_option, is_told, is_unseen, tab_label
from expound.corpus.read.raw import read_text, stem_of
from expound.text.inline import render_markdown, without_inline_markup
from expound.text.plain import plain, plain_line

# Behind backquotes that open a block there is no other one: "```x``` is code" is a sentence.
_FENCE = re.compile(r"([ \t]*)(`{3,}+(?![^`]*+`)|~{3,}+)[ \t]*\{?\.?([\w+#.-]*)")
_DIRECTIVE = re.compile(r"[ \t]*(`{3,}+|~{3,}+)[ \t]*\{([\w:-]++)\}")
# Behind a tab the next cell of a row begins: "# pairs", and then how many.
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+([^\t]*+)[ \t]*$|$)")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_ANCHOR = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*+){3,}|(?:-[ \t]*+){3,}|(?:_[ \t]*+){3,})$")
_LINK_TITLE = r"\"[^\"]*+\"|'[^']*+'|\([^()]*+\)"
_LINK_TARGET = re.compile(rf" {{0,3}}\[(?!\^)[^\[\]]++\]:[ \t]*+(?:<[^<>]*+>|\S++)[ \t]*+(?:{_LINK_TITLE})?+[ \t]*+$")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_ONE_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(?:(\[[ xX]\])[ \t]+)?(?=\S)")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\[\]]+\]:[ \t]*")
_MEANING = re.compile(r" {0,3}:[ \t]+(?=\S)")
_TABLE_RULE = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-*+:?[ \t]*+)++$")
_ADMONITION = re.compile(r"([ \t]*)(?:!!!|\?\?\?)\+?[ \t]+\w|[ \t]*:{3,}")
# A paragraph that is bold from end to end: a question, or a few words without a stop, heads what follows it; a bold
# sentence is a warning, and is text.
_BOLD_LINE = re.compile(r"(\*\*|__)((?=\w)[^*_]{2,200}\?|(?=\w)(?:[^*_\s]+ ){0,7}[^*_\s]*\w)\1")
# Deeper than the six that Markdown has.
_BOLD_LEVEL = 7
# Marks by which Markdown is told under another name. One sort alone is anybody's: a "#" begins comments, too.
_MARKS = tuple(
    re.compile(mark, re.MULTILINE)
    for mark in (
        r"^#{1,4} \w[^\t\n]*$|^[^\n]{3,80}\n(?:={3,}|-{3,})$",
        r"\]\((?:https?://|#|\w)",
        r"^```",
        r"\*\*\w[^*\n]{0,200}\*\*",
        r"(?<!`)`[^`\s][^`\n]{0,80}`(?!`)",
    )
)
# Of them so many, within so many characters: the rest of a long file says nothing else.
_PROVED, _LOOKED_AT = 3, 1 << 18
# CommonMark's: a tab stop, and how far code and what belongs to an aside are indented.
_TAB = 4
# "photo" and "a screenshot" say nothing of a picture; what describes it has more words.
_FEWEST_WORDS_OF_CAPTION = 3
# Each meaning is put behind those before it, which takes time.
_LONGEST_DEFINITION = 1000


def read(path: Path) -> Iterator[Document]:
    """One document per Markdown file."""
    title, blocks = blocks_of(read_text(path))
    yield Document(title or stem_of(path), tuple(blocks))


def is_markdown(text: str) -> bool:
    """Whether a text is Markdown, whatever its file is called: marks of three sorts prove it, each of them is common.

    >>> is_markdown("# Setup\\n\\nRun `make`, see [the site](https://example.org).")
    True
    """
    return sum(mark.search(text, 0, _LOOKED_AT) is not None for mark in _MARKS) >= _PROVED


def blocks_of(text: str) -> tuple[str, list[Block]]:
    """The title of a Markdown text, empty if it names none, and its blocks."""
    # A byte order mark in front of the first heading would make it a paragraph.
    title, lines = split_front_matter(plain(text).strip("\ufeff").split("\n"))
    reader = _Reader(title)
    for line in lines:
        reader.add(line.replace("\t", " " * _TAB) if line.startswith("\t") else line)
    reader.end_block()
    return title or reader.title, reader.blocks


class _Reader:
    """The blocks of a Markdown text, collected line by line."""

    def __init__(self, title: str = "") -> None:
        self.blocks: list[Block] = []
        self.title = ""
        # The header of a file may name it; a top heading that says something else is a section then.
        self._own_title = title
        self._outline = Outline()
        self._headings = 0
        self._before_title = 0
        self._kind: Kind = "paragraph"
        self._mark = ""
        self._level = 0
        self._lines: list[str] = []
        self._fence = ""
        self._fence_indent = 0
        self._is_quoted = False
        self._hidden = HiddenHtml()
        # The columns at which the open list's items start; text that is indented as far belongs to them.
        self._items: list[int] = []
        self._aside = 0
        # The fences of directives that hold prose, and whether the lines that follow may be a directive's options.
        self._wrapped: list[str] = []
        self._takes_options = False
        self._is_unseen = False

    def add(self, line: str) -> None:
        """Take the next line."""
        line = self._without_quotation_mark(line)
        # In code a comment is text.
        if not self._fence:
            line = self._hidden.without_comments(without_data(line))
            if self._hidden.in_comment and not line.strip():
                return
        # A script's lines could look like anything, so this comes before all other rules.
        if self._hidden.code or (not self._fence and opens_code(line)):
            if not self._hidden.code:
                self.end_block()
            self._hidden.skip_code(line)
        elif self._fence:
            self._add_code(line)
        elif self._is_told(line):
            self.end_block()
        elif not self._add_blank(line) and not self._start_code(line) and not self._add_structure(line):
            self._add_prose(line)

    def _is_told(self, line: str) -> bool:
        """Whether a line tells the generator something: a tag, the option of a directive, or the end of one."""
        if self._wrapped and line.strip() == self._wrapped[-1]:
            self._wrapped.pop()
            return True
        if self._takes_options and is_option(line):
            return True
        self._takes_options = False
        quote = _QUOTE.match(line)
        return is_told(line[quote.end() :] if quote else line)

    def _without_quotation_mark(self, line: str) -> str:
        """A line of code that is quoted is code; without the mark, the quotation and its code are over."""
        quote = _ONE_QUOTE.match(line)
        # CommonMark lets prose go on without the mark, but not code.
        if self._is_quoted and not quote:
            self._fence, self._is_quoted = "", False
            self.end_block()
        elif quote and not self._fence and _FENCE.match(line, quote.end()):
            self._is_quoted = True
        return line[quote.end() :] if quote and self._is_quoted else line

    def end_block(self) -> None:
        """Close the block that is open; one that shows no word, such as a row of badges, is dropped."""
        lines, self._lines = self._lines, []
        kind, self._kind = self._kind, "paragraph"
        text = _text(kind, lines)
        mark, level, self._mark, self._level = self._mark, self._level, "", 0
        # Within a list a bold line is the name of an item.
        if kind == "paragraph" and not self._items and not self._aside and (bold := _BOLD_LINE.fullmatch(text.strip())):
            self._open(bold.group(2), _BOLD_LEVEL)
            return
        is_unseen, self._is_unseen = self._is_unseen, False
        if kind == "item" and is_contents_line(text):
            return
        if kind == "paragraph" and (said := picture_words(text)):
            # "photo" is a label; what is longer tells what can be seen.
            is_unseen = is_unseen or all(len(words.split()) < _FEWEST_WORDS_OF_CAPTION for words in said)
            kind = "caption"
        # What only shows pictures has no words to be found by; code may have none and be the answer.
        if text.strip() and not is_unseen and (kind == "code" or any(map(str.isalnum, render_markdown(text)))):
            # An item knows its own depth; all else is as deep as the list around it.
            level = level if kind == "item" else len(self._items)
            self.blocks.append(Block(text=text, kind=kind, path=self._outline.path, mark=mark, level=level))

    def _add_blank(self, line: str) -> bool:
        if line.strip() or self._kind == "code":
            return False
        self.end_block()
        return True

    def _start_code(self, line: str) -> bool:
        """Open a fenced block, or one that is set in by four columns more than its surroundings."""
        indent = _indent(line)
        fence = _FENCE.match(line)
        directive = _DIRECTIVE.match(line) if fence else None
        # MyST writes notes and tabs as fenced blocks, whose content is prose.
        if directive and holds_prose(directive.group(2)):
            self.end_block()
            self._wrapped.append(directive.group(1))
            self._takes_options = True
            return True
        # Four columns in are code by themselves, unless a list or an aside sets everything in.
        if fence and (indent < _TAB or self._items or self._aside):
            self.end_block()
            self._leave_items(indent)
            self._kind, self._mark = "code", fence.group(3)
            self._fence, self._fence_indent = fence.group(2), indent
            self._is_unseen = directive is not None and is_unseen(directive.group(2))
            return True
        base = self._base(indent)
        if self._kind == "code":
            if not line.strip() or indent >= base + _TAB:
                self._lines.append(line[base + _TAB :])
                return True
            self.end_block()
        # A paragraph goes on, however far its next line is set in.
        elif line.strip() and indent >= base + _TAB and not self._lines and not _ITEM.match(line):
            self._kind = "code"
            self._lines.append(line[base + _TAB :])
            return True
        return False

    def _leave_items(self, indent: int) -> None:
        """At the margin the list is over; what is set in by too little is still taken for a part of it."""
        self._items = self._items if indent else []

    def _base(self, indent: int) -> int:
        """Where text begins here: at the margin, in an aside, or behind an item's mark."""
        return max([self._aside, *(column for column in self._items if column <= indent)])

    def _add_code(self, line: str) -> None:
        """Keep the lines of a fenced block as they are, less the indentation of the fence."""
        closing = line.strip()
        # The fence that opened it or a longer one, and nothing else in the line.
        if closing.startswith(self._fence) and not closing.strip("`~"):
            self._fence, self._is_quoted = "", False
            self.end_block()
        else:
            self._lines.append(line[min(self._fence_indent, _indent(line)) :])

    def _add_structure(self, line: str) -> bool:
        """Take a line that is more than prose."""
        if tab := tab_label(line):
            self.end_block()
            self._aside, self._lines = tab[0] + _TAB, [tab[1]]
            self.end_block()
            return True
        aside = _ADMONITION.match(line)
        if aside:
            self.end_block()
            self._takes_options = True
            self._aside = _TAB + len(aside.group(1)) if aside.group(1) is not None else 0
            return True
        if self._aside and _indent(line) < self._aside:
            self._aside = 0
        return self._add_heading(line) or self._add_table_row(line) or _LINK_TARGET.match(line) is not None

    def _add_heading(self, line: str) -> bool:
        """Start a section if the line is a heading, or underlines one."""
        heading = _HEADING.match(line)
        if heading:
            self.end_block()
            self._open(_CLOSING_HASHES.sub("", (heading.group(2) or "").rstrip()), len(heading.group(1)))
            return True
        underline = _SETEXT.match(line)
        # Without text above it, a row of dashes is a rule.
        if underline and self._lines and self._kind == "paragraph":
            text, self._lines = " ".join(self._lines), []
            self._open(text, 1 if underline.group(1)[0] == "=" else 2)
            return True
        if _RULE.match(line):
            self.end_block()
            return True
        return False

    def _open(self, heading: str, level: int) -> None:
        """Start a section; the first top heading is the title and nobody's section."""
        heading = plain_line(unescape(without_inline_markup(without_badges(_ANCHOR.sub("", heading)))))
        self._items, self._aside = [], 0
        self._headings += 1
        if level == 1 and self._headings == 1 and self._own_title in ("", heading):
            self.title, self._before_title = heading, len(self.blocks)
            heading = ""
        elif level == 1 and self._before_title:
            self._make_title_a_section()
        self._outline.open(level, heading)

    def _make_title_a_section(self) -> None:
        """What has text before it and another top heading behind it is the first of several sections."""
        sections = self.blocks[self._before_title :]
        self.blocks[self._before_title :] = [replace(block, path=(self.title, *block.path)) for block in sections]
        self.title, self._before_title = "", 0

    def _add_table_row(self, line: str) -> bool:
        """Keep a table's rows together as they are written, without the rule below the header."""
        if "|" not in line:
            return False
        # The line above a table's rule was taken for prose until now.
        if _TABLE_RULE.match(line) and self._kind in ("paragraph", "table"):
            header = self._lines.pop() if self._lines else ""
            self.end_block()
            self._kind, self._mark = "table", "header"
            self._lines = [header] if header else []
            return True
        # Rows without a header, as some generators write them.
        if self._kind == "table" or line.lstrip().startswith("|"):
            if self._kind != "table":
                self.end_block()
                self._leave_items(_indent(line))
                self._kind = "table"
            self._lines.append(line.strip())
            return True
        return False

    def _add_prose(self, line: str) -> None:
        """Continue the paragraph, or start an item, a quotation, a footnote or the meaning of a term."""
        if self._kind == "table":
            self.end_block()
        indent = _indent(line)
        # Inside a paragraph a line may be set in less than its list.
        if not self._lines:
            self._items = [column for column in self._items if column <= indent]
        starts = (self._start_item, self._start_quotation, self._start_meaning)
        line = next((rest for start in starts if (rest := start(line)) is not None), line)
        if not line.strip():
            self.end_block()  # a blank line of a quotation
            return
        footnote = _FOOTNOTE.match(line)
        if footnote:
            self.end_block()
            line = line[footnote.end() :]
        # Two blanks or a backslash at the end are a line break that the author meant.
        ends_line = line.endswith(("  ", "\\"))
        self._lines.append(line.strip().removesuffix("\\") + ("\n" if ends_line else ""))

    def _start_item(self, line: str) -> str | None:
        item = _ITEM.match(line)
        if item is None:
            return None
        column = len(item.group(1))
        # "1986. A good year" in the middle of a paragraph is no item, unless it leaves the item that holds it.
        is_within = bool(self._lines) and self._kind == "paragraph" and column >= max([0, *self._items])
        if is_within and item.group(2)[:-1] not in ("", "1"):
            return None
        self.end_block()
        self._items = [*(c for c in self._items if c <= column), item.end(2) + 1]
        # The box of a task tells whether it is done.
        mark = " ".join(filter(None, item.group(2, 3)))
        self._kind, self._mark, self._level = "item", mark, len(self._items) - 1
        return line[item.end() :]

    def _start_quotation(self, line: str) -> str | None:
        quote = _QUOTE.match(line)
        if quote is None:
            return None
        rest = line[quote.end() :]
        if self._kind != "quotation" or _ITEM.match(rest):
            self.end_block()
            self._kind = "quotation"
        return rest

    def _start_meaning(self, line: str) -> str | None:
        """ ": text" below a line that is a term."""
        meaning = _MEANING.match(line)
        if meaning is None or self._kind not in ("paragraph", "definition"):
            return None
        if not self._lines and self._goes_on():
            # The term stood alone until its meaning came.
            self._lines = self.blocks.pop().text.split("\n", 1)  # a blank line stands between term and meaning
        if len(self._lines) > 1:
            self._lines[-1] += "\n"  # one more meaning of the same term
        self._kind = "definition"
        return line[meaning.end() :]

    def _goes_on(self) -> bool:
        """Whether the last block is a term, perhaps with a meaning, that one more meaning may follow."""
        last = self.blocks[-1] if self.blocks else None
        is_term = last is not None and last.kind in ("paragraph", "definition") and last.path == self._outline.path
        return is_term and len(self.blocks[-1].text) < _LONGEST_DEFINITION


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _text(kind: Kind, lines: list[str]) -> str:
    """The lines of a block as its text; a term stands on a line of its own."""
    if kind in ("code", "table"):
        return "\n".join(lines)
    if kind == "definition":
        return "\n".join(filter(None, (lines[0].strip(), _join_lines(lines[1:]))))
    return _join_lines(lines)


def _join_lines(lines: list[str]) -> str:
    """Wrapped lines as one; a hard break stays one."""
    return "\n".join(" ".join(part.split()) for part in " ".join(lines).split("\n")).strip()
