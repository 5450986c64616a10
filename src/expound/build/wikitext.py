"""Wikitext as typed blocks: paragraphs, list items, tables and infoboxes, and where its links lead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from expound.corpus.read.document import Block, Kind, Outline, join_cells

# Sections that hold links and sources: nothing in them answers a question.
_NOT_PROSE = frozenset(
    "references,external links,notes,footnotes,citations,sources,further reading,see also,bibliography,"
    "notes and references,references and notes,works cited,literature,gallery".split(",")
)
_NOT_READ = frozenset("ref references gallery timeline imagemap score graph templatestyles indicator hiero".split())
_OWN_LINE = frozenset("div center p blockquote".split())
_FILES = re.compile(r"\s*:?\s*(?:file|image|media|category|wikt|wiktionary|commons|[a-z]{2,3}):", re.IGNORECASE)
_REDIRECT = re.compile(r"\s*#redirect:?\s*\[\[([^\]|#]+)", re.IGNORECASE)
_DISAMBIGUATION = re.compile(
    r"\{\{\s*(?:disambig\w*|disamb|dab|hndis\w*|geodis|numberdis|schooldis|hospitaldis|letter-number[ -]combination "
    r"disambiguation|[\w -]*disambiguation(?: page)?)\s*[|}]",
    re.IGNORECASE,
)
_INFOBOX = re.compile(r"(?:infobox|taxobox|speciesbox|automatic taxobox|chembox|drugbox|geobox)\b", re.IGNORECASE)
# Templates whose words belong to the sentence that they stand in, by the arguments that hold them.
_WORDS_OF_TEMPLATES = {
    **dict.fromkeys("nowrap nobr small abbr sic angbr iast quote cquote blockquote".split(), "1"),
    **dict.fromkeys(("as of", "start date", "birth date", "birth date and age"), "1"),
    **dict.fromkeys(("death date", "death date and age"), "1"),
    **dict.fromkeys("lang transl transliteration".split(), "2"),
    **dict.fromkeys("convert cvt".split(), "1 2"),
}
_DATES = ("start date", "birth date", "death date")
_LAYOUT = frozenset("image caption alt width imagesize image_size image_caption logo_size map_size".split())
_MARKS = re.compile(r"__[A-Z]{3,}__")
# What opens and what closes; tags that nothing closes are no fault.
_BRACKETS = re.compile(
    r"(?P<template>\{\{)|(?P<end_template>\}\})|(?P<table>\{\|)|(?P<end_table>\|\})|(?P<link>\[)|(?P<end_link>\])"
    r"|(?P<comment><!--)|(?P<end_comment>-->)"
    r"|<(?!br|hr|li|p|td|tr|th|dd|dt|wbr|references)(?P<tag>[a-z])|(?P<end_tag></|/>)",
    re.IGNORECASE,
)
# Open brackets times characters: by measurement about four seconds of work. Real articles came to a fortieth at most.
_MOST_WORK = 50_000_000
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
    """Whether markup is opened so often and never closed that the parser, which starts anew for each, is kept busy."""
    # Counting is quick, and says of most pages that even if nothing were closed it would be little.
    if sum(map(text.count, ("{{", "{|", "[", "<"))) * len(text) <= _MOST_WORK:
        return False
    waiting: Counter[str] = Counter()
    for token in _BRACKETS.finditer(text):
        kind = str(token.lastgroup)
        if kind.startswith("end_"):
            waiting[kind[4:]] = max(0, waiting[kind[4:]] - 1)
        else:
            waiting[kind] += 1
    return waiting.total() * len(text) > _MOST_WORK


def read_wikitext(text: str) -> Wikitext:
    """The blocks and links of a page's wikitext; templates are left out but for infoboxes and a few with words."""
    import mwparserfromhell

    reader = _Reader()
    reader.walk(mwparserfromhell.parse(text).nodes)
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
        text = " ".join("".join(self.words).split())
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
            if not self.marks and "".join(self.words).strip():
                self.end_block()
            self.words = [] if not self.marks else self.words
            self.marks += str(markup)
        elif name == "br":
            self.words.append(" ")
        elif name in _OWN_LINE and node.contents is not None:
            self.end_block()
            self.walk(node.contents.nodes)
            self.end_block()
        elif name not in _NOT_READ and node.contents is not None:
            self.walk(node.contents.nodes)

    def _take_wikilink(self, node: Any) -> None:
        title = str(node.title).strip()
        if _FILES.match(title):
            return
        target = title.partition("#")[0].strip()
        if target and self.is_prose:
            self.links.append(target)
            if self.marks and not "".join(self.words).strip():
                self.listed.append(target)
        self.words.append(inline(node.text) if node.text is not None else title.lstrip(":"))

    def _take_externallink(self, node: Any) -> None:
        self.words.append(inline(node.title) if node.title is not None else "")

    def _take_htmlentity(self, node: Any) -> None:
        self.words.append(_entity(node))

    def _take_template(self, node: Any) -> None:
        name = _template_name(node)
        if _INFOBOX.match(name):
            self.end_block()
            self._add_table(_infobox_rows(node), mark="")
        else:
            self.words.append(_template_words(node, name))

    def _take_table(self, node: Any) -> None:
        self.end_block()
        rows = list(_table_rows(node))
        has_header = bool(rows) and rows[0].is_header
        self._add_table([row.text for row in rows if row.text], mark="header" if has_header else "")

    def _add_table(self, rows: list[str], *, mark: str) -> None:
        if rows and self.is_prose:
            self.blocks.append(Block("\n".join(rows[:_MOST_ROWS]), "table", self.outline.path, mark))

    def _skip(self, node: Any) -> None:
        """Comments, and arguments of templates, say nothing to a reader."""


def inline(code: Any) -> str:
    """The words of a piece of wikitext on one line."""
    reader = _Reader()
    if code is not None:
        reader.walk(code.nodes)
    reader.end_block()
    return " ".join(block.text.replace("\n", " ") for block in reader.blocks)


@dataclass(frozen=True)
class _Row:
    text: str
    is_header: bool


def _table_rows(node: Any) -> Iterator[_Row]:
    tags = [child for child in node.contents.nodes if type(child).__name__ == "Tag"]
    # A first row may stand in a table without the mark of a row.
    loose = [tag for tag in tags if str(tag.tag).strip().lower() in ("td", "th")]
    rows = [loose, *([cell for cell in tag.contents.nodes if type(cell).__name__ == "Tag"]
                     for tag in tags if str(tag.tag).strip().lower() == "tr" and tag.contents is not None)]  # fmt: skip
    for cells in filter(None, rows):
        names = [str(cell.tag).strip().lower() for cell in cells]
        yield _Row(join_cells(inline(cell.contents) for cell in cells).strip(" |"), set(names) == {"th"})


def _infobox_rows(node: Any) -> list[str]:
    rows = []
    for parameter in node.params:
        name = str(parameter.name).strip()
        if name.casefold() not in _LAYOUT and not name.isdigit() and (value := inline(parameter.value)):
            rows.append(join_cells((name.replace("_", " "), value)))
    return rows


def _template_name(node: Any) -> str:
    return " ".join(str(node.name).split()).casefold().replace("_", " ")


def _template_words(node: Any, name: str) -> str:
    if name.startswith("lang-"):
        wanted = ["1"]
    elif name in _WORDS_OF_TEMPLATES:
        wanted = _WORDS_OF_TEMPLATES[name].split()
    else:
        return ""
    if name.startswith(_DATES):
        parts = [inline(node.get(place).value) for place in ("1", "2", "3") if node.has(place)]
        return "-".join(part.zfill(2) for part in parts if part.isdigit())
    return " ".join(filter(None, (inline(node.get(place).value) for place in wanted if node.has(place))))


def _entity(node: Any) -> str:
    try:
        return str(node.normalize())
    except (ValueError, OverflowError):
        return ""
