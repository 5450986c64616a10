"""Wikitext as typed blocks: paragraphs, list items, tables and infoboxes, and where its links lead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from types import SimpleNamespace
from typing import Any

from expound.build.wiki_markup import simplify
from expound.build.wiki_templates import Template, join_fraction, template_rows, template_words
from expound.corpus.read.document import Block, Kind, Outline, join_cells

# Sections that hold links and sources: nothing in them answers a question.
_NOT_PROSE = frozenset(
    "references,external links,notes,footnotes,citations,sources,further reading,see also,bibliography,"
    "notes and references,references and notes,works cited,literature,gallery".split(",")
)
_NOT_READ = frozenset("ref references gallery timeline imagemap score graph templatestyles indicator hiero".split())
_OWN_LINE = frozenset("div center p blockquote".split())
# Files, and the same page in other languages, which have no space behind them: "CSI: Miami" is a title.
_HIDDEN = re.compile(
    r"\s*(?:(?:file|image|media|category):|(?:simple|[a-z]{2,3}(?:-[a-z-]{1,12})?):(?!\s))|\s*:\s*(?:file|image|media):",
    re.IGNORECASE,
)
# Words that lead to a dictionary or to another wiki are read, but are no links of this one.
_ELSEWHERE = re.compile(
    r"\s*(?::\s*(?:[a-z]+(?:-[a-z-]{1,12})?:(?!\s))+|(?:wikt|wiktionary|commons|s|wikisource|q|wikiquote):)",
    re.IGNORECASE,
)
_REDIRECT = re.compile(r"\s*#redirect:?\s*\[\[([^\]|#]+)", re.IGNORECASE)
_DISAMBIGUATION = re.compile(
    r"\{\{\s*(?:disambig\w*|disamb|dab|hndis\w*|geodis|numberdis|schooldis|hospitaldis|letter-number[ -]combination "
    r"disambiguation|[\w -]*disambiguation(?: page)?)\s*[|}]",
    re.IGNORECASE,
)
_CLADES = frozenset(("clade", "cladogram"))
# Bounds the recursion: a page may nest its trees as deep as it likes.
_DEEPEST_CLADE = 30
_COLUMNS = frozenset(("columns-list", "columns", "ordered list", "numbered list", "bulleted list"))
_COLUMN = re.compile(r"col\d+")
_WIDTH = re.compile(r"\s*(?:[\d.]+\s*(?:em|px|%)?|colwidth)?\s*")
# What stands where a template was left out, until it is known what it was left out of.
_GONE = "\0"
_EMPTY_BRACKETS = re.compile(r" ?\((?=[^()\0]*+\0)[\s,;:/\0]*+\)")
_OPENING_BRACKET = re.compile(r"\([\s,;\0]++")
_CLOSING_BRACKET = re.compile(r"(?<![\s,;\0])[\s,;\0]++\)")
# Nothing but a template between two words is a dot or a bar of a list.
_BETWEEN_WORDS = re.compile(r"(?<=\w)\0++(?=\w)")
_BEFORE_STOP = re.compile(r"(?<!\0) ?\0++(?=[,.;:])")
# A cell whose text comes from a template begins with a bar: before it only the looks of the cell are left.
_LOOKS = re.compile(
    r"^(?:(?:colspan|rowspan|bgcolor|style|align|valign|width|class|scope)\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|\S++)\s*+)++",
    re.IGNORECASE,
)
# A picture whose description is so odd that the parser takes it for words.
_RAW_FILE = re.compile(r"\[\[(?:file|image):.*?(?:\]\]|$)", re.IGNORECASE)
# Tags that the parser could not pair; a source that is opened in a paragraph ends with it.
_STRAY_SOURCE = re.compile(r"<ref\b[^<>]*+(?<!/)>.*?(?:</ref\s*+>|$)", re.IGNORECASE)
_STRAY_TAG = re.compile(
    r"</?(?:ref|br|li|ul|ol|p|small|big|sup|sub|div|span|center|font|i|b|u|nowiki|blockquote|td|tr|th|table)\b[^<>]*+>",
    re.IGNORECASE,
)
_MARKS = re.compile(r"__[A-Z]{3,}__")
# What opens and what closes; tags that nothing closes are no fault.
_BRACKETS = re.compile(
    r"(?P<template>\{\{)|(?P<end_template>\}\})|(?P<table>\{\|)|(?P<end_table>\|\})|(?P<link>\[)|(?P<end_link>\])"
    r"|(?P<comment><!--)|(?P<end_comment>-->)"
    r"|<(?!br|hr|li|p|td|tr|th|dd|dt|wbr|references)(?P<tag>[a-z]\w*+)|</(?P<end_tag>[a-z]\w*+)|(?P<end_last>/>)",
    re.IGNORECASE,
)
# Open brackets times characters: by measurement about four seconds of work. Real articles came to a thirtieth at most.
_MOST_WORK = 50_000_000
# The parser takes the caption of a table for its first cell.
_CAPTION = re.compile(r"\+ *([^|]*)(?:\| |$)")
_MOST_SPANNED = 1_000  # rows or columns, as in browsers
_LONGEST_REPEATED = 80  # characters of a cell beside several rows; by eye: names and dates are shorter
_MOST_ROWS = 2_000  # of one table: beyond that it is data, not something to read


@dataclass(frozen=True)
class Wikitext:
    """What a page says: its blocks in order, and its links, those that begin an item of a list apart."""

    blocks: tuple[Block, ...]
    links: tuple[str, ...]
    listed: tuple[str, ...]


def redirect_of(text: str) -> str:
    """Where a page leads that is nothing but a redirect; empty for any other."""
    found = _REDIRECT.match(text)
    return found[1].strip() if found else ""


def is_disambiguation(title: str, text: str) -> bool:
    """Whether a page lists what its title may mean."""
    return title.endswith("(disambiguation)") or _DISAMBIGUATION.search(text) is not None


def takes_too_long(text: str) -> bool:
    """Whether markup is opened so often before it is closed, if ever, that the parser, which starts anew for each, is
    kept busy."""
    # Counting is quick, and says of most pages that even if nothing were closed it would be little.
    if sum(map(text.count, ("{{", "{|", "[", "<"))) * len(text) <= _MOST_WORK:
        return False
    return any(depth * len(text) > _MOST_WORK for depth in _depths(text))


def _depths(text: str) -> Iterator[int]:
    """How much markup is open behind each mark; a tag is closed by its own name."""
    waiting: Counter[str] = Counter()
    last, depth = "", 0
    for token in _BRACKETS.finditer(text):
        kind = str(token.lastgroup)
        if kind == "tag":
            kind = last = f"<{token[0][1:].lower()}"
        is_end = kind.startswith("end_")
        closed = last if kind == "end_last" else f"<{token[0][2:].lower()}" if kind == "end_tag" else kind[4:]
        if not is_end:
            waiting[kind] += 1
            depth += 1
        elif waiting[closed]:
            waiting[closed] -= 1
            depth -= 1
        yield depth


def read_wikitext(text: str) -> Wikitext:
    """The blocks and links of a page's wikitext; templates are left out but for infoboxes and a few with words."""
    import mwparserfromhell

    reader = _Reader()
    reader.walk(mwparserfromhell.parse(simplify(text)).nodes)
    reader.end_block()
    return Wikitext(tuple(reader.blocks), tuple(dict.fromkeys(reader.links)), tuple(dict.fromkeys(reader.listed)))


@dataclass
class _Reader:
    """A walk through the nodes of a page: text gathers until a block ends."""

    outline: Outline = field(default_factory=Outline)
    blocks: list[Block] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    marks: str = ""
    is_prose: bool = True

    def walk(self, nodes: Iterable[Any]) -> None:
        for node in nodes:
            getattr(self, f"_take_{type(node).__name__.lower()}", self._skip)(node)

    def end_block(self) -> None:
        """Close what was gathered; nothing is kept of a section that is no prose."""
        text = _close_gaps("".join(self.words))
        self.words, marks, self.marks = [], self.marks, ""
        if text and self.is_prose:
            kind: Kind = "item" if marks else "paragraph"
            mark = marks[-1:] if marks[-1:] in "*#" else ""
            self.blocks.append(Block(text, kind, self.outline.path, mark=mark, level=max(0, len(marks) - 1)))

    def _take_text(self, node: Any) -> None:
        first, *rest = str(node.value).split("\n")
        self.words.append(_MARKS.sub("", first))
        for number, line in enumerate(rest):
            # The end of a line ends an item; prose ends at an empty line.
            if self.marks or (not line.strip() and number < len(rest) - 1):
                self.end_block()
            self.words.append(f" {_MARKS.sub('', line)}")

    def _take_heading(self, node: Any) -> None:
        self.end_block()
        heading = inline(node.title)
        self.outline.open(node.level, heading)
        self.is_prose = not any(part.casefold() in _NOT_PROSE for part in self.outline.path)

    def _take_tag(self, node: Any) -> None:
        name, markup = str(node.tag).strip().lower(), node.wiki_markup or ""
        if name == "table":
            self._take_table(node)
        elif markup and name in ("li", "dd", "dt"):
            if not self.marks and not self._is_empty():
                self.end_block()
            self.words = [] if not self.marks else self.words
            self.marks += str(markup)
        elif name in ("br", "li"):
            self.words.append(" ")
            self.walk(node.contents.nodes if node.contents is not None else ())
        elif name in _OWN_LINE and node.contents is not None:
            self.end_block()
            self.walk(node.contents.nodes)
            self.end_block()
        elif name not in _NOT_READ and node.contents is not None:
            self.walk(node.contents.nodes)

    def _take_wikilink(self, node: Any) -> None:
        title = unescape(str(node.title)).strip()
        elsewhere = _ELSEWHERE.match(title)
        if _HIDDEN.match(title) and not elsewhere:
            return
        target = "" if elsewhere else title.partition("#")[0].strip()
        if target and self.is_prose:
            self.links.append(target)
            if self.marks and self._is_empty():
                self.listed.append(target)
        shown = title[elsewhere.end() :] if elsewhere else title.lstrip(":")
        self.words.append(inline(node.text) if node.text is not None else shown)

    def _take_externallink(self, node: Any) -> None:
        self.words.append(inline(node.title) if node.title is not None else "")

    def _take_htmlentity(self, node: Any) -> None:
        self.words.append(_entity(node))

    def _take_template(self, node: Any) -> None:
        template = Template(node, inline)
        name = template.name
        if name in _CLADES:
            self.end_block()
            self._take_clade(node, 1)
        elif name in _COLUMNS:
            self.end_block()
            self._take_columns(node, name)
        elif rows := template_rows(template):
            self.end_block()
            self._add_table([join_cells(row) for row in rows], mark="")
        else:
            self.words.append(join_fraction(self.words, template_words(template), name) or _GONE)

    def _take_columns(self, node: Any, template_name: str) -> None:
        """Lists, and prose in columns without what says how wide they are."""
        for parameter in node.params:
            if not parameter.showkey or _COLUMN.fullmatch(str(parameter.name).strip()):
                is_width = template_name.startswith("columns") and _WIDTH.fullmatch(str(parameter.value))
                self.walk(() if is_width else parameter.value.nodes)
                self.end_block()

    def _take_clade(self, node: Any, level: int) -> None:
        """A tree of kinds as a list within lists: each branch by its label, with its branches below."""
        for parameter in node.params:
            place = str(parameter.name).strip()
            if not place.isdigit():
                continue
            inner = [one for one in parameter.value.nodes if _is_clade(one)]
            own = " ".join(filter(None, (_read_label(node, place), inline(_without(parameter.value, inner)))))
            if own and self.is_prose:
                self.blocks.append(Block(own, "item", self.outline.path, mark="*", level=level - 1))
            # Nobody reads a tree of so many levels, and each is a call of this function.
            for one in inner if level < _DEEPEST_CLADE else ():
                self._take_clade(one, level + 1 if own else level)

    def _take_table(self, node: Any) -> None:
        self.end_block()
        rows = list(_table_rows(node))
        if rows and (caption := _CAPTION.match(rows[0].text)):
            self.words.append(caption[1])
            self.end_block()
            rows[0] = replace(rows[0], text=rows[0].text[caption.end() :])
        has_header = bool(rows) and rows[0].is_header
        self._add_table([row.text for row in rows if row.text], mark="header" if has_header else "")

    def _add_table(self, rows: list[str], *, mark: str) -> None:
        if rows and self.is_prose:
            self.blocks.append(Block("\n".join(rows[:_MOST_ROWS]), "table", self.outline.path, mark))

    def _is_empty(self) -> bool:
        return not "".join(self.words).replace(_GONE, "").strip()

    def _skip(self, node: Any) -> None:
        """Comments, and arguments of templates, say nothing to a reader."""


def _is_clade(node: Any) -> bool:
    return type(node).__name__ == "Template" and " ".join(str(node.name).split()).casefold() in _CLADES


def _read_label(node: Any, place: str) -> str:
    return inline(node.get(f"label{place}").value) if node.has(f"label{place}") else ""


def _without(code: Any, left_out: Sequence[Any]) -> Any:
    """A piece of wikitext without some of its nodes."""
    return SimpleNamespace(nodes=[node for node in code.nodes if all(node is not one for one in left_out)])


def inline(code: Any) -> str:
    """The words of a piece of wikitext on one line."""
    reader = _Reader()
    if code is not None:
        reader.walk(code.nodes)
    reader.end_block()
    return " ".join(block.text.replace("\n", " ") for block in reader.blocks)


def _close_gaps(text: str) -> str:
    """The words with single spaces; brackets and commas that held nothing but what was left out go with it."""
    text = _RAW_FILE.sub("", " ".join(text.split()))
    if "<" in text:
        text = " ".join(_STRAY_TAG.sub(" ", _STRAY_SOURCE.sub("", text)).split())
    if _GONE in text:
        text = _EMPTY_BRACKETS.sub("", text)
        text = _OPENING_BRACKET.sub(lambda found: "(" if _GONE in found[0] else found[0], text)
        text = _CLOSING_BRACKET.sub(lambda found: ")" if _GONE in found[0] else found[0], text)
        text = _BETWEEN_WORDS.sub(", ", _BEFORE_STOP.sub("", text))
        text = " ".join(text.replace(_GONE, "").split())
    return text


@dataclass(frozen=True)
class _Row:
    text: str
    is_header: bool


@dataclass(frozen=True)
class _Cell:
    text: str
    columns: int
    rows: int


def _table_rows(node: Any) -> Iterator[_Row]:
    tags = [child for child in node.contents.nodes if type(child).__name__ == "Tag"]
    # A first row may stand in a table without the mark of a row.
    loose = [tag for tag in tags if str(tag.tag).strip().lower() in ("td", "th")]
    rows = [loose, *([cell for cell in tag.contents.nodes if type(cell).__name__ == "Tag"]
                     for tag in tags if str(tag.tag).strip().lower() == "tr" and tag.contents is not None)]  # fmt: skip
    hanging: dict[int, _Cell] = {}
    for cells in filter(None, rows):
        names = [str(cell.tag).strip().lower() for cell in cells]
        texts = _fill_row(list(map(_cell, cells)), hanging)
        yield _Row(join_cells(texts).strip(" |"), set(names) == {"th"})


def _cell(node: Any) -> _Cell:
    return _Cell(_LOOKS.sub("", inline(node.contents), count=1), _span(node, "colspan"), _span(node, "rowspan"))


def _span(node: Any, name: str) -> int:
    value = str(node.get(name).value or "").strip() if node.has(name) else ""
    return min(max(1, int(value)), _MOST_SPANNED) if value.isascii() and value.isdigit() else 1


def _fill_row(cells: Sequence[_Cell], hanging: dict[int, _Cell]) -> list[str]:
    """The texts of a row, with those that hang down into it from rows above; what hangs on is kept for the next."""
    texts, column, waiting = [], 0, list(reversed(cells))
    while column in hanging or waiting:
        above = hanging.pop(column, None)
        cell = above or waiting.pop()
        # Long remarks beside many rows are said once.
        texts.append(cell.text if above is None or len(cell.text) <= _LONGEST_REPEATED else "")
        if cell.rows > 1:
            hanging[column] = replace(cell, rows=cell.rows - 1)
        column += cell.columns
    return texts


def _entity(node: Any) -> str:
    try:
        return str(node.normalize())
    except (ValueError, OverflowError):
        return ""
