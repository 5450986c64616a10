"""What stands behind a passage in its document: the rest of its section, and how the sections below it begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from expound.corpus.named import Corpus
from expound.text.titled import section_below
from expound.types import Passage

REST_OF_SECTION = 2
"""Passages: what goes on for longer is a text of its own, not the rest of a list."""
MOST_BELOW = 12
"""Sections below another one that still enumerate something; a chapter of more is an index."""
# So far a section with its sections below is followed; each step is a look into the store, not into the index.
_MOST_STEPS = 60


def passages_behind(passage: Passage, corpora: Sequence[Corpus]) -> list[Passage]:
    """The next passages of the same section, then the first one of each section right below it; mostly none."""
    walk = list(_walk_on(passage, corpora))
    own = passage.source.heading
    rest = [item for item in walk if item.source.heading == own][:REST_OF_SECTION]
    below: dict[str, Passage] = {}
    for item in walk:
        if item.source.heading != own:
            below.setdefault(section_below(own, item.source.heading), item)
    return [*rest, *(below.values() if len(below) <= MOST_BELOW else ())]


def _walk_on(passage: Passage, corpora: Sequence[Corpus]) -> Iterator[Passage]:
    """The passages behind a passage, as long as they stand in its section or below it."""
    for corpus in corpora:
        number = corpus.store.number_of(passage.id)
        if number is None:
            continue
        for step in range(1, _MOST_STEPS + 1):
            item = corpus.store.neighbour(number, step)
            heading = passage.source.heading
            if item is None or not (item.source.heading == heading or section_below(heading, item.source.heading)):
                return
            yield item
        return
