"""Read ODT, a zip of XML: headings by their outline level, paragraphs, lists and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from expound.corpus.read.archive import Archive
from expound.corpus.read.builder import Builder, without_title
from expound.corpus.read.document import Block, Document, join_cells
from expound.corpus.read.raw import name_of, stem_of
from expound.corpus.read.xml_tree import parse_tree
from expound.errors import BadInput
from expound.text.plain import plain_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_LEFT_OUT = frozenset(
    "annotation annotation-end tracked-changes deletion note-citation ruby-text bookmark-ref table-of-content "
    "alphabetical-index illustration-index forms sequence-decls image object binary-data script".split()
)
_SIGNS = {"tab": "\t", "line-break": "\n"}
# Written out, `c="900000000"` would fill the memory.
_MOST_SPACES = 100
_CODE_STYLES = ("preformatted", "source", "code")


def read(path: Path) -> Iterator[Document]:
    """One document per file."""
    name = name_of(path)
    with Archive(path) as archive:
        if "content.xml" not in archive.names:
            raise BadInput(f"{name}: not an OpenDocument text, it has no content.xml; check the file's suffix")
        _refuse_locked(archive, name)
        content = parse_tree(archive.read("content.xml"))
        own_title = _property(archive, "title")
    reader = _Reader(content)
    reader.add(_body(content))
    reader.builder.end()
    title = reader.title or own_title or _top_heading(reader.builder.blocks)
    yield Document(title or stem_of(path), without_title(reader.builder.blocks, title))


def _top_heading(blocks: Sequence[Block]) -> str:
    """The heading that everything stands under: a title by its place, if not by its style."""
    headings = {block.path[:1] for block in blocks}
    return headings.pop()[0] if len(headings) == 1 and () not in headings else ""


def _refuse_locked(archive: Archive, name: str) -> None:
    manifest = "META-INF/manifest.xml"
    if manifest in archive.names and parse_tree(archive.read(manifest)).find(".//encryption-data") is not None:
        raise BadInput(f"{name}: protected by a password; save it without one")


def _property(archive: Archive, name: str) -> str:
    if "meta.xml" not in archive.names:
        return ""
    return plain_line(parse_tree(archive.read("meta.xml")).findtext(f".//{name}") or "")


def _body(content: Element) -> Element:
    body = content.find("body/text")
    return content if body is None else body


class _Reader:
    """Walks a document's elements and gathers their blocks."""

    def __init__(self, content: Element) -> None:
        self.builder = Builder()
        self.title = ""
        # Automatic styles (P1, P2) are made for each document; what a paragraph is stands with their parents.
        self._styles = {s.get("name", ""): s.get("parent-style-name", "") for s in content.iter("style")}
        self._numbered = _find_numbered_styles(content)

    def add(self, element: Element) -> None:
        """Take what an element holds."""
        for child in element:
            if child.tag in _LEFT_OUT:
                continue
            if child.tag == "h":
                self._add_heading(child)
            elif child.tag == "p":
                self._add_paragraph(child)
            elif child.tag == "list":
                self._add_list(child, 0, "")
            elif child.tag == "table":
                self._add_table(child)
            else:
                self.add(child)

    def _add_heading(self, element: Element) -> None:
        level = element.get("outline-level", "1")
        heading = plain_line(_text(element))
        self.builder.open_heading(int(level) if level.isdecimal() and len(level) < 3 else 1, heading)

    def _add_paragraph(self, element: Element) -> None:
        text, style = _text(element), self._style(element)
        if style == "Title" and not self.title:
            self.title = plain_line(text)
        elif _is_code(style):
            self._add_code(text)
        else:
            self._add_text(text, style)
        # After the paragraph: a box floats beside it, and in the middle it would cut a sentence.
        for box in element.iter("text-box"):
            self.add(box)

    def _add_code(self, text: str) -> None:
        """Lines of code are a paragraph each."""
        if self.builder.kind != "code":
            self.builder.start("code")
        self.builder.take(text)

    def _add_text(self, text: str, style: str) -> None:
        is_quoted, is_caption = style.startswith("Quot"), style in ("Caption", "Table", "Figure", "Illustration")
        self.builder.start("quotation" if is_quoted else "caption" if is_caption else "paragraph")
        self.builder.take(text)
        self.builder.end()

    def _style(self, element: Element) -> str:
        """The name of a paragraph's style; that of an automatic one is its parent's."""
        name = element.get("style-name", "")
        return (self._styles.get(name) or name).replace("_20_", " ")

    def _add_list(self, element: Element, level: int, style: str) -> None:
        style = element.get("style-name", style)
        is_numbered = (style, level + 1) in self._numbered
        number = 0
        for item in element:
            if item.tag not in ("list-item", "list-header"):
                continue
            number += 1
            mark = f"{number}." if is_numbered else "-"
            for child in item:
                if child.tag == "list":
                    self._add_list(child, level + 1, style)
                elif child.tag == "h":
                    self._add_heading(child)
                elif child.tag == "p" and _is_code(self._style(child)):
                    self._add_code(_text(child))
                elif child.tag == "p" and (text := _text(child)).strip():
                    self.builder.add("item" if mark else "paragraph", text, mark, level)
                    mark = ""

    def _add_table(self, element: Element) -> None:
        rows = [join_cells(_cells(row)) for row in _rows(element)]
        has_header = element.find("table-header-rows") is not None
        self.builder.add("table", "\n".join(filter(None, rows)), "header" if has_header else "")


def _is_code(style: str) -> bool:
    return any(name in style.lower() for name in _CODE_STYLES)


def _find_numbered_styles(content: Element) -> set[tuple[str, int]]:
    """The lists that count, by style and level."""
    return {
        (style.get("name", ""), int(level.get("level", "1")))
        for style in content.iter("list-style")
        for level in style.iter("list-level-style-number")
        if level.get("num-format") and level.get("level", "1").isdecimal()
    }


def _rows(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag == "table-row":
            yield child
        elif child.tag in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(child)


def _cells(row: Element) -> list[str]:
    return [" ".join(_text(p) for p in cell.iter("p")) for cell in row if cell.tag == "table-cell"]


def _text(element: Element) -> str:
    """The characters of a paragraph, without those of its notes' marks, comments and boxes."""
    pieces: list[str] = []
    _gather(element, pieces)
    return "".join(pieces)


def _gather(element: Element, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if child.tag in _SIGNS:
            pieces.append(_SIGNS[child.tag])
        elif child.tag == "s":
            count = child.get("c", "1")
            pieces.append(" " * min(int(count) if count.isdecimal() and len(count) < 9 else 1, _MOST_SPACES))
        # A blank, since the mark of the note stood there: word and note would run together.
        elif child.tag == "note":
            pieces.append(" ")
            _gather(child, pieces)
        elif child.tag not in _LEFT_OUT and child.tag != "text-box":
            _gather(child, pieces)
        pieces.append(child.tail or "")
