"""Tables of a web page: rows where a table holds data, paragraphs where it only serves the layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from expound.corpus.read.document import Block, join_cells

_LONGEST_CELL = 80
"""Words of a cell; a longer one is running text, and the table a way to lay it out."""


@dataclass(slots=True)
class _Cell:
    is_header: bool
    blocks: list[Block] = field(default_factory=list)
    telling: list[Block] = field(default_factory=list)
    """Those of the blocks that do not only lead elsewhere."""

    @property
    def text(self) -> str:
        return " ".join(block.text for block in self.blocks)


@dataclass(slots=True)
class HtmlTable:
    """A table that is being read."""

    rows: list[list[_Cell]] = field(default_factory=list)
    loose: list[Block] = field(default_factory=list)
    """What stands outside of all cells, such as a caption."""
    has_heading: bool = False

    def start(self, tag: str) -> None:
        """A row or a cell begins."""
        if tag == "tr":
            self.rows.append([])
            return
        # Broken pages have cells outside of any row.
        if not self.rows:
            self.rows.append([])
        self.rows[-1].append(_Cell(tag == "th"))

    def add(self, block: Block, *, leads_elsewhere: bool) -> None:
        """Put a block into the cell that is open."""
        if self.rows and self.rows[-1]:
            cell = self.rows[-1][-1]
            cell.blocks.append(block)
            cell.telling += [] if leads_elsewhere else [block]
        elif not leads_elsewhere:
            self.loose.append(block)


def table_blocks(table: HtmlTable, path: tuple[str, ...]) -> Iterator[Block]:
    """The table as one block of rows, or what its cells hold if they are no cells of data."""
    yield from table.loose
    rows = [row for row in table.rows if any(cell.blocks for cell in row)]
    if not _holds_data(table, rows):
        yield from (block for row in rows for cell in row for block in cell.telling)
        return
    has_header = all(cell.is_header for cell in rows[0] if cell.blocks) and len(rows) > 1
    lines = [join_cells(cell.text for cell in row) for row in rows]
    yield Block(text="\n".join(lines), kind="table", path=path, mark="header" if has_header else "")


def _holds_data(table: HtmlTable, rows: list[list[_Cell]]) -> bool:
    """Whether several short cells stand side by side, and not all of them are links."""
    cells = [cell for row in rows for cell in row]
    # A table of one column has nothing to compare: it is a frame around its text.
    is_wide = any(sum(bool(cell.blocks) for cell in row) > 1 for row in rows)
    is_short = all(len(cell.text.split()) <= _LONGEST_CELL for cell in cells)
    return is_wide and is_short and any(cell.telling for cell in cells) and not table.has_heading
