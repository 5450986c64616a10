"""Read the tables of man pages, as `tbl` has them: options, formats, rows with a sign between their cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from expound.corpus.read.document import join_cells
from expound.corpus.read.man_escapes import Strings, join_lines, split_arguments
from expound.corpus.read.man_requests import RoffLine

_SIGN = re.compile(r"\btab\s*\((.)\)", re.IGNORECASE)
_RULE = re.compile(r"\s*(?:[_=]|\\_)\s*$")
# Macros whose arguments are words; of all others in a cell nothing is seen.
_WORDS = frozenset("B I R BR RB IR RI BI IB SM SB CW MR UR".split())


class RoffTable:
    """The lines of one table, gathered until it ends."""

    def __init__(self, strings: Strings) -> None:
        self._strings = strings
        self._lines: list[str] = []

    def take(self, line: RoffLine) -> None:
        """The next line; a macro's words are a line of text, one that begins its format anew is kept."""
        if not line.macro:
            self._lines.append(line.text)
        elif line.macro in _WORDS:
            between = " " if line.macro in ("B", "I", "R", "SM") else ""
            self._lines.append(between.join(text for text, _ in split_arguments(line.text)))
        elif line.macro in ("T&", "TH"):
            self._lines.append(f".{line.macro}")

    def rows(self) -> tuple[list[str], bool]:
        """A line a row, and whether the first is a header."""
        sign, formats, body = _parts(self._lines)
        rows: list[str] = []
        has_header = bool(formats) and _is_bold(formats[0])
        for line in _whole_rows(body, sign):
            if line is None:
                # A rule below the first row, or the mark that it is repeated on every page.
                has_header = has_header or len(rows) == 1
            elif row := join_cells(self._cell(cell) for cell in line).strip(" |"):
                rows.append(row)
        return rows, has_header and len(rows) > 1

    def _cell(self, text: str) -> str:
        return "" if text.strip() == "\\^" else join_lines(self._strings.seen(text))


def _parts(lines: Sequence[str]) -> tuple[str, list[str], Sequence[str]]:
    """The sign between cells, the lines of the format, and those of the rows."""
    place, sign = 0, "\t"
    # Options end in a semicolon, and stand in the first line alone.
    if lines and lines[0].rstrip().endswith(";"):
        found = _SIGN.search(lines[0][:200])
        place, sign = 1, found.group(1) if found else "\t"
    end = next((n for n, line in enumerate(lines[place:], place) if line.rstrip().endswith(".")), len(lines))
    return sign, list(lines[place : end + 1]), lines[end + 1 :]


def _is_bold(format_line: str) -> bool:
    """Whether every column of the first row is to be set in bold."""
    columns = re.findall(r"[lrcns][^lrcns|,\s.]*", format_line[:300].lower().replace("|", " "))
    return bool(columns) and all("b" in column for column in columns if column[0] != "s")


def _whole_rows(lines: Sequence[str], sign: str) -> Iterator[list[str] | None]:
    """The cells of each row; None for a rule. What stands between `T{` and `T}` is one cell."""
    cells: list[str] = []
    block: list[str] | None = None
    skips = False
    for line in lines:
        if skips:
            skips = not line.rstrip().endswith(".")
        elif block is not None:
            if line.startswith("T}"):
                cells.append(" ".join(block))
                # The row may go on behind the block, and may open the next one.
                block = _take_cells(cells, line[3:].split(sign) if line[2:3] == sign else [])
            else:
                block.append(line)
        elif line == ".T&":
            skips = True
        elif line == ".TH" or _RULE.match(line[:20]):
            yield None
        else:
            block = _take_cells(cells, line.split(sign))
        if block is None and cells:
            yield cells
            cells = []
    if cells or block:
        yield [*cells, " ".join(block or [])]


def _take_cells(cells: list[str], more: list[str]) -> list[str] | None:
    """Add to the cells of a row; the lines of a block where one opens behind them."""
    opens = bool(more) and more[-1].strip() == "T{"
    cells.extend(more[:-1] if opens else more)
    return [] if opens else None
