"""The lines of a PDF page in reading order, each with its place, its look and its cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from expound.corpus.read.pdf_columns import CELL_GAP, regions
from expound.corpus.read.pdf_words import Word

# A line is bold or typewriter type if nearly all of it is: a bracket may come from another font.
_NEARLY_ALL = 0.9


@dataclass(frozen=True, slots=True)
class Cell:
    """Part of a line, set apart by more than a space."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; `edge` is how far right its region reaches, `pitch` the width of a character of code."""

    text: str
    page: int
    region: int
    left: float
    right: float
    base: float
    edge: float
    size: float
    is_bold: bool
    is_mono: bool
    cells: tuple[Cell, ...]
    pitch: float = 0.0
    starts: tuple[tuple[float, str], ...] = ()


def page_lines(words: Sequence[Word], page: int) -> list[Line]:
    """The lines of a page, region after region."""
    return [
        _line(row, page, number, _edge(region)) for number, region in enumerate(regions(words)) for row in region if row
    ]


def _edge(region: Sequence[Sequence[Word]]) -> float:
    """How far right a full line reaches; a single line that sticks out does not count."""
    rights = sorted(row[-1].right for row in region)
    # One line in twenty may stick out: a long address, or a formula beyond the margin.
    return rights[-1 - len(rights) // 20]


def _line(row: Sequence[Word], page: int, region: int, edge: float) -> Line:
    sizes, bold, mono = Counter[float](), 0, 0
    for word in row:
        count = len(word.text)
        sizes[word.font.size] += count
        bold += count * word.font.is_bold
        mono += count * word.font.is_mono
    size, total = sizes.most_common(1)[0][0], sizes.total()
    is_mono = mono >= total * _NEARLY_ALL
    cells = tuple(_cells(row, size))
    return Line(
        text=" ".join(cell.text for cell in cells),
        page=page,
        region=region,
        left=row[0].left,
        right=row[-1].right,
        # Of the largest word: raised numbers and subscripts stand off the line.
        base=max(row, key=lambda word: word.font.size).base,
        edge=edge,
        size=size,
        is_bold=bold >= total * _NEARLY_ALL,
        is_mono=is_mono,
        cells=cells,
        pitch=_pitch(row) if is_mono else 0.0,
        starts=tuple(_letters(row)) if is_mono else (),
    )


def _cells(row: Sequence[Word], size: float) -> Iterator[Cell]:
    cell = [row[0]]
    for word in row[1:]:
        if word.left - cell[-1].right > CELL_GAP * size:
            yield _cell(cell)
            cell = []
        cell.append(word)
    yield _cell(cell)


def _cell(words: Sequence[Word]) -> Cell:
    return Cell(" ".join(word.text for word in words), words[0].left, words[-1].right)


def _letters(row: Sequence[Word]) -> Iterator[tuple[float, str]]:
    """Every character of code with its left edge; spaces are found from these, not from what PDFium guesses."""
    for word in row:
        if len(word.starts) == len(word.text):
            yield from zip(word.starts, word.text, strict=True)
        else:
            yield word.left, word.text


def _pitch(row: Sequence[Word]) -> float:
    """The usual width of a character."""
    widths = sorted(word.right - word.starts[-1] for word in row if word.starts)
    return widths[len(widths) // 2] if widths else 0.0
