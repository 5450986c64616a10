"""The indexes of a corpus in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from expound.cli import screen

_SIZES = ("store", "words index", "meaning index")


def shown_index(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an index with its sizes in words."""
    return {name: screen.human_bytes(value) if name in _SIZES else value for name, value in facts.items()}


def print_indexes(indexes: Sequence[Mapping[str, Any]], *, vectors_kept: int) -> None:
    """A row a corpus, and what all of them share."""
    screen.print_records(indexes)
    screen.line(f"\n{vectors_kept:,} vectors kept for all corpora")
