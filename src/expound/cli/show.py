"""`expound show`: a passage in its surroundings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from expound.cli import question_options, screen
from expound.errors import ExpoundError

if TYPE_CHECKING:
    from expound.look import Surroundings

EPILOG = screen.examples(
    "expound show 2",
    "expound show harbour.md#2 --corpus notes --around 3",
    "expound show 1 --open",
)


def command(
    which: str = typer.Argument(
        ..., metavar="N|ID", help="A number of the latest answer or search, or the id of a passage."
    ),
    corpus: list[str] = question_options.CORPUS,
    around: int = typer.Option(1, "--around", "-a", min=0, max=50, help="How many passages before and after it."),
    open: bool = typer.Option(
        False, "--open", help="Also open the file, or the fetched page, in the program that the system has for it."
    ),
    json: bool = typer.Option(False, "--json", help="Print the passages as records."),
) -> None:
    """Show a passage of the latest answer or search, or one by its id, with what stands before and after it."""
    from expound.cli.search_screen import print_surroundings
    from expound.look import show, surroundings_record

    found = show(which, corpus=corpus, around=around)
    if found.is_outdated:
        screen.say(f"{found.corpus} changed since you asked: the passage is shown as it was; ask again for what is new")
    screen.print_result(lambda: surroundings_record(found), lambda: print_surroundings(found), as_json=json)
    if open:
        _open(found)


def _open(found: Surroundings) -> None:
    """Hand the file to the system's own program for it; a page that was fetched, by its address."""
    from expound.cli.opening import open_address, open_file
    from expound.corpus import is_address

    if is_address(address := found.passage.source.file):
        open_address(address)
        return screen.say(f"opened {address}")
    if not found.path:
        raise ExpoundError("the file cannot be opened: the passage is no longer in its corpus")
    open_file(Path(found.path))
    return screen.say(
        f"opened {found.path}" + (f"; the passage is on page {page}" if (page := found.passage.source.page) else "")
    )
