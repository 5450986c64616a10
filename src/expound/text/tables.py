"""A table as text to paste elsewhere: Markdown, CSV, LaTeX."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence

from expound.text.plain import plain, plain_line

# Also in the wide forms that spreadsheets of East Asia take for the same.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9.,]+(?:e[+-]?[0-9]+)?%?", re.IGNORECASE)
_TEXT_MARK = "'"
# Texts that look like numbers and would come back as others: over 15 digits, zeros in front, 12e3 (an id, not a value);
# and 20-1 or 3/4, which would come back as a day.
_ROUNDED = re.compile(
    r"[+-]?(?:[0-9]{16,}|0[0-9]+|[0-9]+e[0-9]+)|[0-9]{1,2}[-/][0-9]{1,4}(?:[-/][0-9]{1,4})?", re.IGNORECASE
)
_LATEX_SPECIAL = re.compile(r"[\\&%$#_{}~^<>]")
_LATEX_NAMED = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
# LaTeX's own fonts have other characters in the places of these two.
_LATEX_NAMED |= {"<": "$<$", ">": "$>$"}
_WRITTEN_NUMBER = re.compile(r"(?:< )?-?\d+\.\d+|–")


def as_markdown(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A pipe table; columns of numbers are set flush right."""
    numeric = [_is_numeric(rows, place) for place in range(len(columns))]
    lines = [columns, ["---:" if is_numeric else "---" for is_numeric in numeric], *rows]
    return "\n".join("| " + " | ".join(_markdown_cell(value) for value in line) + " |" for line in lines) + "\n"


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Comma-separated, numbers in full precision; no cell is a formula to the spreadsheet that opens it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_csv_cell(value) for value in row] for row in [columns, *rows])
    return text.getvalue()


def from_csv_cell(text: str) -> str:
    """The text of a cell that `as_csv` wrote."""
    return text[1:] if text[:1] == _TEXT_MARK and (_is_formula(text[1:]) or _ROUNDED.fullmatch(text[1:])) else text


def _csv_cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = plain(value)
    return f"{_TEXT_MARK}{text}" if _is_formula(text) or _ROUNDED.fullmatch(text) else text


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet would compute a text; a number is one already."""
    return text.lstrip().startswith(_FORMULA) and not _PLAIN_NUMBER.fullmatch(text)


def as_latex(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A tabular with booktabs rules."""
    alignment = "".join("r" if _is_numeric(rows, place) else "l" for place in range(len(columns)))
    head, *body = [" & ".join(latex_cell(value) for value in line) + r" \\" for line in (columns, *rows)]
    lines = [
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def latex_cell(value: object) -> str:
    """A value as LaTeX prints it: nothing in it is taken for a command."""
    return _LATEX_SPECIAL.sub(lambda match: _LATEX_NAMED.get(match[0], "\\" + match[0]), _show_cell(value))


def is_number(value: object) -> bool:
    """Whether a cell is a number, also one that was written out already, such as `< 0.0001`."""
    return isinstance(value, int | float) or (isinstance(value, str) and bool(_WRITTEN_NUMBER.fullmatch(value)))


def _is_numeric(rows: Sequence[Sequence[object]], place: int) -> bool:
    return bool(rows) and all(is_number(row[place]) for row in rows)


def show_float(value: float) -> str:
    """Two digits; a dash where there is no number, as in every other table.

    >>> show_float(1.005e3), show_float(float("nan"))
    ('1005.00', '–')
    """
    return "–" if math.isnan(value) else f"{value:.2f}"


def _show_cell(value: object) -> str:
    return show_float(value) if isinstance(value, float) else plain_line(str(value))


def _markdown_cell(value: object) -> str:
    return _show_cell(value).replace("|", r"\|")
