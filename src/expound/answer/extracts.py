"""Choose what to quote of the best passages: contiguous stretches, whole where the length allows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from expound.answer.entries import Entry, entries_of
from expound.plugins import spec_text
from expound.text.continuing import begins_within
from expound.text.words import content_stems
from expound.types import Evidence, Sentence

Relevances = Callable[[Sequence[str]], list[float]]
"""How near each text is to the question."""


@dataclass(frozen=True, repr=False)
class Lengths:
    """How many words an answer may take; chosen on the `choose` halves (recipes/LOG.md, "Words where they are needed",
    and anew for passages that a ranker has read, "Read together").

    Words have a price: a stretch is quoted if the chance that it holds the answer is worth its length. So an answer is
    short where one passage is clearly the best, and longer where several may be meant.
    """

    total: int = 160
    """About how many words an answer has on average."""
    price: float = 0.2
    """The chance that `total` words must bring."""
    steepness: float = 6.0
    """How fast a passage's chance falls with its score: one that is 0.2 behind has a third of it."""
    sharpness: float = 8.0
    """The same within a passage, for the nearness of its entries."""
    evenly: float = 0.5
    """The part of a passage's chance that all of its words share: the nearest sentence is often beside the answer."""
    most_extracts: int = 2
    fewest: int = 8
    """Words that are not worth an extract of their own."""
    beyond: float = 1.9
    """The share of `total` at which an answer ends for good."""
    far_behind: float = 0.5
    """How far behind the best score a passage is not quoted, however short it is: it merely stands beside."""
    lead: float = 0.4
    """What the nearness of its nearest entry is worth to an extract that wants to stand first."""

    __repr__ = spec_text

    @property
    def price_of_word(self) -> float:
        """The chance that a word must bring."""
        return self.price / self.total


LENGTHS = Lengths()
# Who asks a few notes uses other words than they do, so that no score is far ahead and several may be meant
# (recipes/LOG.md, "Long questions, few notes").
FEW_NOTES = Lengths(steepness=4.0, most_extracts=3)
# Passages further behind share what chance there is with nobody: more of them would only lower all chances alike.
_COMPETING = 8


@dataclass(frozen=True, slots=True)
class Extract:
    """A stretch of one passage: the entries quoted, and what it is worth."""

    number: int
    entries: tuple[Entry, ...]
    worth: float = 0.0

    @property
    def words(self) -> int:
        return sum(entry.words for entry in self.entries)

    def sentences(self) -> Iterator[Sentence]:
        yield from (entry.cited(self.number) for entry in self.entries)


def choose_extracts(evidence: Sequence[Evidence], relevances: Relevances, lengths: Lengths) -> list[Extract]:
    """Extracts of the best passages that are worth their words, the nearest first; nothing is said twice."""
    chosen: list[Extract] = []
    words = looked_at = 0
    for item, chance in zip(evidence, chances(evidence, lengths), strict=False):
        # Best first: what follows is further off still.
        if chosen and item.score < evidence[0].score - lengths.far_behind:
            break
        entries = _new_entries(item, chosen)
        if not entries or _is_said(entries, chosen):
            continue
        looked_at += 1
        extract = _cut(item, entries, relevances, chance=None if not chosen else chance, lengths=lengths)
        # The first extract is taken in any case, whatever its length: code and tables are never cut.
        fits = lengths.fewest <= extract.words <= lengths.total * lengths.beyond - words
        if extract.entries and (fits or not chosen):
            chosen.append(extract)
            words += extract.words
        if looked_at == lengths.most_extracts:
            break
    # What is quoted and what stands first are two questions: the nearest sentence is a poor judge of the first
    # and the better one of the second (recipes/LOG.md).
    return sorted(chosen, key=lambda extract: -extract.worth)


def in_reading_order(extracts: Sequence[Extract], evidence: Sequence[Evidence]) -> list[Extract]:
    """The extracts of one section as they stand there, at the place of the first of them."""
    sources = {item.number: item.passage.source for item in evidence}
    sections = [(sources[extract.number].file, sources[extract.number].heading) for extract in extracts]
    places = {section: place for place, section in reversed(list(enumerate(sections)))}
    keyed = zip(((places[section]) for section in sections), extracts, strict=True)
    return [extract for _, extract in sorted(keyed, key=lambda pair: (pair[0], sources[pair[1].number].start))]


def _new_entries(item: Evidence, chosen: Sequence[Extract]) -> list[Entry]:
    """The entries of a passage without those that an extract has word for word: pages often open alike."""
    # "Default: no" is said of each setting anew.
    said = {entry.text for extract in chosen for entry in extract.entries if not _is_value(entry)}
    entries = entries_of(item.passage)
    followed = zip(entries, [*entries[1:], None], strict=True)
    # "You can choose among:" goes with the list that is left out.
    return [
        entry
        for entry, following in followed
        if entry.text not in said and not (following and following.text in said and introduces(entry))
    ]


def chances(evidence: Sequence[Evidence], lengths: Lengths = LENGTHS) -> list[float]:
    """How likely each of the best passages is the one that answers, if one of them does."""
    return _softmax([item.score for item in evidence[:_COMPETING]], lengths.steepness)


def _cut(
    item: Evidence, entries: Sequence[Entry], relevances: Relevances, *, chance: float | None, lengths: Lengths
) -> Extract:
    """The run of entries that is worth its words; without a chance all of them, unless they are too many."""
    relevance = relevances([entry.text for entry in entries])
    start, end = 0, len(entries)
    # The best passage is quoted whole where it fits: what surrounds the answer explains it.
    if chance is not None or sum(entry.words for entry in entries) > lengths.total:
        units = [Unit.of(entries, relevance, *places) for places in bind_entries(entries)]
        start, end = best_run(units, _gains(units, chance, lengths), lengths.total)
    start, end = _trim_run(entries, start, end)
    chosen = [replace(entry, opens=entry.opens or place == 0) for place, entry in enumerate(entries[start:end])]
    return Extract(item.number, tuple(chosen), item.score + lengths.lead * max(relevance))


class Unit(NamedTuple):
    """Entries that are quoted together or not at all: from where to where, their words, and how near the nearest is."""

    start: int
    end: int
    words: int
    relevance: float
    may_open: bool

    @classmethod
    def of(cls, entries: Sequence[Entry], relevance: Sequence[float], start: int, end: int) -> Unit:
        """The entries from start to end as a unit."""
        words = sum(entry.words for entry in entries[start:end])
        may_open = not _needs_what_is_before(entries, start)
        return cls(start, end, words, relevance=max(relevance[start:end]), may_open=may_open)


def bind_entries(entries: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    """From where to where entries belong together: a label or a lead-in with what it is there for, one bracket."""
    start = depth = 0
    for place, entry in enumerate(entries):
        depth += entry.text.count("(") - entry.text.count(")") if entry.kind == "sentence" else 0
        is_last = place + 1 == len(entries)
        # A bracket that is not closed soon was never closed.
        is_open = depth > 0 and place - start < _MOST_BOUND
        # "You can do it like this:" is near the question and says nothing without its list.
        if is_last or not (is_open or _asks_for(entries[place + 1], entry) or _belongs_to_last(entries[place + 1])):
            yield start, place + 1
            start, depth = place + 1, 0


def _asks_for(following: Entry, entry: Entry) -> bool:
    """Whether an entry says nothing without the one that follows: a label, a lead-in, a list that ends in one."""
    # "Default: 30" stands above what a setting does, or below it and above the name of the next one.
    if _is_value(entry):
        return not _is_label(following)
    if entry.kind != "steps":
        return _is_idle(entry) or introduces(entry) or _is_head(entry)
    last = entry.text[entry.text.rfind("\n") + 1 :]
    # With its mark an item has one word more than a label: "• --version".
    is_label = len(last.split()) <= _LONGEST_LABEL + 1 and last[-1:] not in _STOPS
    return following.is_set_in and (is_label or last.endswith(":"))


# Entries; a bracket with more in it is mostly one that its author forgot to close.
_MOST_BOUND = 4


def _belongs_to_last(entry: Entry) -> bool:
    """Whether an entry says nothing without the one before it: the rest of a sentence, or the value of a setting."""
    return _goes_on(entry) or _is_value(entry)


def _goes_on(entry: Entry) -> bool:
    """Whether a sentence goes on with the one before it: what looked like its end was an abbreviation."""
    return entry.kind == "sentence" and not entry.opens and entry.text[:1].islower()


def _gains(units: Sequence[Unit], chance: float | None, lengths: Lengths) -> list[float]:
    """What quoting each unit gains: its share of the passage's chance, less the price of its words.

    Without a chance words cost nothing: as much is quoted as there is room for.
    """
    # At least one: code may be nothing but line breaks.
    words = max(1, sum(unit.words for unit in units))
    shares = (
        lengths.evenly * unit.words / words + (1 - lengths.evenly) * near
        for unit, near in zip(units, _softmax([unit.relevance for unit in units], lengths.sharpness), strict=True)
    )
    if chance is None:
        return list(shares)
    return [chance * share - lengths.price_of_word * unit.words for unit, share in zip(units, shares, strict=True)]


def _softmax(values: Sequence[float], steepness: float) -> list[float]:
    # Less the largest: the exponential of a large number is none.
    most = max(values, default=0.0)
    powers = [math.exp(steepness * (value - most)) for value in values]
    return [power / sum(powers) for power in powers]


def _trim_run(entries: Sequence[Entry], start: int, end: int) -> tuple[int, int]:
    """The run without what hangs over its edges: labels, a lead-in whose code or list is not quoted, a question."""
    # The rest of a sentence whose beginning stands in the passage before, as long as something else is left. Before
    # labels are dropped: behind "Hi all," a mail goes on in lower case, and that is no rest of anything.
    while start < end - 1 and entries[start].kind == "sentence" and begins_within(entries[start].text):
        start += 1
    # "-autorot" above what it does is the very thing that was asked for; "Note" is not.
    while start < end and _is_idle(entries[start]) and not _NAME.search(entries[start].text):
        start += 1
    while start < end and (_is_idle(entries[end - 1]) or introduces(entries[end - 1]) or _is_bare(entries[end - 1])):
        end -= 1
    return start, end


def _is_idle(entry: Entry) -> bool:
    """A label that tells nothing by itself."""
    return _is_label(entry) and not _is_value(entry)


def _is_value(entry: Entry) -> bool:
    """ "Default: 30": as short as a label, and what may have been asked for."""
    return _is_label(entry) and _VALUE.search(entry.text) is not None


def _is_label(entry: Entry) -> bool:
    """ "Note", "Example 3.1": a word or three that are no sentence."""
    return entry.kind == "sentence" and entry.words <= _LONGEST_LABEL and entry.text[-1] not in _STOPS


def _is_head(entry: Entry) -> bool:
    """A row by itself above a text: "max_size | Type: integer | Default: 30", and then what it is for."""
    return entry.kind == "rows" and "\n" not in entry.text


def _is_bare(entry: Entry) -> bool:
    """A single item that says what follows it: "• Upgrading from 1.8:"."""
    return entry.kind == "steps" and "\n" not in entry.text and entry.text.endswith(":")


def introduces(entry: Entry) -> bool:
    """Whether something must follow: a list, code, or the answer to a question that begins a paragraph."""
    return entry.kind == "sentence" and (entry.text.endswith(":") or (entry.opens and entry.text.endswith("?")))


def best_run(units: Sequence[Unit], gains: Sequence[float], room: int) -> tuple[int, int]:
    """Start and end of the entries whose units gain the most together and have room; none where none gains anything."""
    best, found = 0.0, (0, 0)
    for first, opening in enumerate(units):
        words = value = 0.0
        for last, gain in zip(units[first:], gains[first:], strict=True):
            words, value = words + last.words, value + gain
            # A unit that is too long by itself is still a run: better too long than nothing.
            if not opening.may_open or (words > room and last is not opening):
                break
            if value > best:
                best, found = value, (opening.start, last.end)
    return found


def _needs_what_is_before(entries: Sequence[Entry], start: int) -> bool:
    """Whether an extract cannot open here: it opens where the author opened, with a paragraph, a term or a list.

    Code and steps are hard to follow without the sentence that introduces them.
    """
    before, entry = entries[start - 1] if start else None, entries[start]
    if before is None:
        return False
    # Amid a paragraph, or in the meaning of a term that is not quoted: "The default is 1.0." Of what?
    if entry.is_set_in or entry.kind == "sentence":
        return entry.is_set_in or not entry.opens
    # Two items with a sentence between them: it belongs to the first and introduces nothing.
    return before.kind == "sentence" and not before.is_set_in


def _is_said(entries: Sequence[Entry], chosen: Sequence[Extract]) -> bool:
    """Whether a passage only repeats what an extract says."""
    own = set(content_stems(" ".join(entry.text for entry in entries)))
    said = [set(content_stems(" ".join(entry.text for entry in extract.entries))) for extract in chosen]
    return any(len(own & other) >= _SAME * len(own) for other in said)


# "Note", "Example 3.1", "On Linux hosts": longer ones may be items or cells that say something.
_LONGEST_LABEL = 3
_STOPS = '.!?:…)”"'
# What only a program is called: "-autorot", "max_size", "maxSize", "key = value".
_NAME = re.compile(r"^--?\w|\w_\w|[a-z][A-Z]|\w ?=")
# What stands before the colon is given a value.
_VALUE = re.compile(r"\w: \S")
_SAME = 0.9
"""Share of a passage's content words that an extract must have for the passage to add nothing."""
