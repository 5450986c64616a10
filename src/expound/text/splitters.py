"""The two ways of cutting a text into sentences, by the names that options give them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from expound.errors import UserError
from expound.resource_table import PUNKT
from expound.text import punkt
from expound.text.sentences import split_sentences

Split: TypeAlias = Callable[[str], list[str]]

SPLITTERS = ("punkt", "rules")


def check_splitter(name: str) -> None:
    """Refuse a splitter that does not exist."""
    if name not in SPLITTERS:
        raise UserError(f"no sentence splitter named {name!r}; there are: {', '.join(SPLITTERS)}")


def resources_of(name: str) -> tuple[str, ...]:
    """The fetched files that a splitter cannot do without."""
    return (PUNKT,) if name == "punkt" else ()


def find_splitter(name: str) -> Split:
    """NLTK's Punkt, from the fetched file, or expound's own rules."""
    return split_sentences if name == "rules" else punkt.english().sentences
