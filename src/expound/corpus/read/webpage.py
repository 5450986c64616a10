"""Read HTML: headings become sections; scripts, styles, menus and footers are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.corpus.read.document import Document, Section, join_cells, join_paragraphs
from expound.corpus.read.nesting import is_too_deep
from expound.corpus.read.raw import decode, is_text, marked_encoding, name_of, not_text, read_raw, stem_of
from expound.errors import BadInput
from expound.text.plain import plain, plain_line

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_DROPPED_NAMES = (
    "annotation audio button canvas embed footer head iframe input map menu nav noscript object script select "
    "style svg template textarea video"
)
_DROPPED = frozenset(_DROPPED_NAMES.split())
_DROPPED_ROLES = frozenset(("navigation", "contentinfo", "search", "menu", "menubar"))
_DROPPED_CLASSES = frozenset(("mw-editsection", "navbox", "noprint", "reference"))
_BLOCKS_NAMES = (
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "form header hgroup hr li main ol p pre section summary table tbody tfoot thead ul"
)
_BLOCKS = _HEADINGS | frozenset(_BLOCKS_NAMES.split())


@dataclass(frozen=True, slots=True)
class Page:
    """What a page holds."""

    title: str
    sections: tuple[Section, ...]
    url: str

    def sections_under(self, title: str) -> tuple[Section, ...]:
        """The sections; a heading that only repeats the title is left out."""
        return tuple(Section(s.text) if s.heading == title else s for s in self.sections)


def read(path: Path) -> Iterator[Document]:
    """One document per HTML file."""
    markup = decode_markup(read_raw(path))
    if not is_text(markup):
        raise not_text(path)
    page = read_markup(markup, name_of(path))
    yield Document(page.title or stem_of(path), page.sections_under(page.title), page.url)


def decode_markup(data: bytes) -> str:
    """HTML as text: by byte order mark, as UTF-8, by what the page declares, or by its looks."""
    if marked_encoding(data):
        return decode(data)
    try:
        return data.decode()
    except UnicodeDecodeError:
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        return str(bytes_to_str(data, detect_encoding(data, from_html_meta=True), errors="replace"))


def read_markup(markup: str, name: str) -> Page:
    """The title and sections of HTML text; the name is for the error message."""
    from resiliparse.parse.html import HTMLTree, traverse_dom

    markup = plain(markup)
    if is_too_deep(markup):
        raise BadInput(f"{name}: HTML nested too deeply; save the page as text and add that")
    tree = HTMLTree.parse(markup)
    collector = _Collector()
    if tree.body is not None:
        traverse_dom(tree.body, collector.start, collector.end)
    collector.end_section()
    return Page(_title(plain_line(tree.title or ""), collector.top_heading), tuple(collector.sections), _address(tree))


def _title(title: str, top_heading: str) -> str:
    """The page's title; its top heading where the title only adds the name of the site."""
    return top_heading if top_heading and title.startswith(top_heading) else title or top_heading


def _address(tree: Any) -> str:
    """The address that the page says it has."""
    link = tree.head.query_selector('link[rel="canonical"]') if tree.head is not None else None
    address = str(link.getattr("href") or "") if link is not None else ""
    return address if address.startswith(("http://", "https://")) else ""


class _Collector:
    """Gathers paragraphs and headings while a tree is walked."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.top_heading = ""
        self._heading = ""
        self._paragraphs: list[str] = []
        self._pieces: list[str] = []
        self._dropped = 0
        self._preformatted = 0
        # Open table rows, outermost first: each a list of cells, each a list of paragraphs.
        self._rows: list[list[list[str]]] = []

    def start(self, context: Any) -> None:
        """Take the start of an element, or a text."""
        node = context.node
        tag = node.tag
        if tag == "#text":
            if not self._dropped:
                self._pieces.append(node.value if self._preformatted else _unbroken(node.value))
            return
        # The walk does not announce the end of an element that holds nothing.
        is_hollow = node.first_child is None
        if self._dropped or _is_dropped(node, tag):
            self._dropped += not is_hollow
            return
        self._start_element(tag)
        if is_hollow:
            self._end_element(tag)

    def end(self, context: Any) -> None:
        """Take the end of an element."""
        self._end_element(context.node.tag)

    def end_section(self) -> None:
        """Close the section that is open."""
        self._end_paragraph()
        for row in self._rows:
            self._paragraphs.extend(paragraph for cell in row for paragraph in cell)
            row[:] = [[]]
        if self._paragraphs:
            self.sections.append(Section(join_paragraphs(self._paragraphs), self._heading))
        self._paragraphs = []

    def _start_element(self, tag: str) -> None:
        if tag in _BLOCKS or tag in ("tr", "td", "th"):
            self._end_paragraph()
        if tag in _HEADINGS:
            self.end_section()
        elif tag == "tr":
            self._rows.append([[]])
        elif tag in ("td", "th") and self._rows:
            self._rows[-1].append([])
        elif tag == "br":
            self._pieces.append("\n")
        self._preformatted += tag == "pre"

    def _end_element(self, tag: str) -> None:
        if self._dropped:
            self._dropped -= 1
        elif tag in _HEADINGS:
            self._end_heading(tag)
        elif tag == "tr":
            self._end_row()
        elif tag in _BLOCKS or tag in ("td", "th"):
            self._end_paragraph()
            self._preformatted -= tag == "pre"

    def _end_heading(self, tag: str) -> None:
        self._heading = plain_line("".join(self._pieces))
        self._pieces = []
        if tag == "h1" and not self.top_heading:
            self.top_heading = self._heading

    def _end_row(self) -> None:
        """Join the cells of a row, unless the table only serves the layout."""
        self._end_paragraph()
        row = self._rows.pop() if self._rows else []
        is_data = all(len(cell) <= 1 for cell in row)
        paragraphs = [paragraph for cell in row for paragraph in cell]
        for paragraph in [join_cells(paragraphs)] if is_data else paragraphs:
            self._add(paragraph)

    def _end_paragraph(self) -> None:
        lines = (" ".join(line.split()) for line in "".join(self._pieces).split("\n"))
        self._pieces = []
        self._add("\n".join(filter(None, lines)))

    def _add(self, paragraph: str) -> None:
        if paragraph:
            (self._rows[-1][-1] if self._rows else self._paragraphs).append(paragraph)


def _unbroken(text: str) -> str:
    return text.replace("\n", " ")


def _is_dropped(node: Any, tag: str) -> bool:
    """Whether an element is no part of the text: code, a menu, a footer, something hidden."""
    if tag in _DROPPED or tag.startswith("#"):
        return True
    if not node.attrs:
        return False
    if node.hasattr("hidden") or node.getattr("aria-hidden") == "true" or node.getattr("role") in _DROPPED_ROLES:
        return True
    style = (node.getattr("style") or "").replace(" ", "").lower()
    return "display:none" in style or not _DROPPED_CLASSES.isdisjoint((node.getattr("class") or "").split())
