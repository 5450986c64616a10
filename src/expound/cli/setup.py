"""What the launcher promises on a fresh machine: every small file is there when a command first needs it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from expound import resources
from expound.cli import screen
from expound.cli.models import fetch
from expound.errors import ExpoundError
from expound.resource_table import EMBEDDER


def prepare(needed: Iterable[str] = (), *, by_meaning: bool = False) -> None:
    """Have the fetched files of a command before its long work: what it needs, and the embedder where it searches.

    Who starts from the launcher has agreed to the set-up: what is missing is fetched. Everyone else is told how to get
    it. Without a needed file the command ends here; without the embedder it goes by words alone.
    """
    needed = list(needed)
    wanted = [*needed, *(EMBEDDER if by_meaning else ())]
    try:
        if os.environ.get("EXPOUND_LAUNCHER"):
            _fetch(wanted)
        resources.require(needed)
        resources.require(wanted)
    except ExpoundError as error:
        if resources.find_missing(needed):
            raise
        screen.say(f"searching by words alone: {error}")


def has_embedder() -> bool:
    """Whether passages can be searched by meaning."""
    return not resources.find_missing(EMBEDDER)


def say_which_corpus(given: list[str]) -> None:
    """Someone with several corpora who names none should know that all are searched."""
    from expound.corpus.library import corpus_names

    names = corpus_names()
    if not given and len(names) > 1:
        screen.say(f"searching all of your corpora ({', '.join(names)}); choose with --corpus")


def _fetch(names: list[str]) -> None:
    missing = [name for name in resources.find_missing(names) if not resources.override(name)]
    sizes = [f"{name} ({screen.human_bytes(resources.find(name).download_bytes)})" for name in missing]
    if missing:
        screen.say(f"fetching what this needs, once: {', '.join(sizes)}")
        fetch(missing)
