"""Recognise tables on PDF pages by cells that stand below each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from expound.corpus.read.document import join_cells
from expound.corpus.read.pdf_lines import Cell, Line

_FEWEST_ROWS = 3  # two rows with gaps are a line of a form or an address
# Edges this near to each other, in ems, are one edge.
_ALIGNED = 0.5
# A row further down than this many lines starts something else.
_FARTHEST = 3.2
# Of the cells: some are empty, centred or span several columns.
_FEWEST_ALIGNED = 0.7
# Comparing every row with every other takes too long on a page of thousands.
_COMPARED = 40


def table_length(lines: Sequence[Line], start: int) -> int:
    """How many lines from here on are a table; 0 if it is none."""
    first = lines[start]
    if len(first.cells) < 2 or first.is_mono:
        return 0
    end = start + 1
    while end < len(lines) and _goes_on(lines[start:end], lines[end]):
        end += 1
    while end > start and len(lines[end - 1].cells) < 2 and not _is_continued(lines[start : end - 1], lines[end - 1]):
        end -= 1
    return end - start if _is_table(lines[start:end]) else 0


def _goes_on(table: Sequence[Line], line: Line) -> bool:
    """Whether a line is a row of the table, or the rest of a cell of it."""
    last = table[-1]
    if (line.page, line.region) != (last.page, last.region) or line.is_mono:
        return False
    if last.base - line.base > _FARTHEST * line.size:
        return False
    if len(line.cells) >= 2:
        shared = sum(_is_aligned(cell, row, line.size) for cell in line.cells for row in [_edges(table[-_COMPARED:])])
        return shared >= min(2, len(line.cells))
    return _is_continued(table, line)


def _is_continued(table: Sequence[Line], line: Line) -> bool:
    """Whether a single cell is the rest of a cell that does not start the row, and no wider than that."""
    rows = [row for row in table[-_COMPARED:] if len(row.cells) >= 2]
    if len(line.cells) != 1 or not rows:
        return False
    near = table[-1].base - line.base <= 1.6 * line.size
    inner = [cell for row in rows for cell in row.cells[1:]]
    if any(abs(cell.left - line.left) <= _ALIGNED * line.size for cell in inner):
        return near
    return near and _is_first_wrapped(rows, line)


def _is_first_wrapped(rows: Sequence[Line], line: Line) -> bool:
    """A first cell's second line ends before the second column starts."""
    starts = [row.cells[1].left for row in rows]
    return abs(line.left - rows[-1].left) <= _ALIGNED * line.size and line.right < min(starts)


def _edges(table: Sequence[Line]) -> list[tuple[float, float, float]]:
    return [(cell.left, (cell.left + cell.right) / 2, cell.right) for row in table for cell in row.cells]


def _is_aligned(cell: Cell, edges: Sequence[tuple[float, float, float]], size: float) -> bool:
    """Whether a cell stands below another: by its left edge, its middle or its right edge."""
    own = (cell.left, (cell.left + cell.right) / 2, cell.right)
    near = _ALIGNED * size
    return any(abs(a - b) <= near for edge in edges for a, b in zip(own, edge, strict=True))


def _is_table(lines: Sequence[Line]) -> bool:
    """At least three rows, and nearly all cells below others."""
    rows = [line for line in lines if len(line.cells) >= 2][:_COMPARED]
    if len(rows) < _FEWEST_ROWS:
        return False
    cells = [(number, cell) for number, row in enumerate(rows) for cell in row.cells]
    aligned = 0
    for number, cell in cells:
        others = [row for i, row in enumerate(rows) if i != number]
        aligned += _is_aligned(cell, _edges(others), rows[0].size)
    return aligned >= _FEWEST_ALIGNED * len(cells)


def table_text(lines: Sequence[Line]) -> tuple[str, bool]:
    """The rows of a table, one a line, and whether the first names the columns."""
    columns = _columns(lines)
    rows = list(_rows(lines, columns))
    first = [line for line in lines if len(line.cells) >= 2][:1]
    rest = [line for line in lines if len(line.cells) >= 2][1:]
    has_header = bool(first) and first[0].is_bold and not all(line.is_bold for line in rest)
    return "\n".join(filter(None, map(join_cells, rows))), has_header


def _columns(lines: Sequence[Line]) -> list[float]:
    """Where the columns end: between the cells of the rows that have most of them."""
    most = max(len(line.cells) for line in lines)
    full = [line for line in lines if len(line.cells) == most]
    bounds = []
    for number in range(1, most):
        before = max(line.cells[number - 1].right for line in full)
        after = min(line.cells[number].left for line in full)
        bounds.append((before + after) / 2 if before < after else after - 1.0)
    return bounds


def _rows(lines: Sequence[Line], columns: Sequence[float]) -> Iterator[list[str]]:
    """The cells of every row; the further lines of a cell are joined to its first."""
    row: list[str] = []
    previous: Line | None = None
    for line in lines:
        if previous is not None and row and _belongs_above(line, previous, columns, lines):
            for cell in line.cells:
                place = _column(cell, columns)
                row[place] = f"{row[place]} {cell.text}".strip()
        else:
            if row:
                yield row
            row = [""] * (len(columns) + 1)
            for cell in line.cells:
                place = _column(cell, columns)
                row[place] = f"{row[place]} {cell.text}".strip()
        previous = line
    if row:
        yield row


def _belongs_above(line: Line, previous: Line, columns: Sequence[float], lines: Sequence[Line]) -> bool:
    if all(_column(cell, columns) > 0 for cell in line.cells):
        return previous.base - line.base <= 1.6 * line.size
    rows = [row for row in lines if len(row.cells) >= 2]
    return len(line.cells) == 1 and _is_first_wrapped(rows, line) and previous.base - line.base <= 1.4 * line.size


def _column(cell: Cell, columns: Sequence[float]) -> int:
    return sum(cell.left >= bound - 0.5 for bound in columns)
