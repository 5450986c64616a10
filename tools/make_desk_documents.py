"""Make the desk documents that the suite asks about: office files from their Markdown, all others as they are.

    python tools/make_desk_documents.py FOLDER

Each collection lands in FOLDER/<name>/, over what an earlier run made. A source `x.docx.md` becomes `x.docx`, and
`x.pptx.md` becomes `x.pptx`, with a slide for each heading: the repository holds text alone, and the readers get what
people have.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docx

if TYPE_CHECKING:
    from docx.text.paragraph import Paragraph

SUITE = Path(__file__).resolve().parent.parent / "src/expound/recipes/desk_documents"
# What a line of Markdown is, by how it begins; the first that fits. Sources use no more of Markdown than this.
LINES = {
    "heading": re.compile(r"(#+) (.*)"),
    "row": re.compile(r"(\|)(.*)\|"),
    "bullet": re.compile(r"([-*]) (.*)"),
    "number": re.compile(r"(\d+)\. (.*)"),
    "blank": re.compile(r"(\s*)()$"),
}
RULE = re.compile(r"[-:| ]+")
BOLD = re.compile(r"\*\*(.+?)\*\*")
STYLES = {"bullet": "List Bullet", "number": "List Number", "paragraph": None}
# Layouts of python-pptx's own template, by number.
TITLE_SLIDE, TITLE_AND_CONTENT = 0, 1


class NotMade(Exception):
    """A document could not be made; the message says what to do next."""


@dataclass(frozen=True)
class Block:
    """A heading, an item, a paragraph, or a table with its rows of cells."""

    kind: str
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


def main() -> None:
    """Make every collection; end with an error if one lacks a document, since its questions could not be answered."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    try:
        for source in sorted(path for path in SUITE.iterdir() if path.is_dir()):
            print(f"{source.name}: {make_collection(source, folder / source.name)} files in {folder / source.name}")
    except NotMade as failure:
        sys.exit(str(failure))


def make_collection(source: Path, target: Path) -> int:
    """Make one collection's files; returns how many."""
    target.mkdir(parents=True, exist_ok=True)
    files = sorted(source.iterdir())
    for file in files:
        make_document(file, target)
    return len(files)


def make_document(source: Path, target: Path) -> None:
    """Make an office file of its Markdown, or copy the file."""
    write = WRITERS.get("".join(source.suffixes[-2:]))
    if write is None:
        shutil.copyfile(source, target / source.name)
    else:
        write(read_blocks(source.read_text(encoding="utf-8")), target / source.stem)


def read_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text; lines of a paragraph are joined, rows of a table are kept together."""
    lines = [split_line(line) for line in text.splitlines()]
    return [block for kind, group in groupby(lines, key=lambda line: line[0]) for block in join_lines(kind, [*group])]


def split_line(line: str) -> tuple[str, str, str]:
    """What the line is, its mark and its text."""
    found = ((kind, match) for kind, pattern in LINES.items() if (match := pattern.match(line)))
    kind, match = next(found, ("paragraph", None))
    return (kind, match[1], match[2]) if match else (kind, "", line)


def join_lines(kind: str, lines: Sequence[tuple[str, str, str]]) -> Iterator[Block]:
    """The blocks of neighbouring lines of one kind."""
    texts = [text for _, _, text in lines]
    if kind == "row":
        yield Block("table", rows=tuple(split_row(text) for text in texts if not RULE.fullmatch(text)))
    elif kind == "paragraph":
        yield Block(kind, " ".join(texts))
    elif kind != "blank":
        yield from (Block(kind, text, level=len(mark)) for _, mark, text in lines)


def split_row(text: str) -> tuple[str, ...]:
    """The cells of a table's row."""
    return tuple(cell.strip() for cell in text.split("|"))


def write_docx(blocks: Sequence[Block], path: Path) -> None:
    """Write a text document. All numbered items count on, so a source has one numbered list at most."""
    document = docx.Document()
    for block in blocks:
        if block.kind == "heading":
            document.add_heading(block.text, block.level)
        elif block.kind == "table":
            table = document.add_table(len(block.rows), len(block.rows[0]), style="Table Grid")
            fill_table(table, block.rows)
        else:
            add_runs(document.add_paragraph(style=STYLES[block.kind]), block.text)
    document.save(str(path))


def add_runs(paragraph: Paragraph, text: str) -> None:
    """Add the text to the paragraph, what stands between two pairs of stars in bold."""
    # Splitting by a pattern with one group gives what is outside and what is inside in turns.
    for number, part in enumerate(BOLD.split(text)):
        paragraph.add_run(part).bold = number % 2 == 1


def fill_table(table: Any, rows: Sequence[Sequence[str]]) -> None:
    """Put the texts into the cells, of a text document or a slide alike."""
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(number, column).text = text


def write_pptx(blocks: Sequence[Block], path: Path) -> None:
    """Write slides, one for each heading; the first is the title's."""
    try:
        import pptx
    except ImportError as error:
        raise NotMade(f"{path.name} needs python-pptx: pip install python-pptx, then run this again") from error
    presentation = pptx.Presentation()
    for number, (title, *content) in enumerate(split_slides(blocks)):
        layout = presentation.slide_layouts[TITLE_AND_CONTENT if number else TITLE_SLIDE]
        slide = presentation.slides.add_slide(layout)
        slide.shapes.title.text = title.text
        fill_slide(slide, content)
    presentation.save(str(path))


def split_slides(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """The blocks of each slide, its heading first."""
    starts = [number for number, block in enumerate(blocks) if block.kind == "heading"]
    for start, end in zip(starts, [*starts[1:], len(blocks)], strict=True):
        yield list(blocks[start:end])


def fill_slide(slide: Any, blocks: Sequence[Block]) -> None:
    """Put paragraphs and items into the slide's text frame, and tables beside it."""
    frame = slide.placeholders[1].text_frame
    for block in blocks:
        if block.kind == "table":
            add_slide_table(slide, block)
            continue
        paragraph = frame.add_paragraph() if frame.text else frame.paragraphs[0]
        paragraph.text = block.text
        mark_paragraph(paragraph, block.kind)


def add_slide_table(slide: Any, block: Block) -> None:
    """A table in the lower half of the slide."""
    body = slide.placeholders[1]
    height = body.height // 2
    frame = slide.shapes.add_table(
        len(block.rows), len(block.rows[0]), left=body.left, top=body.top + height, width=body.width, height=height
    )
    fill_table(frame.table, block.rows)


def mark_paragraph(paragraph: Any, kind: str) -> None:
    """Number an item, and take the template's bullet from a paragraph: python-pptx has no call for it."""
    from pptx.oxml.ns import qn

    mark = {"number": "a:buAutoNum", "paragraph": "a:buNone"}.get(kind)
    if mark:
        properties = paragraph._p.get_or_add_pPr()
        element = properties.makeelement(qn(mark), {"type": "arabicPeriod"} if kind == "number" else {})
        properties.append(element)


WRITERS: dict[str, Callable[[Sequence[Block], Path], None]] = {".docx.md": write_docx, ".pptx.md": write_pptx}


if __name__ == "__main__":
    main()
