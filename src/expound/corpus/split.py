"""Split documents into passages: consecutive blocks under one heading, whole wherever that is possible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil
from typing import NamedTuple

from expound.corpus.clean import clean
from expound.corpus.read.document import Block, Document
from expound.text.sentences import sentence_spans
from expound.types import Part, Passage, Source

# Wikipedia is mostly cut at 100; steps and definitions need a little more (docs/design, "Passages are units").
MOST_WORDS = 120
# Of a reference each entry is looked up by itself: among five other options the one that is meant is not found. In
# manuals, which explain one setting by the next, so short passages do worse (recipes/LOG.md, "Options").
MOST_WORDS_OF_ENTRIES = 50
# As much as so many words have at most: Chinese, Japanese and data are written without blanks.
MOST_CHARACTERS = 2000
# What introduces code or a table may make a passage this much longer: apart, neither can be understood.
MOST_WITH_LEAD_IN = 180
# A section's last few words are no passage of their own.
FEWEST_WORDS = 25

HEADING_SEPARATOR = " > "
# Characters of a definition's first line that are repeated in the headings of its later parts.
_LONGEST_TERM = 100
# Where scripts without blanks may be cut: behind the end of a sentence.
_WIDE_STOP = re.compile("[。！？｡][」』”’）〉》]*+")


def split(document: Document, *, file: str) -> Iterator[Passage]:
    """The passages of a document, in order; offsets count characters of its blocks, joined by newlines."""
    number = 0
    for _, group in groupby(_pieces(document), key=lambda piece: piece.block.path):
        for pieces in _pack_pieces(list(group), MOST_WORDS_OF_ENTRIES if document.is_reference else MOST_WORDS):
            number += 1
            yield _passage(pieces, document, file, number)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block, or as much of one as fits into a passage, and where it stands in the document.

    `term` is what the piece goes on explaining, if it is not the one that names it.
    """

    block: Block
    start: int
    end: int
    words: int
    term: str


def _pieces(document: Document) -> Iterator[_Piece]:
    offset = 0
    terms: dict[int, str] = {}
    for block in document.blocks:
        if document.is_wiki and block.kind == "paragraph":
            block = replace(block, text=clean(block.text))
        if not block.text:
            continue  # a paragraph that held nothing but a reference mark
        # A block ends all terms of its own level and deeper.
        terms = {level: term for level, term in terms.items() if level < block.level}
        term = terms[max(terms)] if terms else ""
        for number, (start, end, cut) in enumerate(_cuts(block)):
            # The first piece names the term itself.
            if number and block.kind == "definition":
                # What goes on explaining is no term any more; it belongs to the one that the block began with.
                cut, term = replace(cut, kind="paragraph", level=block.level + 1), _term(block)
            yield _Piece(block=cut, start=offset + start, end=offset + end, words=_size(cut.text), term=term)
        if block.kind == "definition":
            terms[block.level] = _term(block)
        # One for the newline between two blocks, which offsets count.
        offset += len(block.text) + 1


def _term(block: Block) -> str:
    return block.text[:_LONGEST_TERM].split("\n", 1)[0]


def _cuts(block: Block) -> Iterator[tuple[int, int, Block]]:
    """Where each piece of a block starts and ends in it, and the piece."""
    if _is_short(block.text):
        yield 0, len(block.text), block
    elif block.kind in ("code", "table"):
        yield from _line_cuts(block)
    else:
        yield from ((start, end, replace(block, text=block.text[start:end])) for start, end in _chunks(block.text))


def _is_short(text: str) -> bool:
    """Whether a text fits into a passage."""
    words = text.split(None, MOST_WORDS)  # not all words of a book at once
    return len(words) <= MOST_WORDS and _size(text) <= MOST_WORDS


def _size(text: str) -> int:
    """How many words a text takes the room of: at least those that it has."""
    words = text.split()
    return max(len(words), ceil(sum(map(len, words)) * MOST_WORDS / MOST_CHARACTERS))


def _line_cuts(block: Block) -> Iterator[tuple[int, int, Block]]:
    """Runs of whole lines; a table's header is said again at the top of every run."""
    text = block.text
    header = text.split("\n", 1)[0] if block.kind == "table" and block.mark == "header" else ""
    # A row as long as a passage names no columns, and would be said again above every other row.
    header = header if _is_short(header) else ""
    run: list[_Line] = []
    words = 0
    for line in _lines(text):
        while run and words + line.words > MOST_WORDS:
            count = _whole_entries(run, line) if block.kind == "code" else len(run)
            yield run[0].start, run[count - 1].end, _run(block, run[0].start, run[count - 1].end, header)
            # What begins anew repeats the header, and its words count.
            run = run[count:]
            words = _size(header) + sum(rest.words for rest in run)
        run.append(line)
        words += line.words
    if run:
        yield run[0].start, run[-1].end, _run(block, run[0].start, run[-1].end, header)


class _Line(NamedTuple):
    start: int
    end: int
    words: int
    indent: int


def _lines(text: str) -> Iterator[_Line]:
    for start, end in _line_spans(text):
        line = text[start:end]
        yield _Line(start, end, _size(line), len(line) - len(line.lstrip()))


def _whole_entries(run: Sequence[_Line], following: _Line) -> int:
    """How many lines of a run end where an entry does: an option, and what it is for set in below it."""
    outermost = min(line.indent for line in run)
    if following.indent <= outermost:
        return len(run)
    words = 0
    whole = len(run)
    for place, line in enumerate(run):
        # An entry that is longer than half a passage is cut all the same.
        if line.indent == outermost and 2 * words >= MOST_WORDS:
            whole = place
        words += line.words
    return whole


def _run(block: Block, start: int, end: int, header: str) -> Block:
    lines = block.text[start:end]
    return replace(block, text=f"{header}\n{lines}" if header and start else lines)


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    """Every line; one that is longer than a passage may be is cut between words."""
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        yield from _short_pieces(text, start, end)
        start = end + 1


def _pack_pieces(pieces: Sequence[_Piece], most_of_entries: int) -> Iterator[list[_Piece]]:
    """The pieces of one section, as many units together as a passage may hold."""
    packs: list[list[_Piece]] = []
    for unit in _units(pieces):
        are_entries = bool(packs) and packs[-1][0].block.kind == unit[0].block.kind == "definition"
        # Greedy: passages as long as may be, since a short one says little of its subject.
        if packs and _words(packs[-1]) + _words(unit) <= (most_of_entries if are_entries else MOST_WORDS):
            packs[-1] += unit
        else:
            packs += _fill_passages(unit)
    # A few words more in the passage before are better than a passage without any subject.
    if len(packs) > 1 and _is_stub(packs[-1]) and _words(packs[-2]) <= MOST_WORDS:
        last = packs.pop()
        packs[-1] += last
    yield from packs


def _is_stub(pack: Sequence[_Piece]) -> bool:
    """Whether a passage is too short to be one; the last rows of a table say their header again and stand alone."""
    block = pack[0].block
    has_header = block.kind == "table" and block.mark == "header"
    return _words(pack) < FEWEST_WORDS and not has_header


def _units(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """What should not be torn apart: a lead-in with what it introduces, a definition with all of its meaning."""
    unit: list[_Piece] = []
    for piece in pieces:
        if unit and not _belongs(piece, unit):
            yield unit
            unit = []
        unit.append(piece)
    if unit:
        yield unit


def _belongs(piece: _Piece, unit: Sequence[_Piece]) -> bool:
    """Whether a piece goes on with what its unit began."""
    opening, before, block = unit[0].block, unit[-1].block, piece.block
    # Deeper is what belongs to it: paragraphs and code under a list item, the meaning of a term.
    if opening.kind in ("definition", "item") and block.level > opening.level:
        return True
    if block.kind in ("code", "table"):
        # One block of code to a lead-in; a second one has mostly a purpose of its own.
        return before.kind not in ("code", "table")
    # "where the port is the one above" goes on with the sentence that the code stands in.
    if block.kind == "paragraph" and before.kind in ("code", "table") and block.text[:1].islower():
        return True
    return block.kind != "paragraph" and opening.kind == "paragraph" and opening.text.endswith(":")


def _fill_passages(unit: Sequence[_Piece]) -> list[list[_Piece]]:
    """A unit as passages: one if it is small enough, else cut where the next piece would be too much."""
    if _words(unit) <= MOST_WITH_LEAD_IN:
        return [list(unit)]
    packs: list[list[_Piece]] = [[]]
    for piece in unit:
        if packs[-1] and _words(packs[-1]) + piece.words > MOST_WORDS:
            packs.append([])
        packs[-1].append(piece)
    return packs


def _words(pack: Sequence[_Piece]) -> int:
    return sum(piece.words for piece in pack)


def _passage(pieces: Sequence[_Piece], document: Document, file: str, number: int) -> Passage:
    first, last = pieces[0], pieces[-1]
    # A piece in the middle of a definition carries its term in the headings, else nobody would find it.
    heading = HEADING_SEPARATOR.join(filter(None, (*first.block.path, first.term)))
    return Passage(
        id=f"{file}#{number}",
        text="\n".join(piece.block.text for piece in pieces),
        title=document.title,
        source=Source(
            file=file, page=first.block.page, heading=heading, url=document.url, start=first.start, end=last.end
        ),
        meta=document.meta,
        parts=tuple(_parts(pieces)),
    )


def _parts(pieces: Sequence[_Piece]) -> Iterator[Part]:
    """The parts of a passage; none for mere paragraphs without a mark, which a newline tells apart."""
    # Most passages: nothing is stored for them.
    if all(piece.block.kind == "paragraph" and not piece.block.mark for piece in pieces):
        return
    start = 0
    for piece in pieces:
        block = piece.block
        yield Part(kind=block.kind, start=start, end=start + len(block.text), mark=block.mark, level=block.level)
        start += len(block.text) + 1


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """Spans of up to 120 words made of whole sentences."""
    begin: int | None = None
    last = count = 0
    for start, end in _short_spans(text):
        words = _size(text[start:end])
        if begin is not None and count + words > MOST_WORDS:
            yield begin, last
            begin, count = None, 0
        # Spans are joined from the first sentence to the last, so that what stands between them stays.
        begin = start if begin is None else begin
        last, count = end, count + words
    if begin is not None:
        yield begin, last


def _short_spans(text: str) -> Iterator[tuple[int, int]]:
    """Sentence spans; one that is longer than a passage may be is cut between words."""
    for start, end in sentence_spans(text):
        yield from _short_pieces(text, start, end)


def _short_pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A span, or pieces of it of so many words and characters."""
    begin = start
    while (stop := _stop(text, begin, end)) < end:
        yield begin, stop
        begin = stop + (text[stop] == " ")
    # An empty line of code is one, too.
    if begin < end or begin == start:
        yield begin, end


def _stop(text: str, start: int, end: int) -> int:
    """Where a piece that begins here ends: between words, else behind a sentence, else anywhere."""
    limit = min(end, start + MOST_CHARACTERS)
    blank = start - 1
    # Blanks are counted, not words: an upper bound without splitting the text.
    for _ in range(MOST_WORDS):
        following = text.find(" ", blank + 1, limit)
        if following < 0:
            break
        blank = following
    else:
        return blank
    if limit == end:
        return end
    half = (start + limit) // 2
    wide = [found.end() for found in _WIDE_STOP.finditer(text, half, limit)]
    return wide[-1] if wide else blank if blank > half else limit
