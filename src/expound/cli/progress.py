"""How far long work is, and when it will be done: a bar on a terminal, lines in a log."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from expound.cli.console import err, is_quiet
from expound.text.plain import plain

if TYPE_CHECKING:  # rich is imported when something is printed with it
    from rich.progress import Progress as RichProgress

LINE_EVERY_SECONDS = 10.0
"""How often progress writes a line to a log: often enough to see that it lives, seldom enough to read the rest."""
PACE_OVER_SECONDS = 60.0
"""A minute evens out a slow file, and still follows a change of pace."""
_PACE_POINTS = 1000  # of the pace that are remembered: a minute has far more updates where these are quick


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
            # The second and not the first: the pace is measured from the oldest point that is kept.
            del self._seen[1]


@contextmanager
def progress(title: str, total: float | None = None, *, is_bytes: bool = False) -> Iterator[Meter]:
    """Show long work with its time left: a bar on a terminal, else a line every ten seconds; nothing under --quiet."""
    if is_quiet():
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


def human_bytes(count: float) -> str:
    """22928619 -> 22.9 MB."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
