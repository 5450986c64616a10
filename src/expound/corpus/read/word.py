"""Read DOCX: headings become sections, table rows become lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from expound.corpus.read.archive import open_archive
from expound.corpus.read.document import Block, Document, join_cells
from expound.corpus.read.raw import stem_of
from expound.text.plain import plain_line

# Content controls wrap blocks; python-docx passes over them, and over inserted text in paragraphs.
_BLOCKS = "./w:p | ./w:tbl | ./w:sdt/w:sdtContent/w:p | ./w:sdt/w:sdtContent/w:tbl"
_CHARACTERS = ".//w:t | .//w:r/w:tab | .//w:r/w:br | .//w:r/w:cr | .//w:r/w:noBreakHyphen"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read(path: Path) -> Iterator[Document]:
    """One document per DOCX file."""
    import docx

    with open_archive(path) as archive:
        document = docx.Document(archive.fp)
    styles = _style_names(document)
    titles = [plain_line(document.core_properties.title or "")]
    blocks: list[Block] = []
    heading = ""
    for element in document.element.body.xpath(_BLOCKS):
        style = styles.get(element.style or "", "") if _tag(element) == "p" else ""
        text = _block_text(element)
        if style == "Title" or style.startswith("Heading"):
            heading = plain_line(text)
            titles += [heading] if style in ("Title", "Heading 1") else []
        else:
            blocks.append(Block(text, path=(heading,)))
    title = next(filter(None, titles), stem_of(path))
    yield Document(title, tuple(blocks))


def _style_names(document: Any) -> dict[str, str]:
    """Style names by id; the names of built-in styles are English in every language."""
    return {style.style_id: style.name or "" for style in document.styles}


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _block_text(element: Any) -> str:
    """The text of a paragraph, or of a table with a line per row."""
    if _tag(element) == "p":
        return _text(element).strip()
    rows = (join_cells(_text(cell) for cell in row.xpath("./w:tc")) for row in element.xpath("./w:tr"))
    return "\n".join(rows)


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
