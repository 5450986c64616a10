"""Read DOCX: headings become the path; lists, tables, code and captions become typed blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from expound.corpus.read.archive import Archive
from expound.corpus.read.document import Block, Document, Kind, Outline, join_cells
from expound.corpus.read.package import find_related, own_title
from expound.corpus.read.raw import name_of, stem_of
from expound.corpus.read.xml_tree import check_tree
from expound.errors import BadInput
from expound.text.plain import plain_line

# Content controls wrap blocks; python-docx passes over them, and over inserted text in paragraphs.
_BLOCKS = "./w:p | ./w:tbl | ./w:sdt/w:sdtContent/w:p | ./w:sdt/w:sdtContent/w:tbl"
_CHARACTERS = ".//w:t | .//w:r/w:tab | .//w:r/w:br | .//w:r/w:cr | .//w:r/w:noBreakHyphen"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CODE_STYLE = re.compile(r"\b(?:code|source|preformatted|verbatim|listing|plain text|macro)", re.IGNORECASE)
_MONO = re.compile(r"cour|mono|consol|typewriter|menlo|fixed|inconsolata", re.IGNORECASE)
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_LIST_STYLE = re.compile(r"list (bullet|number)(?: (\d))?$", re.IGNORECASE)
_BULLET = "•"


def read(path: Path) -> Iterator[Document]:
    """One document per DOCX file."""
    with Archive(path) as archive:
        main = find_related(archive, "", "officeDocument")
        body = _parse_part(archive, main)
        if body is None or _tag(body) != "document":
            raise BadInput(f"{name_of(path)}: not a Word document, its main part is missing; check the file's suffix")
        reader = _Reader(_parse_part(archive, find_related(archive, main, "styles")),
                         _parse_part(archive, find_related(archive, main, "numbering")))  # fmt: skip
        title = own_title(archive)
    blocks = tuple(block for part in body.xpath("./w:body") for block in reader.blocks(part))
    title = next(filter(None, [title, *reader.titles]), stem_of(path))
    yield Document(title, tuple(_without_title(block, title) for block in blocks))


def _parse_part(archive: Archive, name: str) -> Any:
    """A part of the file as python-docx's elements; None if there is no such part."""
    from docx.oxml.parser import parse_xml

    if not name:
        return None
    data = archive.read(name)
    # Before the library builds a tree of it: a few kilobytes can name gigabytes.
    check_tree(data)
    return parse_xml(data)


def _without_title(block: Block, title: str) -> Block:
    """The document's title stands above everything and need not be said in every path."""
    if block.path[:1] != (title,):
        return block
    return replace(block, path=block.path[1:])


class _Reader:
    """Goes through the body; remembers the open headings, the titles, and how far each list has counted."""

    def __init__(self, styles: Any, numbering: Any) -> None:
        from docx.styles.styles import Styles

        # The names of built-in styles are English in every language.
        # By id: paragraphs name their style by that, and people know it by its name.
        self._styles = {style.style_id: style for style in Styles(styles)} if styles is not None else {}
        self._formats = dict(_number_formats(numbering)) if numbering is not None else {}
        self._counts: dict[str, Counter[int]] = {}
        self._outline = Outline()
        self.titles: list[str] = []

    def blocks(self, body: Any) -> Iterator[Block]:
        code: Block | None = None
        for element in body.xpath(_BLOCKS):
            block = self._table(element) if _tag(element) == "tbl" else self._paragraph(element)
            # Every line of code is a paragraph of its own.
            # Joined only if nothing stands between them.
            if code and block and block.kind == "code":
                code = replace(code, text=f"{code.text}\n{block.text}")
                continue
            yield from filter(None, (code, block if block and block.kind != "code" else None))
            code = block if block and block.kind == "code" else None
        yield from filter(None, (code,))

    def _paragraph(self, element: Any) -> Block | None:
        style, text = self._style_name(element), _text(element)
        heading = _HEADING.match(style)
        if style == "Title" or heading:
            # A title stands above all headings.
            self._open(int(heading.group(1)) if heading else 0, plain_line(text))
            return None
        kind = self._kind(element, style)
        path = self._outline.path
        if kind != "item":
            return Block(text if kind == "code" else text.strip(), kind, path)
        mark, level = self._mark(element, style)
        return Block(text=text.strip(), kind=kind, path=path, mark=mark, level=level)

    def _open(self, level: int, heading: str) -> None:
        self._outline.open(level, heading)
        if level <= 1:
            self.titles.append(heading)

    def _style_name(self, element: Any) -> str:
        style = self._styles.get(element.style or "")
        return str(style.name or "") if style is not None else ""

    def _kind(self, element: Any, style: str) -> Kind:
        if _CODE_STYLE.search(style) or self._is_mono(element):
            return "code"
        if style.casefold() == "caption":
            return "caption"
        if "quote" in style.casefold():
            return "quotation"
        return "item" if self._numbering(element) or _LIST_STYLE.match(style) else "paragraph"

    def _is_mono(self, element: Any) -> bool:
        """Whether every run with text is in typewriter type, by itself or by the paragraph's style."""
        runs = [
            run for run in element.xpath(".//w:r[w:t]") if "".join(t.text or "" for t in run.xpath("./w:t")).strip()
        ]
        return bool(runs) and all(_MONO.search(_font(run) or self._style_font(element)) for run in runs)

    def _style_font(self, element: Any) -> str:
        style = self._styles.get(element.style or "")
        while style is not None:
            if getattr(style, "font", None) is not None and style.font.name:
                return str(style.font.name)
            style = getattr(style, "base_style", None)
        return ""

    def _numbering(self, element: Any) -> tuple[str, int] | None:
        """The list that a paragraph belongs to, by itself or by its style, and its level there."""
        style = self._styles.get(element.style or "")
        # The paragraph's own word first, then its style's.
        for owner in (element, style.element if style is not None else None):
            found = owner.find(f"{_WORD}pPr/{_WORD}numPr") if owner is not None else None
            number = found.find(_WORD + "numId") if found is not None else None
            if found is not None and number is not None:
                level = found.find(_WORD + "ilvl")
                name = _attribute(number, "val")
                # 0 is Word's way to say: none, whatever the style says.
                return (name, int(_attribute(level, "val") or 0) if level is not None else 0) if name != "0" else None
        return None

    def _mark(self, element: Any, style: str) -> tuple[str, int]:
        """The number or bullet of an item, and its level."""
        named = _LIST_STYLE.match(style)
        number, level = self._numbering(element) or ("", 0)
        if named and named.group(2):
            # "List Bullet 2" is the second level, also without numbering.
            level = max(level, int(named.group(2)) - 1)
        is_numbered = named.group(1).casefold() == "number" if named else False
        format_ = self._formats.get((number, level), "decimal" if is_numbered else "bullet")
        if format_ in ("bullet", "none"):
            return _BULLET, level
        return self._next(number, level, format_), level

    def _next(self, number: str, level: int, format_: str) -> str:
        """Count on in this list; what is nested deeper starts again."""
        counts = self._counts.setdefault(number, Counter())
        counts[level] += 1
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]
        return f"{_numeral(counts[level], format_)}."

    def _table(self, element: Any) -> Block | None:
        rows = [join_cells(_text(cell) for cell in row.xpath("./w:tc")) for row in element.xpath("./w:tr")]
        rows = [row for row in rows if row]
        if not rows:
            return None
        # Word does not say which row is a header; the first mostly is.
        return Block(
            text="\n".join(rows), kind="table", path=self._outline.path, mark="header" if len(rows) > 1 else ""
        )


def _number_formats(numbering: Any) -> Iterator[tuple[tuple[str, int], str]]:
    """How each level of each list is counted: decimal, lowerLetter, bullet."""
    definitions = {_attribute(item, "abstractNumId"): item for item in numbering.findall(_WORD + "abstractNum")}
    for item in numbering.findall(_WORD + "num"):
        target = item.find(_WORD + "abstractNumId")
        definition = definitions.get(_attribute(target, "val")) if target is not None else None
        for level in definition.findall(_WORD + "lvl") if definition is not None else ():
            format_ = level.find(_WORD + "numFmt")
            if format_ is not None:
                yield (_attribute(item, "numId"), int(_attribute(level, "ilvl"))), _attribute(format_, "val")


def _attribute(element: Any, name: str) -> str:
    return str(element.get(_WORD + name) or "")


def _numeral(count: int, format_: str) -> str:
    """The number as the list shows it; letters go from a to z, then start again doubled."""
    if format_ in ("lowerLetter", "upperLetter"):
        letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letters if format_ == "lowerLetter" else letters.upper()
    if format_ in ("lowerRoman", "upperRoman"):
        return _roman(count) if format_ == "lowerRoman" else _roman(count).upper()
    return str(count)


def _roman(count: int) -> str:
    text = ""
    # As far as lists go: a thousand items in Roman numerals are nobody's.
    for value, letters in ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv")):
        while count >= value:
            text, count = text + letters, count - value
    return text + "i" * count


def _font(run: Any) -> str:
    fonts = run.xpath("./w:rPr/w:rFonts")
    # The font of Latin letters; others have fields of their own.
    return _attribute(fonts[0], "ascii") if fonts else ""


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _text(element: Any) -> str:
    """The characters below an element; paragraphs within it are set apart."""
    if _tag(element) != "p":
        return "\n".join(_text(paragraph) for paragraph in element.xpath(".//w:p"))
    pieces = []
    for piece in element.xpath(_CHARACTERS):
        # A text box is stored twice, the second time for old programs.
        if not any(ancestor.tag == _FALLBACK for ancestor in piece.iterancestors()):
            pieces.append(piece.text or "" if _tag(piece) == "t" else _SIGNS[_tag(piece)])
    return "".join(pieces)
