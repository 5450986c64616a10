"""Footnotes of a PDF: taken out of the flow of its lines, and put back behind the last block of their page."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from expound.corpus.read.document import Block
from expound.corpus.read.pdf_facts import Facts
from expound.corpus.read.pdf_lines import Line
from expound.corpus.read.pdf_text import join_lines

# Footnotes are set at 80 to 90 % of the body; less of a difference is rounding.
_SMALL = 0.93
_FOOTNOTE = re.compile(r"(?:\d{1,3}|[*†‡§]|\[\d{1,3}\])\s?\S")


def find_notes(pages: Sequence[Sequence[Line]], body: float) -> list[list[Line]]:
    """The groups of small lines at the foot of a page, the first of which starts with a mark."""
    groups: list[list[Line]] = []
    for page in pages:
        start = len(page)
        while start and page[start - 1].size <= _SMALL * body and not page[start - 1].is_mono:
            start -= 1
        marked = [n for n in range(start, len(page)) if _FOOTNOTE.match(page[n].text)]
        # A page of small print alone, or one that begins within a note, has no text above to belong to.
        if start > 0 and marked and marked[0] == start:
            ends = [*marked[1:], len(page)]
            groups += [list(page[a:b]) for a, b in zip(marked, ends, strict=True)]
    return groups


def note_block(lines: Sequence[Line], facts: Facts) -> Block:
    """The lines of a note as a paragraph of its page."""
    return Block(join_lines([line.text for line in lines], facts.words), page=lines[0].page)


def with_notes(blocks: Sequence[Block], notes: Sequence[Block]) -> list[Block]:
    """The notes of a page after the last block that starts on it: a paragraph is not broken by them."""
    merged: list[Block] = []
    waiting = deque(notes)
    for block in blocks:
        # Blocks of a page come together, so that its notes can follow the last of them.
        while waiting and (waiting[0].page or 0) < (block.page or 0):
            merged.append(_under(merged, waiting.popleft()))
        merged.append(block)
    return [*merged, *(_under(merged, note) for note in waiting)]


def _under(blocks: Sequence[Block], note: Block) -> Block:
    return replace(note, path=blocks[-1].path if blocks else ())
