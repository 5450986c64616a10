"""Gather the blocks of a web page while its tree is walked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from expound.corpus.read.document import Block, Kind, Outline
from expound.corpus.read.webpage_elements import (
    SECTION_NUMBER,
    drop_pictures,
    first_number,
    heads_box,
    is_dropped,
    is_linked,
    language_of,
    leads_elsewhere,
    words_of_picture,
)
from expound.corpus.read.webpage_tables import HtmlTable, table_blocks
from expound.text.plain import plain_line

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BLOCKS_NAMES = (
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "form header hgroup hr li main ol p pre section summary table tbody tfoot thead tr td th ul"
)
_BLOCKS = _HEADINGS | frozenset(_BLOCKS_NAMES.split())
_KINDS: dict[str, Kind] = {"blockquote": "quotation", "figcaption": "caption", "caption": "caption"}
_BULLET = "•"
_BOLD = frozenset(("b", "strong"))
_BOLD_QUESTION = 7
"""The level of a question in a bold line, which heads its answer as in Markdown: below all headings."""
_LONGEST_QUESTION = 40  # words; what is longer tells a story


@dataclass(slots=True)
class _List:
    """An open list: the number of its next item, or 0 in one with bullets."""

    number: int


class Collector:
    """The blocks of a page, in order; feed it the walk of a tree, then take `finish()`."""

    def __init__(self) -> None:
        self.top_heading = ""
        self._outline = Outline()
        self._blocks: list[Block] = []
        self._pieces: list[str] = []
        self._linked = self._links = 0
        self._dropped = 0
        self._in_link = 0
        self._bold = self._in_bold = 0
        self._unanswered = ""
        self._in_code = 0
        self._language = ""
        self._lists: list[_List] = []
        self._kinds: list[tuple[str, Kind]] = []
        self._mark = ""
        self._is_item = False
        self._is_label = False
        self._term = ""
        self._term_level = 0
        self._term_leads_elsewhere = False
        self._meanings = 0
        self._tables: list[HtmlTable] = []

    def start(self, context: Any) -> None:
        """Take the start of an element, or a text."""
        node = context.node
        tag = node.tag
        if tag == "#text":
            self._take_text(node.value)
            return
        # The walk does not announce the end of an element that holds nothing.
        is_hollow = node.first_child is None
        # Inside what is dropped only the depth matters, to know where it ends.
        if self._dropped or is_dropped(node, tag):
            self._dropped += not is_hollow
            return
        self._start_element(node, tag)
        if is_hollow:
            self._end_element(tag)

    def end(self, context: Any) -> None:
        """Take the end of an element."""
        if self._dropped:
            self._dropped -= 1
        else:
            self._end_element(context.node.tag)

    def finish(self) -> Iterator[Block]:
        """All blocks; what a broken page left open is closed."""
        self._end_block()
        self._end_term()
        # Inner tables first, as their end tags would have come.
        while self._tables:
            self._end_table()
        self._close_question()
        yield from self._blocks

    def _take_text(self, text: str) -> None:
        if self._dropped:
            return
        # In code a line break is one; in prose HTML takes it for a blank.
        self._pieces.append(text if self._in_code else text.replace("\n", " "))
        if self._in_link:
            self._linked += len(text.strip())
        if self._in_bold:
            self._bold += len("".join(text.split()))

    def _start_element(self, node: Any, tag: str) -> None:
        if tag in _BLOCKS:
            # Whatever was open ends where another block begins, also without its end tag.
            self._end_block()
        if tag == "pre":
            self._in_code += 1
            self._language = language_of(node)
        elif tag in ("ul", "ol"):
            self._lists.append(_List(first_number(node) if tag == "ol" else 0))
        elif tag == "li":
            self._start_item()
        elif tag in _HEADINGS:
            self._is_label = heads_box(node)
        elif tag in _KINDS:
            self._kinds.append((tag, _KINDS[tag]))
        elif tag == "dt":
            self._end_bare_term()
        elif tag == "dd":
            self._meanings += 1
        elif tag in ("table", "tr", "td", "th"):
            self._start_cell(tag)
        elif tag == "br":
            self._pieces.append("\n")
        elif tag == "img":
            self._pieces.append(words_of_picture(node))
        # A place to jump to, without an address, is no link.
        self._in_bold += tag in _BOLD
        if tag == "a" and node.hasattr("href"):
            self._in_link += 1
            self._links += 1

    def _start_item(self) -> None:
        self._is_item = True
        self._mark = _BULLET
        if self._lists and self._lists[-1].number:
            self._mark = f"{self._lists[-1].number}."
            self._lists[-1].number += 1

    def _start_cell(self, tag: str) -> None:
        if tag == "table":
            self._end_term()
            self._tables.append(HtmlTable())
        elif self._tables:
            self._tables[-1].start(tag)

    def _end_element(self, tag: str) -> None:
        if tag == "a":
            # Never below 0: pages close links that they never opened.
            self._in_link = max(0, self._in_link - 1)
        elif tag in _BOLD:
            self._in_bold = max(0, self._in_bold - 1)
        elif tag in _HEADINGS:
            self._end_heading(tag)
        elif tag == "dt":
            self._start_term()
        elif tag in _BLOCKS:
            self._end_block()
            self._close(tag)

    def _close(self, tag: str) -> None:
        """Leave the surroundings that an element made."""
        if tag == "pre":
            self._in_code = max(0, self._in_code - 1)
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._is_item = False
        elif tag in _KINDS and self._kinds:
            self._kinds.pop()
        elif tag in ("dd", "dl"):
            self._end_bare_term()
            self._meanings -= tag == "dd" and self._meanings > 0
        elif tag == "table" and self._tables:
            self._end_table()

    def _end_heading(self, tag: str) -> None:
        if self._is_label:
            self._end_block()
            return
        # Documentation generators put a sign behind headings that links to them.
        heading = plain_line(drop_pictures("".join(self._pieces))).rstrip("¶# ")
        self._pieces, self._linked, self._links, self._bold = [], 0, 0, 0
        self._end_term()
        if self._tables:
            self._tables[-1].has_heading = True
        else:
            self._close_question()
        # The first one; what a page calls itself later is a section.
        if tag == "h1" and not self.top_heading:
            self.top_heading = heading
        # The path is remembered with each block, so that a table used for layout keeps its sections.
        self._outline.open(int(tag[1]), heading)

    def _end_table(self) -> None:
        for block in table_blocks(self._tables.pop(), self._outline.path):
            self._add(block)

    def _start_term(self) -> None:
        linked = self._linked
        self._term, self._term_level = self._taken(), self._level
        self._term_leads_elsewhere = is_linked(self._term, linked)

    def _end_bare_term(self) -> None:
        """A term that nothing explains; if it is a link, it is an entry of a table of contents.

        Where a list of terms is its meaning, only a section's number tells contents from a term that has properties.
        """
        is_entry = self._level <= self._term_level or SECTION_NUMBER.match(self._term) is not None
        if self._term_leads_elsewhere and is_entry and not self._tables:
            self._term = ""
        self._end_term()

    def _end_term(self) -> None:
        """A term whose meaning is no prose: what follows it explains it."""
        if self._term:
            term, self._term = self._term, ""
            self._add(Block(term, "definition", self._outline.path, level=self._term_level))

    def _end_block(self) -> None:
        linked, links, bold = self._linked, self._links, self._bold
        text = self._taken()
        if not text:
            return
        if self._is_bold_question(text, bold):
            self._end_term()
            self._close_question()
            self._outline.open(_BOLD_QUESTION, text)
            self._unanswered = text
            return
        block = self._block(text)
        self._add(block, leads_elsewhere=leads_elsewhere(block, linked, links))
        self._is_item = False
        self._mark = ""

    def _close_question(self) -> None:
        """A question that nothing stood below heads nothing, as in a questionnaire: it is what the page says."""
        text, self._unanswered = self._unanswered, ""
        if text:
            self._outline.open(_BOLD_QUESTION, "")
            self._blocks.append(Block(text, path=self._outline.path))

    def _is_bold_question(self, text: str, bold: int) -> bool:
        """Whether a block is a question in bold letters that stands above its answer, and not in a list or a table."""
        is_free = not (self._lists or self._tables or self._kinds or self._meanings or self._in_code)
        words = text.split()
        return is_free and text[-1] == "?" and len(words) <= _LONGEST_QUESTION and bold >= len("".join(words))

    def _taken(self) -> str:
        """The text since the last block: code with its lines, all else with single spaces."""
        text = drop_pictures("".join(self._pieces))
        self._pieces, self._linked, self._links, self._bold = [], 0, 0, 0
        if self._in_code:
            # Empty lines at both ends are how the source is laid out; indentation is the code's own.
            return text.strip("\n").rstrip()
        lines = (" ".join(line.split()) for line in text.split("\n"))
        return "\n".join(filter(None, lines))

    @property
    def _level(self) -> int:
        return len(self._lists) + self._meanings

    def _block(self, text: str) -> Block:
        path, level = self._outline.path, self._level
        # Deeper than a meaning is a list inside it, which stands for itself.
        if self._in_code or level > self._term_level + 1:
            self._end_term()  # code, or an item of a list: no sentence that goes on with the term
        if self._in_code:
            return Block(text=text, kind="code", path=path, mark=self._language, level=level)
        if self._term:
            term, self._term = self._term, ""
            return Block(f"{term}\n{text}", "definition", path, level=self._term_level)
        if self._is_item:
            return Block(text=text, kind="item", path=path, mark=self._mark, level=level - 1)
        return Block(text, self._kinds[-1][1] if self._kinds else "paragraph", path, level=level)

    def _add(self, block: Block, *, leads_elsewhere: bool = False) -> None:
        """Keep a block; what leads elsewhere only in a cell, where it may be the name of what its row tells."""
        # Cells are gathered first: whether a table is one or only makes columns is known at its end.
        if self._tables:
            self._tables[-1].add(block, leads_elsewhere=leads_elsewhere)
        elif not leads_elsewhere:
            self._unanswered = ""
            self._blocks.append(block)
