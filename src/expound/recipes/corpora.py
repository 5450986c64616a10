"""The corpora that recipes measure on: made anew for every run, under names that no user's corpus has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from expound.corpus import library


def recipe_corpus(
    name: str,
    passages: Path,
    *,
    where: Sequence[str] = (),
    vectors: bool = False,
    embedder: str = "",
    report: Callable[[str, int, int], None] | None = None,
) -> str:
    """Make the corpus from these passages alone, whatever an earlier run had; returns its name."""
    full = f"recipe-{name}"
    # Anew: a corpus that followed earlier files would hold what was removed from them.
    if full in library.corpus_names():
        library.remove(full)
    library.add([passages], name=full, where=where, vectors=vectors, embedder=embedder, report=report)
    return full
