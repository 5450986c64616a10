"""Longest common subsequences of token lists: how long they are, and which tokens of a summary take part in one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from rapidfuzz.distance import LCSseq


def lcs_length(reference: Sequence[str], answer: Sequence[str]) -> int:
    """How many tokens the longest common subsequence has."""
    return int(LCSseq.similarity(reference, answer))


def summary_hits(reference: Sequence[Sequence[str]], answer: Sequence[Sequence[str]]) -> int:
    """Reference tokens in the union, per reference line, of its LCS with each answer line (ROUGE-Lsum, Lin 2004).

    A token counts at most as often as the answer has it.
    """
    places = _places(reference)
    found = 0
    for line in answer:
        table = _table(line, places)
        for stretch in places.lines:
            if stretch & table.matched:
                found |= _trace(table, stretch)
    available = Counter(chain.from_iterable(answer))
    common = available.keys() & places.of.keys()
    return sum([min((found & places.of[token]).bit_count(), available[token]) for token in common])


class _Places(NamedTuple):
    """The reference as bits, first token lowest: where each token stands and which bits are a line.

    An unused bit above every line catches what the addition in `_table` carries out of it, so that one big integer
    compares all lines at once.
    """

    of: dict[str, int]
    lines: list[int]
    all: int


class _Table(NamedTuple):
    """The columns of the LCS table for one answer line: (reference bits that match, reference bits where it rises)."""

    columns: list[tuple[int, int]]
    matched: int


def _places(reference: Sequence[Sequence[str]]) -> _Places:
    of: dict[str, int] = defaultdict(int)
    lines = []
    bit = 1
    for line in reference:
        start = bit
        for token in line:
            of[token] |= bit
            bit <<= 1
        lines.append(bit - start)
        bit <<= 1
    return _Places(dict(of), lines, sum(lines))


def _table(line: Sequence[str], places: _Places) -> _Table:
    """Bit-parallel LCS (Hyyrö 2004): one addition per answer token instead of one row of cells."""
    columns = []
    flat = whole = places.all
    matched = 0
    pending = False
    for token in line:
        match = places.of.get(token, 0)
        if match:
            step = flat & match
            flat = ((flat + step) | (flat - step)) & whole
            matched |= match
            columns.append((match, whole ^ flat))
            pending = True
        elif pending:
            # Columns without a match repeat the one before; the trace needs to see one of them.
            columns.append((0, whole ^ flat))
            pending = False
    return _Table(columns, matched)


def _trace(table: _Table, stretch: int) -> int:
    """The bits of one reference line that are in the LCS that rouge-score finds.

    From the ends: take a match; otherwise drop the reference token, or the answer's if that would shorten the LCS.
    """
    found = 0
    left = stretch
    for match, rises in reversed(table.columns):
        here = (match | rises) & left
        if not here:
            break
        top = 1 << (here.bit_length() - 1)
        if match & top:
            found |= top
            left &= top - 1
        else:
            left &= top + top - 1
    return found
