"""The two streams of a terminal, and whether remarks are wanted."""

from __future__ import annotations

import io
import sys
from functools import cache
from typing import TYPE_CHECKING

from expound.text.plain import visible

if TYPE_CHECKING:  # rich is imported when something is printed with it
    from rich.console import Console

_quiet = False


def configure(*, quiet: bool) -> None:
    """Set what --quiet says for this run."""
    global _quiet
    _quiet = quiet


def is_quiet() -> bool:
    """Whether progress and remarks are left out."""
    return _quiet


class Stream(io.TextIOWrapper):
    """Standard output or error: whatever is written to it, nothing that a reader cannot see gets to the screen."""

    def write(self, text: str, /) -> int:
        # Documents may hold escape sequences: printed as they are, they could rewrite the screen or the title of the
        # window.
        super().write(visible(text))
        return len(text)


def guard_streams() -> None:
    """Put such streams in the place of those that Python opened; one that is closed or taken over stays as it is."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        # Exactly this class: a test or a notebook has put its own stream there, and wants to keep it.
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
    return console(stderr=False)


@cache
def err() -> Console:
    """The console for progress, remarks and errors."""
    return console(stderr=True)


def console(*, stderr: bool, width: int | None = None) -> Console:
    """A console that takes no text for markup, and leaves a closed pipe to us."""
    from rich.console import Console

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            # So that a closed pipe reaches `main`: rich would end the program with an exit code of its own.
            raise

    return Quiet(stderr=stderr, width=width, markup=False, highlight=False, emoji=False)
