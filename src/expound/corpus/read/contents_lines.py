"""Tables of contents in plain text: lines that stand again, each at the head of its section, further down."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

_TITLE = re.compile(r"\W*(?:table of contents|contents)\W*", re.IGNORECASE)
# Characters that are looked at: no heading is longer, and a book without line breaks is one line.
_LONGEST_LINE = 200
_RECURRING = 0.8
"""Share of the lines that must come again; a long entry is wrapped, and its second line does not."""


def count_openings(chunks: Sequence[Sequence[str]]) -> Mapping[str, int]:
    """How often each line opens a chunk."""
    return Counter(_key(chunk[0]) for chunk in chunks)


def are_contents(chunk: Sequence[str], openings: Mapping[str, int]) -> bool:
    """Whether lines only name what follows; a list that stands twice is one chunk both times, and is kept."""
    if len(chunk) == 1:
        return heads_contents(chunk[0])
    recurring = (openings.get(_key(line), 0) > (number == 0) for number, line in enumerate(chunk))
    return sum(recurring) >= len(chunk) * _RECURRING


def heads_contents(line: str) -> bool:
    """Whether a line is the heading of a table of contents, and nobody's subject."""
    return _TITLE.fullmatch(line[:_LONGEST_LINE]) is not None


def _key(line: str) -> str:
    """A line as it is compared: without its indentation and the colon of a heading."""
    return " ".join(line[:_LONGEST_LINE].split()).rstrip(".:").lower()
