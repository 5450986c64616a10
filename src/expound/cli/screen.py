"""The terminal: results go to stdout, progress and remarks to stderr, and no text from a file is taken for markup."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from expound.cli.console import configure as configure
from expound.cli.console import console, is_quiet
from expound.cli.console import err as err
from expound.cli.console import guard_streams as guard_streams
from expound.cli.console import out as out
from expound.cli.progress import Meter as Meter
from expound.cli.progress import human_bytes as human_bytes
from expound.cli.progress import progress as progress
from expound.errors import UserError
from expound.text.plain import UNSEEN, plain, plain_line

# JSON leaves these as they are, and some terminals obey them; lone surrogates cannot be printed at all.
_UNSAFE_IN_JSON = re.compile(f"[\x7f-\x9f\u034f\u180e\u200b-\u200d\u2028\u2029\u2060\ufeff{UNSEEN}\ud800-\udfff]")
_PIPE_WIDTH = 100_000  # wider than any row, so that none is folded for a reader that is a program
# What was given is not said back at any length.
_SHOWN_OF_WORD = 200
_LONG_WORD = re.compile(rf"\S{{{_SHOWN_OF_WORD + 100},}}")
# A message keeps its beginning, which says what happened, and its end, which says what to do: some 12 lines in all.
_LONGEST_ERROR = 1500


class TableFormat(StrEnum):
    """How a table is printed."""

    text = "text"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


def say(text: str) -> None:
    """A remark on stderr, unless --quiet."""
    if not is_quiet():
        err().print(plain(text), style="dim", soft_wrap=True)


def line(text: str) -> None:
    """A line of a result on stdout, not folded."""
    out().print(plain(text), soft_wrap=True)


def show_error(text: str, *, label: str = "error: ") -> None:
    """One line on stderr, whatever is in the text; what was given is not said back at any length."""
    line = _LONG_WORD.sub(lambda word: f"{word[0][:_SHOWN_OF_WORD]}…", plain_line(text))
    if len(line) > _LONGEST_ERROR:
        line = f"{line[: _LONGEST_ERROR // 2]} … {line[-_LONGEST_ERROR // 2 :]}"
    sys.stderr.write(f"{label}{line}\n")
    sys.stderr.flush()


def print_json(value: Any) -> None:
    """A value as JSON on stdout: readable, lossless, and without a character that a terminal would obey."""
    print(_safe_json(value, indent=2))


def print_json_line(value: Any) -> None:
    """The same as one line, there at once for whoever reads it."""
    print(_safe_json(value, indent=None), flush=True)


def _safe_json(value: Any, *, indent: int | None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=_as_json)
    # Escaped and not dropped: a program gets back the very text that was in the document.
    return _UNSAFE_IN_JSON.sub(lambda match: json.dumps(match[0])[1:-1], text)


def print_result(record: Any, page: Callable[[], None], *, as_json: bool) -> None:
    """A result for programs or for people: the one place where --json decides. A costly record may be a function."""
    if as_json:
        print_json(record() if callable(record) else record)
    else:
        page()


def print_facts(facts: Mapping[str, object]) -> None:
    """Names with their values, a line a fact."""
    table(("", ""), list(facts.items()))


def print_records(records: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> None:
    """Records as a table, a row each: some of their fields, or all of them."""
    chosen = columns or list(dict.fromkeys(name for record in records for name in record))
    table(chosen, [[record.get(name, "") for name in chosen] for record in records])


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, title: str = "") -> None:
    """Rows under headings on stdout; columns of numbers are set flush right."""
    from rich.table import Table
    from rich.text import Text

    from expound.text.tables import is_number

    grid = Table(title=plain(title) or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for position, name in enumerate(columns):
        is_numeric = bool(rows) and all(is_number(row[position]) for row in rows)
        grid.add_column(name, justify="right" if is_numeric else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(plain(_cell(value))) for value in row))
    # A pipe has no width: nothing is folded there.
    (out() if out().is_terminal else console(stderr=False, width=_PIPE_WIDTH)).print(grid)


def check_format(json: bool, format: TableFormat, *, usual: TableFormat = TableFormat.text) -> None:
    """Refuse two answers to the question how to print."""
    if json and format is not usual:
        raise UserError(f"--json or --format {format}, not both")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], format: TableFormat) -> None:
    """Rows under headings on the terminal, or as a table to paste."""
    from expound.text.tables import as_csv, as_latex, as_markdown

    if format is TableFormat.text:
        table(columns, rows)
        return
    written = {TableFormat.csv: as_csv, TableFormat.latex: as_latex, TableFormat.markdown: as_markdown}[format]
    print(written(columns, rows), end="")


def examples(*commands: str) -> str:
    """Command lines as the last part of a help page."""
    # Typer takes brackets for markup, and a spec may hold some.
    lines = (command.replace("[", "\\[") for command in commands)
    return "\n".join(["[dim]Examples[/dim]", *(f"[dim]$[/dim] {line}" for line in lines)])


def _as_json(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)


def _cell(value: object) -> str:
    if isinstance(value, float):
        from expound.text.tables import show_float

        return show_float(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
