"""The loops of `compiled_support`, compiled by numba: over the characters of all sources, then over their words.

They say what `expound.text.sentences`, `expound.answer.tfidf` and `expound.answer.support_document` say, and tests hold
them to it. Import this module only where it is used: numba takes a while to load, and much longer the first time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from expound.answer.tfidf import DIGITS

Codes: TypeAlias = npt.NDArray[np.uint32]
Places: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Hashes: TypeAlias = npt.NDArray[np.uint64]
Kinds: TypeAlias = npt.NDArray[np.uint8]
Flags: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[np.float64]
# Of these the compiler knows the widths, and Python only that they are numpy's.
Integer: TypeAlias = Any
Truth: TypeAlias = Any
Function = TypeVar("Function", bound=Callable[..., Any])

KNOWN_CHARACTERS, CHARACTERS = 1 << 17, 0x110000
"""How many have marks of their own (beyond are rare signs of Chinese), and how many there are."""
# What a character is, above the bits of its lower case.
LOWER_CASE = np.uint32(KNOWN_CHARACTERS - 1)
WORD, SPACE, STOP, CLOSING, OPENING, SMALL, DECIMAL, ENDING, BEFORE_INITIAL, IN_WORD, AROUND_WORD, STRANGE = (
    np.uint32(KNOWN_CHARACTERS << bit) for bit in range(12)
)
_NOTHING = np.uint32(0)
_NEWLINE, _FULL_STOP, _BLANK, _UNDERSCORE, _FIRST_CAPITAL, _LAST_CAPITAL = (
    np.uint32(ord(character)) for character in "\n. _AZ"
)
# What a word is to the rules of sentences.
ABBREVIATION, WEAK, BEFORE_NUMBER, ARTICLE = (np.uint8(1 << bit) for bit in range(4))

# How far the rules look back for an abbreviation and for any word, and on for an article.
LONGEST_ABBREVIATION = 6
_LONGEST_WORD = 40  # characters, as in `expound.text.sentences`: no abbreviation is longer
_AFTER_INITIAL = 8  # characters behind an initial, as there: the longest article and the blank before it
_NEXT, _FEWEST_LETTERS = np.uint64(1), np.uint64(2)  # of a word
# FNV-1a in 64 bits: among 10,000 words two have the same hash once in 10**11 questions.
_OFFSET, _PRIME, _HALF = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3), np.uint64(32)
# With a slot for so many characters a table of hashes is about a third full; half full, it is made anew, larger.
_CHARACTERS_A_SLOT, _FEWEST_SLOTS = 8, 1 << 10
_SCALE = 10.0**DIGITS
_UNKNOWN = -1  # no place in a text: the plain rules have to tell where the sentence ends


def _compiled(function: Function) -> Function:
    """The function, compiled when it is first called and kept for later runs.

    It takes arrays and numbers alone: an index of what is kept names the classes of arguments, and one that a later
    version has no more would make the index unreadable.
    """
    try:
        return cast(Function, numba.njit(cache=True)(function))
    except RuntimeError:  # no folder can be written where the compiled code would be kept
        return cast(Function, numba.njit(function))


class Chosen(NamedTuple):
    """The rows that were chosen: the document, the place there, start and stop in all texts; strange: none were."""

    documents: Places
    positions: Places
    starts: Places
    stops: Places
    is_strange: bool


class _Words(NamedTuple):
    """All words by number, equal ones equally, with their places; and where sentences end."""

    numbers: Places
    places: Places
    distinct: int
    ends: Places
    is_strange: bool
    is_full: bool


class _Rows(NamedTuple):
    """The sentences of all documents: where they start and stop, of which document, and each document's first."""

    starts: Places
    stops: Places
    homes: Places
    firsts: Places


@_compiled
def choose_rows(
    codes: Codes, limits: Places, marks: Codes, hashes: Hashes, kinds: Kinds, passages: Integer, context: Integer
) -> Chosen:
    """The rows most similar to the question, the last of the texts, with those around them, as so many passages."""
    slots = _FEWEST_SLOTS
    while slots < len(codes) // _CHARACTERS_A_SLOT:
        slots *= 2
    words = _read(codes, limits, marks, hashes, kinds, slots)
    while words.is_full:
        slots *= 4
        words = _read(codes, limits, marks, hashes, kinds, slots)
    rows = _rows(codes, limits, marks, words.ends)
    similar = _similarities(words.numbers, words.places, words.distinct, rows.stops)
    taken = np.flatnonzero(_taken(similar, rows.homes, rows.firsts, passages, context))
    homes = rows.homes[taken]
    return Chosen(
        documents=homes,
        positions=taken - rows.firsts[homes],
        starts=rows.starts[taken],
        stops=rows.stops[taken],
        is_strange=words.is_strange,
    )


@_compiled
def hash_word(codes: Codes) -> Integer:
    """The hash of a word, letter by letter."""
    hashed = _OFFSET
    for code in codes:
        hashed = (hashed ^ np.uint64(code)) * _PRIME
    return hashed


@_compiled
def find_slot(hashes: Hashes, hashed: Integer) -> Integer:
    """Where a hash is in a table, or the free place where it belongs."""
    last = np.uint64(len(hashes) - 1)
    # The multiplications moved the bits upwards: the high ones are the mixed ones.
    slot = (hashed ^ (hashed >> _HALF)) & last
    while hashes[slot] != hashed and hashes[slot] != 0:
        slot = (slot + _NEXT) & last
    return slot


@_compiled
def _read(codes: Codes, limits: Places, marks: Codes, hashes: Hashes, kinds: Kinds, slots: Integer) -> _Words:
    """One look at every character, document by document."""
    most = len(codes) // 2 + 1
    numbers, places, ends = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(len(codes), np.int32)
    # Tables that grow would be looked up anew for every word: in place of that all is read again, which is rare.
    keys, known = np.zeros(slots, np.uint64), np.empty(slots, np.int32)
    count, found, distinct, is_strange = 0, 0, 0, False
    for document in range(len(limits) - 1):
        # Places without a sign: with one, every look would ask first whether it counts from the end.
        place, last = np.uint64(limits[document]), np.uint64(limits[document + 1])
        while place < last:
            mark, begin, hashed = marks[codes[place]], place, _OFFSET
            while mark & WORD:
                hashed = (hashed ^ np.uint64(mark & LOWER_CASE)) * _PRIME
                place += _NEXT
                if place >= last:
                    break
                mark = marks[codes[place]]
            if place - begin >= _FEWEST_LETTERS:
                slot = find_slot(keys, hashed)
                if keys[slot] == 0:
                    if 2 * distinct >= slots:
                        return _Words(
                            numbers=numbers,
                            places=places,
                            distinct=distinct,
                            ends=ends,
                            is_strange=is_strange,
                            is_full=True,
                        )
                    keys[slot], known[slot] = hashed, distinct
                    distinct += 1
                numbers[count], places[count] = known[slot], begin
                count += 1
            if mark & ENDING and place < last:
                end = _end(codes, marks, hashes, kinds, limits[document], np.int64(place), limits[document + 1])
                is_strange |= end == _UNKNOWN
                if end > 0:
                    ends[found] = end
                    found += 1
            place += _NEXT
    return _Words(
        numbers=numbers[:count],
        places=places[:count],
        distinct=distinct,
        ends=ends[:found],
        is_strange=is_strange,
        is_full=False,
    )


# -- where sentences end


@_compiled
def _end(
    codes: Codes, marks: Codes, hashes: Hashes, kinds: Kinds, first: Integer, place: Integer, last: Integer
) -> Integer:
    """Where the sentence ends that has a stop or a newline at a place; 0 if it goes on."""
    if marks[codes[place]] & STRANGE:
        return _UNKNOWN
    if codes[place] == _NEWLINE:
        return place + 1
    if place > first and marks[codes[place - 1]] & STOP:
        return 0
    end = _behind(marks, codes, _behind(marks, codes, place + 1, last, STOP), last, CLOSING)
    spaced = _behind(marks, codes, end, last, SPACE)
    opened = _behind(marks, codes, spaced, last, OPENING)
    follower = marks[codes[opened]] if opened < last else _NOTHING
    if spaced == end or (follower & SMALL and follower & WORD):
        return 0
    if not follower & WORD or codes[place] != _FULL_STOP or codes[place + 1] == _FULL_STOP:
        return end
    if _is_plain(codes, marks, hashes, kinds, first, place):
        return end
    if place > first and codes[place - 1] == _NEWLINE:
        return _UNKNOWN
    return 0 if _is_abbreviation(codes, marks, hashes, kinds, first, place, last, follower) else end


@_compiled
def _behind(marks: Codes, codes: Codes, place: Integer, last: Integer, kind: Integer) -> Integer:
    """The first place behind a run of characters of a kind."""
    while place < last and marks[codes[place]] & kind:
        place += 1
    return place


@_compiled
def _after_blank(codes: Codes, least: Integer, place: Integer) -> Integer:
    """Where the characters before a place begin that have no blank among them."""
    while place > least and codes[place - 1] != _BLANK:
        place -= 1
    return place


@_compiled
def _is_plain(codes: Codes, marks: Codes, hashes: Hashes, kinds: Kinds, first: Integer, place: Integer) -> Truth:
    """Whether what stands before a full stop is surely no abbreviation: no word, or one of letters that is none."""
    begin, hashed = _after_blank(codes, max(first, place - LONGEST_ABBREVIATION - 1), place), _OFFSET
    for position in range(begin, place):
        mark = marks[codes[position]]
        if not mark & WORD or codes[position] == _UNDERSCORE:
            return marks[codes[place - 1]] & AROUND_WORD > 0
        hashed = (hashed ^ np.uint64(mark & LOWER_CASE)) * _PRIME
    return begin == place or (place - begin > 1 and not _kind(hashes, kinds, hashed) & ABBREVIATION)


@_compiled
def _is_abbreviation(
    codes: Codes,
    marks: Codes,
    hashes: Hashes,
    kinds: Kinds,
    first: Integer,
    place: Integer,
    last: Integer,
    follower: Integer,
) -> Truth:
    """Whether a full stop belongs to the word before it."""
    begin, start = _after_blank(codes, max(first, place - _LONGEST_WORD), place), place
    while start > begin and marks[codes[start - 1]] & IN_WORD:
        start -= 1
    if start == place:
        return False
    is_capital = _FIRST_CAPITAL <= codes[place - 1] <= _LAST_CAPITAL
    if is_capital and (place - 1 == begin or marks[codes[place - 2]] & BEFORE_INITIAL):
        return not _is_article(codes, marks, hashes, kinds, place + 1, min(last, place + _AFTER_INITIAL))
    kind = _kind(hashes, kinds, _hash_stripped(codes, marks, start, place))
    if kind & WEAK:
        return False
    return follower & DECIMAL > 0 if kind & BEFORE_NUMBER else kind & ABBREVIATION > 0


@_compiled
def _hash_stripped(codes: Codes, marks: Codes, start: Integer, stop: Integer) -> Integer:
    """The hash of a word without its stops, hyphens and apostrophes at either end."""
    while start < stop and not marks[codes[start]] & WORD:
        start += 1
    while start < stop and not marks[codes[stop - 1]] & WORD:
        stop -= 1
    hashed = _OFFSET
    for place in range(start, stop):
        hashed = (hashed ^ np.uint64(marks[codes[place]] & LOWER_CASE)) * _PRIME
    return hashed


@_compiled
def _is_article(codes: Codes, marks: Codes, hashes: Hashes, kinds: Kinds, place: Integer, last: Integer) -> Truth:
    """Whether an article or a pronoun follows, with a capital."""
    start = _behind(marks, codes, place, last, SPACE)
    return _kind(hashes, kinds, hash_word(codes[start : _behind(marks, codes, start, last, WORD)])) & ARTICLE > 0


@_compiled
def _kind(hashes: Hashes, kinds: Kinds, hashed: Integer) -> Integer:
    """What is known of a word; free slots have no kind."""
    return kinds[find_slot(hashes, hashed)]


# -- which sentences are chosen


@_compiled
def _rows(codes: Codes, limits: Places, marks: Codes, ends: Places) -> _Rows:
    """The stretches from each end to the next that are not blank, without those of the question."""
    documents = len(limits) - 2
    most, size, at = len(ends) + documents, 0, 0
    starts, stops, homes = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int32)
    firsts = np.zeros(documents + 1, np.int32)
    for document in range(documents):
        firsts[document] = size
        start, last = limits[document], limits[document + 1]
        while start < last:
            stop = last
            if at < len(ends) and ends[at] <= last:
                stop = ends[at]
                at += 1
            if _behind(marks, codes, start, stop, SPACE) < stop:
                starts[size], stops[size], homes[size] = start, stop, document
                size += 1
            start = stop
    firsts[documents] = size
    return _Rows(starts[:size], stops[:size], homes[:size], firsts)


@_compiled
def _similarities(numbers: Places, places: Places, distinct: Integer, stops: Places) -> Numbers:
    """Every row's cosine with the words behind the last row, those of the question."""
    size = len(stops)
    entries, counts, bounds = np.empty_like(numbers), np.empty_like(numbers), np.zeros(size + 1, np.int32)
    seen, latest = np.full(distinct, -1, np.int32), np.empty(distinct, np.int32)
    rows_with, found, at = np.zeros(distinct, np.int32), 0, 0
    for row in range(size):
        while at < len(numbers) and places[at] < stops[row]:
            word = numbers[at]
            at += 1
            if seen[word] == row:
                counts[latest[word]] += 1
                continue
            seen[word], latest[word], entries[found], counts[found] = row, found, word, 1
            rows_with[word] += 1
            found += 1
        bounds[row + 1] = found
    weights, asked = _idf(rows_with, size), np.zeros(distinct)
    for word in numbers[at:]:
        asked[word] += weights[word]
    return _cosines(entries, counts, bounds, weights, asked)


@_compiled
def _idf(rows_with: Places, size: Integer) -> Numbers:
    """The weight of each word by the rows that have it; of a word that none has it is nothing."""
    known, weights = np.zeros(size + 1), np.zeros(len(rows_with))
    for word in range(len(rows_with)):
        rows = rows_with[word]
        if rows and known[rows] == 0:
            known[rows] = np.log((1 + size) / (1 + rows)) + 1
        weights[word] = known[rows]
    return weights


@_compiled
def _cosines(entries: Places, counts: Places, bounds: Places, weights: Numbers, asked: Numbers) -> Numbers:
    length, similar = np.sqrt(np.sum(asked**2)), np.zeros(len(bounds) - 1)
    for row in range(len(similar)):
        product, squares = 0.0, 0.0
        for entry in range(bounds[row], bounds[row + 1]):
            weight = counts[entry] * weights[entries[entry]]
            squares += weight * weight
            product += weight * asked[entries[entry]]
        if product > 0:
            similar[row] = np.rint(product / (np.sqrt(squares) * length) * _SCALE) / _SCALE
    return similar


@_compiled
def _taken(similar: Numbers, homes: Places, firsts: Places, passages: Integer, context: Integer) -> Flags:
    """The rows around the best ones, until they make up so many stretches."""
    taken, opened = np.zeros(len(similar), np.bool_), 0
    common = np.flatnonzero(similar > 0)
    for row in common[np.argsort(-similar[common], kind="mergesort")]:
        start, end = firsts[homes[row]], firsts[homes[row] + 1]
        low, high = max(start, row - context), min(end, row + context + 1)
        opened += 1
        # One further on either side: stretches that touch are one passage.
        reach = max(start, low - 1)
        for other in range(reach, min(end, high + 1)):
            if taken[other] and (other == reach or not taken[other - 1]):
                opened -= 1
        taken[low:high] = True
        if opened == passages:
            break
    return taken
