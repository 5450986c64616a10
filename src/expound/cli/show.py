"""`expound show`: a passage in its surroundings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from expound.cli import question_options, screen
from expound.errors import ExpoundError, UserError

if TYPE_CHECKING:
    from expound.cli.remembered import Remembered
    from expound.look import Surroundings
    from expound.types import Passage

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
    open: bool = typer.Option(False, "--open", help="Also open the file in the program that the system has for it."),
    json: bool = typer.Option(False, "--json", help="Print the passages as records."),
) -> None:
    """Show a passage of the latest answer or search, or one by its id, with what stands before and after it."""
    from expound.cli.search_screen import print_surroundings

    number, found = _find(which, corpus, around)
    screen.print_result(lambda: _record(found), lambda: print_surroundings(found, number=number), as_json=json)
    if open:
        _open(found)


def _find(which: str, corpus: list[str], around: int) -> tuple[int | None, Surroundings]:
    """The passage and, if it was meant by a number, that number. With --corpus it is always an id."""
    from expound.cli.remembered import recall
    from expound.corpus.library import open_corpora
    from expound.look import find_passage

    last = recall()
    corpora = open_corpora(corpus or _known_corpora(last))
    if corpus or not which.isdecimal():
        return None, find_passage(which, corpora, reach=around)
    numbered = {item.number: item.passage for item in last.evidence} if last else {}
    if last and int(which) in numbered:
        return int(which), _as_remembered(numbered[int(which)], last.corpora, around)
    if not any(item.store.number_of(which) for item in corpora):
        raise UserError(_no_such_number(which, len(numbered)))
    return None, find_passage(which, corpora, reach=around)


def _known_corpora(last: Remembered | None) -> list[str]:
    """All of the user's corpora, and those of the latest answer that are still there."""
    from expound.corpus.library import SAMPLER, corpus_names

    names = corpus_names()
    return [*names, SAMPLER] if not names or (last and SAMPLER in last.corpora) else names


def _as_remembered(passage: Passage, names: tuple[str, ...], around: int) -> Surroundings:
    """The passage where it stands now; if it is no longer there, as it was, without neighbours."""
    from expound.corpus.library import SAMPLER, corpus_names, open_corpora
    from expound.look import Surroundings, surroundings

    there = [name for name in names if name in (*corpus_names(), SAMPLER)]
    for corpus in open_corpora(there) if there else ():
        number = corpus.store.number_of(passage.id)
        if number and corpus.store.passages([number])[number].text == passage.text:
            return surroundings(corpus, passage.id, reach=around)
    screen.say(f"{', '.join(names)} changed since you asked: the passage is shown as it was; ask again for what is new")
    return Surroundings(", ".join(names), "", passage)


def _no_such_number(which: str, count: int) -> str:
    if not count:
        return "nothing to show yet: ask or search first, or give the id of a passage"
    return f"the latest answer or search has no passage {which}: its passages are numbered up to {count}"


def _record(found: Surroundings) -> dict[str, Any]:
    from expound.records import placed_record

    return {
        "corpus": found.corpus,
        "path": found.path,
        "passage": placed_record(found.passage),
        "before": [placed_record(passage) for passage in found.before],
        "after": [placed_record(passage) for passage in found.after],
    }


def _open(found: Surroundings) -> None:
    """Hand the file to the system's own program for it."""
    from expound.cli.opening import open_file

    if not found.path:
        raise ExpoundError("the file cannot be opened: the passage is no longer in its corpus")
    open_file(Path(found.path))
    screen.say(
        f"opened {found.path}" + (f"; the passage is on page {page}" if (page := found.passage.source.page) else "")
    )
