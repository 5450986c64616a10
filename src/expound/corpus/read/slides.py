"""Read PPTX, a zip of XML: a slide's title is a heading, its texts are items and paragraphs, its notes follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from expound.corpus.read.archive import Archive
from expound.corpus.read.builder import Builder, without_title
from expound.corpus.read.document import Document, join_cells
from expound.corpus.read.package import own_title, relations
from expound.corpus.read.raw import name_of, stem_of
from expound.corpus.read.xml_tree import iter_without, parse_tree
from expound.errors import BadInput
from expound.text.plain import plain_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MAIN = "ppt/presentation.xml"
_TITLES = ("title", "ctrTitle")
# Slide numbers, dates and footers are on every slide.
_FURNITURE = ("sldNum", "dt", "ftr", "hdr", "sldImg")
_CODE_FONT = re.compile(r"cour|mono|consol|typewriter|menlo|fixed|inconsolata", re.IGNORECASE)
_FALLBACK = frozenset(("Fallback",))


def read(path: Path) -> Iterator[Document]:
    """One document per presentation."""
    name = name_of(path)
    with Archive(path) as archive:
        if _MAIN not in archive.names:
            raise BadInput(f"{name}: not a PowerPoint presentation, it has no {_MAIN}; check the file's suffix")
        reader = _Reader(archive)
        for number, slide in enumerate(reader.slide_names(), 1):
            reader.add(slide, number)
        title = reader.title()
    yield Document(title or stem_of(path), without_title(reader.builder.blocks, title))


class _Reader:
    """The slides of a presentation in their order, and what they hold."""

    def __init__(self, archive: Archive) -> None:
        self.builder = Builder()
        self._archive = archive
        self._first_title = ""

    def title(self) -> str:
        """The title in the file's properties, else that of the first slide."""
        own = own_title(self._archive)
        # What the program calls every file that nobody gave a title.
        return own if own and own != "PowerPoint Presentation" else self._first_title

    def slide_names(self) -> Iterator[str]:
        """The files of the slides that are shown, in their order, each once."""
        main, targets = self._tree(_MAIN), self._targets(_MAIN)
        slides = main.iter("sldId") if main is not None else ()
        for key in dict.fromkeys(value for slide in slides for value in slide.attrib.values()):
            if key in targets and "/slides/" in targets[key]:
                yield targets[key]

    def add(self, slide: str, number: int) -> None:
        """Take a slide and its notes."""
        tree = self._tree(slide)
        # A slide that is hidden in the show is not said to anybody.
        if tree is None or tree.get("show") == "0":
            return
        shapes = [shape for shape in iter_without(tree, _FALLBACK) if shape.tag in ("sp", "graphicFrame")]
        heading = next((plain_line(_text(shape)) for shape in shapes if _holder(shape) in _TITLES), "")
        self._first_title = self._first_title or heading
        self.builder.open_heading(1, heading or f"Slide {number}")
        for shape in shapes:
            if _holder(shape) not in _TITLES and _holder(shape) not in _FURNITURE:
                self._add_shape(shape)
        for notes in self._targets(slide).values():
            if "/notesSlides/" in notes:
                self._add_notes(notes)

    def _add_notes(self, name: str) -> None:
        tree = self._tree(name)
        for shape in tree.iter("sp") if tree is not None else ():
            if _holder(shape) == "body":
                self._add_texts(shape, is_list=False)

    def _add_shape(self, shape: Element) -> None:
        table = shape.find(".//tbl")
        if table is not None:
            rows = [join_cells(map(_text, row.findall("tc"))) for row in table.iter("tr")]
            properties = table.find("tblPr")
            has_header = properties is not None and properties.get("firstRow") == "1"
            self.builder.add("table", "\n".join(filter(None, rows)), "header" if has_header else "")
        else:
            # The body of a slide is a list unless its layout says otherwise; a text box is not.
            self._add_texts(shape, is_list=_holder(shape) in ("", "body") and shape.find(".//ph") is not None)

    def _add_texts(self, shape: Element, *, is_list: bool) -> None:
        paragraphs = [p for p in shape.iter("p") if _line(p).strip()]
        # How far each level has been counted; what is not numbered ends the count of its level and of those below.
        counts: dict[int, int] = {}
        for paragraph, is_code in zip(paragraphs, _find_code(paragraphs), strict=True):
            if is_code:
                self._add_code(_line(paragraph, trims=False))
                continue
            properties = paragraph.find("pPr")
            level = properties.get("lvl", "0") if properties is not None else "0"
            has_mark = properties is not None and any(child.tag in ("buChar", "buAutoNum") for child in properties)
            has_none = properties is not None and properties.find("buNone") is not None
            # A single paragraph in the body of a slide is a statement, though its layout would put a bullet before it.
            is_item = has_mark or (is_list and not has_none and (len(paragraphs) > 1 or level != "0"))
            depth = int(level) if level in "012345678" and level else 0
            is_numbered = properties is not None and properties.find("buAutoNum") is not None
            counts = {deep: count for deep, count in counts.items() if deep < depth + is_numbered}
            if is_numbered:
                counts[depth] = counts.get(depth, 0) + 1
            mark = f"{counts[depth]}." if is_numbered else "-"
            self.builder.add("item" if is_item else "paragraph", _line(paragraph), mark if is_item else "", depth)
        self.builder.end()

    def _add_code(self, lines: str) -> None:
        """Lines of code are a paragraph each, or one paragraph with breaks."""
        if self.builder.kind != "code":
            self.builder.start("code")
        self.builder.take(lines)

    def _tree(self, name: str) -> Element | None:
        """A part of the file; one that is named but not there is passed over."""
        return parse_tree(self._archive.read(name)) if name in self._archive.names else None

    def _targets(self, part: str) -> dict[str, str]:
        """The files that a part refers to, by the names it has for them."""
        return {relation.id: relation.target for relation in relations(self._archive, part)}


def _holder(shape: Element) -> str:
    """Which place of the layout a shape fills: "title", "body", "sldNum"; nothing for one of its own."""
    place = shape.find(".//ph")
    return place.get("type", "") if place is not None else ""


def _text(element: Element) -> str:
    return "\n".join(_line(paragraph) for paragraph in element.iter("p"))


def _line(paragraph: Element, *, trims: bool = True) -> str:
    signs = {"br": "\n", "tab": "\t"}
    text = "".join(e.text or "" if e.tag == "t" else signs.get(e.tag, "") for e in paragraph.iter())
    return re.sub(r"[ \t]*\n[ \t]*", "\n", text) if trims else text


def _find_code(paragraphs: Sequence[Element]) -> list[bool]:
    """Which paragraphs are code: in slides a font of fixed width marks it, and of a word by itself a name."""
    fixed = [_is_fixed(paragraph) for paragraph in paragraphs]
    beside = [before or behind for before, behind in zip([False, *fixed], [*fixed[1:], False], strict=False)]
    has_blank = [len(_line(paragraph).split()) > 1 for paragraph in paragraphs]
    return [own and (more or blank) for own, more, blank in zip(fixed, beside, has_blank, strict=True)]


def _is_fixed(paragraph: Element) -> bool:
    """Whether all of a paragraph is set in a font of fixed width."""
    runs = [run for run in paragraph.iter("r") if (run.findtext("t") or "").strip()]
    fonts = (run.find("rPr/latin") for run in runs)
    return bool(runs) and all(font is not None and _CODE_FONT.search(font.get("typeface", "")) for font in fonts)
