"""Longest common subsequences of token lists: how long they are, and which tokens of a summary take part in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from rapidfuzz.distance import LCSseq


def lcs_length(reference: Sequence[str], answer: Sequence[str]) -> int:
    """How many tokens the longest common subsequence has."""
    return int(LCSseq.similarity(reference, answer))


class Shared(NamedTuple):
    """The tokens that a reference shares with an answer, which counts each at most as often as it has it itself."""

    places: _Places
    answer: Sequence[Sequence[str]]
    available: Mapping[str, int]

    def in_any_order(self) -> int:
        """How many reference tokens the answer has (ROUGE-1, Lin 2004)."""
        return self._clip(self.places.all)

    def in_order(self) -> int:
        """Reference tokens in the union, by reference line, of its LCS with each answer line (ROUGE-Lsum, Lin 2004)."""
        return self._clip(_unite_bits(self.places, self.answer))

    def _clip(self, found: int) -> int:
        # Only tokens that are found several times can be too many.
        often = [(token, count) for token, bits in self.places.of.items() if (count := (found & bits).bit_count()) > 1]
        return found.bit_count() - sum([max(0, count - self.available[token]) for token, count in often])


def share(reference: Sequence[Sequence[str]], answer: Sequence[Sequence[str]]) -> Shared:
    """Find the answer's tokens in the lines of a reference."""
    available = Counter(chain.from_iterable(answer))
    return Shared(_find_places(reference, available), answer, available)


def united_words(reference: Sequence[Sequence[str]], answer: Sequence[Sequence[str]]) -> int:
    """How many distinct tokens are in the LCS of any reference line with any answer line."""
    places = _find_places(reference, set(chain.from_iterable(answer)))
    found = _unite_bits(places, answer)
    return sum([bool(found & place) for place in places.of.values()])


_Column: TypeAlias = tuple[int, int]
"""A column of the LCS table: the reference bits that match the answer's token; those that the trace may take here."""


class _Places(NamedTuple):
    """The reference as bits, first token lowest: where each token stands and which bits are a line.

    Tokens that the answer lacks are left out: no LCS has them. An unused bit above every line catches what the addition
    in `_columns` carries out of it, so that one big integer compares all lines at once.
    """

    of: dict[str, int]
    lines: list[int]
    all: int


def _unite_bits(places: _Places, answer: Sequence[Sequence[str]]) -> int:
    """The reference bits in the LCS of their line with some answer line."""
    found = 0
    for line in answer:
        columns = _columns(line, places)
        # A line of the reference without a bit in the last column shares nothing.
        last = columns[0][1] if columns else 0
        for stretch in places.lines:
            if stretch & last:
                found |= _trace(columns, stretch)
    return found


def _find_places(reference: Sequence[Sequence[str]], known: Container[str]) -> _Places:
    of: dict[str, int] = {}
    before = of.get
    lines = []
    bit = 1
    for line in reference:
        start = bit
        for token in filter(known.__contains__, line):
            of[token] = before(token, 0) | bit
            bit <<= 1
        lines.append(bit - start)
        # The unused bit between two lines.
        bit <<= 1
    return _Places(of, lines, sum(lines))


def _columns(line: Sequence[str], places: _Places) -> list[_Column]:
    """Bit-parallel LCS (Hyyrö 2004), last column first: one addition per answer token in place of a row of cells."""
    columns = []
    flat = whole = places.all
    match = 0
    for following in map(places.of.get, line):
        if following:
            if match:
                # Bits that have fallen to 0 are where the subsequence grows.
                columns.append((match, match | ~flat))
            match = following
            step = flat & match
            flat = ((flat + step) | (flat - step)) & whole
        elif match:
            # The trace comes here by a token without a match, and so to where the subsequence grew.
            columns.append((match, ~flat))
            match = 0
    if match:
        columns.append((match, match | ~flat))
    columns.reverse()
    return columns


def _trace(columns: Sequence[_Column], stretch: int) -> int:
    """The bits of one reference line that are in the LCS that rouge-score finds.

    From the ends: take a match; otherwise drop the reference token, or the answer's if that would shorten the LCS.
    """
    found = 0
    left = stretch
    backwards = iter(columns)
    for match, taken in backwards:
        here = taken & left
        if not here:
            break
        top = 1 << (here.bit_length() - 1)
        if not match & top:
            # It rises here without a match: this token has its match in an earlier column.
            for match, _ in backwards:
                if match & top:
                    break
        found |= top
        left &= top - 1
    return found
