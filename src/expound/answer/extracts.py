"""Choose what to quote of the best passages: contiguous stretches, whole where the length allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from expound.answer.entries import Entry, entries_of
from expound.plugins import spec_text
from expound.text.words import content_stems
from expound.types import Evidence, Sentence

Relevances = Callable[[Sequence[str]], list[float]]
"""How near each text is to the question."""


@dataclass(frozen=True, repr=False)
class Lengths:
    """How many words an answer may take; chosen on the `choose` halves (recipes/LOG.md, "Extracts")."""

    total: int = 168
    """All extracts together. One that would go a little beyond is taken whole rather than left out."""
    first: int = 120
    """The extract of the best passage."""
    other: int = 100
    """Every further extract."""
    fewest: int = 15
    """Room that is not worth beginning another extract for."""
    most_extracts: int = 3
    beyond: float = 1.15
    """The share of `total` at which an answer ends for good."""
    far_behind: float = 0.3
    """How much less than the best passage's score is too little: what shares a word or two is filler."""

    __repr__ = spec_text


LENGTHS = Lengths()


@dataclass(frozen=True, slots=True)
class Extract:
    """A stretch of one passage: the entries quoted, and where they stand among all of its entries."""

    number: int
    entries: tuple[Entry, ...]
    start: int

    @property
    def words(self) -> int:
        return sum(entry.words for entry in self.entries)

    def sentences(self) -> Iterator[Sentence]:
        yield from (entry.cited(self.number) for entry in self.entries)


def choose_extracts(evidence: Sequence[Evidence], relevances: Relevances, lengths: Lengths) -> list[Extract]:
    """Extracts of the best passages, best first, until the length is used up; nothing is said twice."""
    chosen: list[Extract] = []
    left = lengths.total
    for item in evidence:
        # In order of worth: all that follow are as far behind.
        if item.score < evidence[0].score - lengths.far_behind:
            break
        entries = entries_of(item.passage)
        room = min(left, lengths.other if chosen else lengths.first)
        if not entries or _is_said(entries, chosen):
            continue
        # Only here: reading the relevance of entries takes the embedder, and most passages are not reached.
        extract = _cut(item, entries, relevances, room)
        # A single entry may be longer than the room: code and tables are
        # never cut. The first extract is taken in any case.
        if not extract.entries or (chosen and extract.words > left + lengths.total * (lengths.beyond - 1)):
            continue
        chosen.append(extract)
        left -= extract.words
        if left < lengths.fewest or len(chosen) == lengths.most_extracts:
            break
    return chosen


def _cut(item: Evidence, entries: Sequence[Entry], relevances: Relevances, room: int) -> Extract:
    """All entries if there is room for them, else the most relevant run of them that fits."""
    start, end = 0, len(entries)
    # Whole passages where they fit: short extracts of many passages lose (recipes/LOG.md, "Extracts").
    if sum(entry.words for entry in entries) > room:
        start, end = best_run(entries, relevances([entry.text for entry in entries]), room)
    start, end = _trimmed(entries, start, end)
    chosen = [replace(entry, opens=entry.opens or place == 0) for place, entry in enumerate(entries[start:end])]
    return Extract(item.number, tuple(chosen), start)


def _trimmed(entries: Sequence[Entry], start: int, end: int) -> tuple[int, int]:
    """The run without what hangs over its edges: labels, a lead-in whose code or list is not quoted, a question."""
    while start < end and _is_label(entries[start]):
        start += 1
    while start < end and (_is_label(entries[end - 1]) or _introduces(entries[end - 1])):
        end -= 1
    return start, end


def _is_label(entry: Entry) -> bool:
    """ "Note", "Example 3.1": a word or three that are no sentence."""
    return entry.kind == "sentence" and entry.words <= _LONGEST_LABEL and entry.text[-1] not in '.!?:…)”"'


def _introduces(entry: Entry) -> bool:
    """Whether something must follow: a list, code, or the answer to a question that begins a paragraph."""
    return entry.kind == "sentence" and (entry.text.endswith(":") or (entry.opens and entry.text.endswith("?")))


def best_run(entries: Sequence[Entry], relevance: Sequence[float], room: int) -> tuple[int, int]:
    """Start and end of the run that holds the most relevant entry and as much else that is relevant as fits."""
    best, found = float("-inf"), (0, 1)
    for start in range(len(entries)):
        words = 0
        for end in range(start + 1, len(entries) + 1):
            words += entries[end - 1].words
            # An entry that is too long by itself is still a run: better too long than nothing.
            if words > room and end > start + 1:
                break
            value = max(relevance[start:end]) + _SHARE_OF_OTHERS * sum(relevance[start:end])
            if value > best and not _needs_what_is_before(entries, start):
                best, found = value, (start, end)
    return found


# The best entry decides; what surrounds it counts a little, so that a run is as long as there is room for.
_SHARE_OF_OTHERS = 0.15


def _needs_what_is_before(entries: Sequence[Entry], start: int) -> bool:
    """Code and steps are hard to follow without the sentence that introduces them."""
    before = entries[start - 1] if start else None
    return before is not None and entries[start].kind != "sentence" and before.kind == "sentence"


def _is_said(entries: Sequence[Entry], chosen: Sequence[Extract]) -> bool:
    """Whether a passage only repeats what an extract says."""
    own = set(content_stems(" ".join(entry.text for entry in entries)))
    said = [set(content_stems(" ".join(entry.text for entry in extract.entries))) for extract in chosen]
    return any(len(own & other) >= _SAME * len(own) for other in said)


# "Note", "Example 3.1", "On Linux hosts": longer ones may be items or cells that say something.
_LONGEST_LABEL = 3
_SAME = 0.9
"""Share of a passage's content words that an extract must have for the passage to add nothing."""
