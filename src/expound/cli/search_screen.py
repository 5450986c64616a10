"""Passages as a page of text: those that a search found, or one with its neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from expound.cli.passage_screen import ScreenLine, passage_lines, print_lines, screen_width, show
from expound.look import Surroundings
from expound.shown.answer_pieces import place_of, say_searched, search_way
from expound.text.titled import context_of
from expound.types import Evidence, Passage

_INDENT = "    "
_BAR = "┃ "
_BESIDE_BAR = "  "


def print_found(found: Sequence[Evidence], corpora: Sequence[str], *, by_meaning: bool, seconds: float) -> None:
    """Every passage under its place, as it is laid out in its document."""
    if not found:
        show("Nothing found: no passage has a word of the question.")
    for item in found:
        mark = f"[{item.number}] "
        show(f"{mark}{place_of(item)}", rest=" " * len(mark), style="bold")
        print_lines(passage_lines(item.passage, screen_width() - len(_INDENT)), indent=_INDENT)
        show("")
    show(f"{say_searched(corpora)} · {search_way(has_embedder=by_meaning)} · {seconds:.2f} s", style="dim")


def print_surroundings(surroundings: Surroundings) -> None:
    """A passage with a bar beside it, between its neighbours."""
    passage = surroundings.passage
    mark = f"[{surroundings.number}] " if surroundings.number else ""
    show(f"{mark}{context_of(passage.title, passage.source.heading) or passage.id}", rest=_INDENT, style="bold")
    show(whereabouts(surroundings), style="dim")
    show("")
    _print_neighbours(surroundings.before, passage)
    print_lines(passage_lines(passage, _width()), mark=_BAR)
    _print_neighbours(surroundings.after, passage, is_after=True)


def whereabouts(surroundings: Surroundings) -> str:
    """Corpus, file or address, page and id."""
    source = surroundings.passage.source
    page = f"page {source.page}" if source.page else ""
    where = (f"corpus {surroundings.corpus}", source.url, surroundings.path or source.file, page)
    return " · ".join(filter(None, (*where, surroundings.passage.id)))


def _print_neighbours(neighbours: Sequence[Passage], passage: Passage, *, is_after: bool = False) -> None:
    for neighbour in neighbours:
        lines = [*_heading_lines(neighbour, passage), *passage_lines(neighbour, _width())]
        print_lines([ScreenLine("")] if is_after else [])
        print_lines(lines, indent=_BESIDE_BAR, style="dim")
        print_lines([] if is_after else [ScreenLine("")])


def _heading_lines(neighbour: Passage, passage: Passage) -> list[ScreenLine]:
    """The headings of a neighbour, if they are others."""
    heading = neighbour.source.heading
    return [ScreenLine(heading, "italic")] if heading and heading != passage.source.heading else []


def _width() -> int:
    return screen_width() - len(_BAR)
