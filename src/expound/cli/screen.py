"""The terminal: results go to stdout, progress and remarks to stderr, and no text from a file is taken for markup."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from expound.errors import UserError
from expound.text.plain import UNSEEN, plain, plain_line, visible

if TYPE_CHECKING:  # rich is imported when something is printed with it
    from rich.console import Console
    from rich.progress import Progress as RichProgress

LINE_EVERY_SECONDS = 10.0
"""How often progress writes a line to a log: often enough to see that it lives, seldom enough to read the rest."""
PACE_OVER_SECONDS = 60.0
"""A minute evens out a slow file, and still follows a change of pace."""
_PACE_POINTS = 1000  # of the pace that are remembered: a minute has far more updates where these are quick
# JSON leaves these as they are, and some terminals obey them; lone surrogates cannot be printed at all.
_UNSAFE_IN_JSON = re.compile(f"[\x7f-\x9f\u034f\u180e\u200b-\u200d\u2028\u2029\u2060\ufeff{UNSEEN}\ud800-\udfff]")
_PIPE_WIDTH = 100_000  # wider than any row, so that none is folded for a reader that is a program

_quiet = False


class TableFormat(StrEnum):
    """How a table is printed."""

    text = "text"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


def configure(*, quiet: bool) -> None:
    """Set what --quiet says for this run."""
    global _quiet
    _quiet = quiet


class Stream(io.TextIOWrapper):
    """Standard output or error: whatever is written to it, nothing that a reader cannot see gets to the screen."""

    def write(self, text: str, /) -> int:
        super().write(visible(text))
        return len(text)


def guard_streams() -> None:
    """Put such streams in the place of those that Python opened; one that is closed or taken over stays as it is."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if type(stream) is io.TextIOWrapper:
            encoding, is_terminal = stream.encoding, stream.isatty()
            # A terminal that lacks a character must not stop us.
            guarded = Stream(
                stream.detach(), encoding, "backslashreplace", line_buffering=is_terminal or name == "stderr"
            )
            setattr(sys, name, guarded)


@cache
def out() -> Console:
    """The console for results."""
    return _console(stderr=False)


@cache
def err() -> Console:
    """The console for progress, remarks and errors."""
    return _console(stderr=True)


def say(text: str) -> None:
    """A remark on stderr, unless --quiet."""
    if not _quiet:
        err().print(plain(text), style="dim", soft_wrap=True)


def line(text: str) -> None:
    """A line of a result on stdout, not folded."""
    out().print(plain(text), soft_wrap=True)


def show_error(text: str, *, label: str = "error: ") -> None:
    """One line on stderr, whatever is in the text."""
    sys.stderr.write(f"{label}{plain_line(text)}\n")
    sys.stderr.flush()


def print_json(value: Any) -> None:
    """A value as JSON on stdout: readable, lossless, and without a character that a terminal would obey."""
    print(_safe_json(value, indent=2))


def print_json_line(value: Any) -> None:
    """The same as one line, there at once for whoever reads it."""
    print(_safe_json(value, indent=None), flush=True)


def _safe_json(value: Any, *, indent: int | None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=_as_json)
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
    chosen = columns or list(records[0] if records else ())
    table(chosen, [[record[name] for name in chosen] for record in records])


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
    console = out() if out().is_terminal else _console(stderr=False, width=_PIPE_WIDTH)
    console.print(grid)


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
    lines = (command.replace("[", "\\[") for command in commands)
    return "\n".join(["[dim]Examples[/dim]", *(f"[dim]$[/dim] {line}" for line in lines)])


def human_bytes(count: float) -> str:
    """22928619 -> 22.9 MB."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


class Meter:
    """How far a piece of long work is, and how fast it has been lately."""

    def __init__(self, title: str, total: float | None, show: Callable[[Meter], None]) -> None:
        self.title, self.total, self.done = plain(title), total, 0.0
        self._show = show
        self._seen = deque([(time.monotonic(), 0.0)])

    def update(self, done: float, *, total: float | None = None, title: str = "") -> None:
        """So much is done in all; the total and the title may change on the way."""
        if done < self.done or (title and plain(title) != self.title):  # another piece of work begins
            self._seen = deque()
        self.done = done
        self.total = total if total is not None else self.total
        self.title = plain(title) or self.title
        self._remember()
        self._show(self)

    def report(self, title: str, done: float, total: float) -> None:
        """The same as one call: the shape in which the library reports its progress."""
        self.update(done, total=total, title=title)

    def count(self, *, is_bytes: bool = False) -> str:
        """What is done, and of how much, in words."""
        number = human_bytes if is_bytes else "{:,.0f}".format
        return f"{number(self.done)} of {number(self.total)}" if self.total else number(self.done)

    def seconds_left(self) -> float | None:
        """Judged by the pace of the last minute: what an earlier run had finished goes by in no time."""
        (since, before), (now, done) = self._seen[0], self._seen[-1]
        if not self.total or done <= before or now <= since:
            return None
        return (now - since) * (self.total - done) / (done - before)

    def _remember(self) -> None:
        now = time.monotonic()
        self._seen.append((now, self.done))
        while len(self._seen) > 2 and self._seen[0][0] < now - PACE_OVER_SECONDS:
            self._seen.popleft()
        if len(self._seen) > _PACE_POINTS:
            del self._seen[1]


@contextmanager
def progress(title: str, total: float | None = None, *, is_bytes: bool = False) -> Iterator[Meter]:
    """Show long work with its time left: a bar on a terminal, else a line every ten seconds; nothing under --quiet."""
    if _quiet:
        yield Meter(title, total, lambda _meter: None)
    elif not err().is_terminal:
        yield Meter(title, total, _Lines(is_bytes=is_bytes))
    else:
        with _rich_progress() as bar:
            task = bar.add_task(plain(title), total=total, count="")

            def show(meter: Meter) -> None:
                count = meter.count(is_bytes=is_bytes)
                bar.update(task, completed=meter.done, total=meter.total, description=meter.title, count=count)

            yield Meter(title, total, show)


class _Lines:
    """Progress for log files: now and then a line."""

    def __init__(self, *, is_bytes: bool) -> None:
        self._written, self._is_bytes = time.monotonic(), is_bytes

    def __call__(self, meter: Meter) -> None:
        if time.monotonic() - self._written < LINE_EVERY_SECONDS:
            return
        self._written = time.monotonic()
        left = meter.seconds_left()
        time_left = f", {_duration(left)} left" if left is not None else ""
        sys.stderr.write(f"{meter.title}: {meter.count(is_bytes=self._is_bytes)}{time_left}\n")
        sys.stderr.flush()


def _rich_progress() -> RichProgress:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    title, count = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[count]}", markup=False)
    columns = (title, BarColumn(), count, TimeRemainingColumn(compact=True))
    # Not redirected: what is printed to stdout meanwhile is a result and stays on stdout.
    return Progress(*columns, console=err(), transient=True, redirect_stdout=False, redirect_stderr=False)


def _console(*, stderr: bool, width: int | None = None) -> Console:
    from rich.console import Console

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            raise

    return Quiet(stderr=stderr, width=width, markup=False, highlight=False, emoji=False)


def _as_json(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
