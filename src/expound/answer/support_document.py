"""ELI5's support document (Fan et al. 2019): what the sources say nearest to the question, with a little around it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

from expound.answer.quoting import Place, quote_sentence
from expound.answer.tfidf import DOCUMENTS, best_first
from expound.errors import UserError
from expound.types import Answer, Evidence, Interpretation

"""Stands between passages that do not follow each other, as in the official files."""
# The best trade-off between length and relevance in section 3.1 of the paper; one sentence before and after.
PASSAGES, CONTEXT = 15, 1
OVER = ("evidence", "support")


class Piece(NamedTuple):
    """Sentences that follow each other in one source: its evidence number, where they start, and their texts."""

    number: int
    start: int
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class SupportDocument:
    """The support document itself as the answer (a row of ELI5's Table 3)."""

    passages: int = PASSAGES
    context: int = CONTEXT

    def __post_init__(self) -> None:
        if self.passages < 1 or self.context < 0:
            raise UserError("SupportDocument needs passages of at least 1 and context of at least 0")

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Its passages in the order of the sources."""
        pieces = support_document(question, evidence, passages=self.passages, context=self.context)
        return quote_sentence(places_in(pieces))


def support_document(
    question: str, evidence: Sequence[Evidence], *, passages: int = PASSAGES, context: int = CONTEXT
) -> list[Piece]:
    """The sentences most similar to the question, with their neighbours, until they make up so many passages.

    Passages that touch or overlap are one. Word frequencies are those of the evidence's own sentences. Sources keep the
    order of the evidence, passages that of their source; a sentence without a common word is never chosen.
    """
    # Kept between questions: the systems of a recipe read the same documents again.
    documents, table = DOCUMENTS.table([item.passage.text for item in evidence])
    ends = list(accumulate(len(document.sentences) for document in documents))
    ranked = best_first(table.similarities(question))
    pieces = []
    for first, last in _spans(ranked, ends, passages, context):
        # Rows count through all documents; a place in a document counts from its own first sentence.
        source = bisect_right(ends, first)
        start = first - (ends[source - 1] if source else 0)
        sentences = documents[source].sentences[start : start + last - first]
        pieces.append(Piece(evidence[source].number, start, tuple(sentences)))
    return pieces


def places_in(pieces: Sequence[Piece]) -> list[Place]:
    """Every sentence of a support document, in order."""
    return [
        Place(piece.number, position, text)
        for piece in pieces
        for position, text in enumerate(piece.sentences, start=piece.start)
    ]


def support_text(question: str, evidence: Sequence[Evidence]) -> str:
    """The support document as one text, as writers learn to read it."""
    return " ".join(place.text for place in places_in(support_document(question, evidence)))


def evidence_from(pieces: Sequence[Piece], evidence: Sequence[Evidence]) -> list[Evidence]:
    """The pieces as evidence of their own, numbered from 1, for whatever reads evidence."""
    sources = {item.number: item for item in evidence}
    found = []
    for number, piece in enumerate(pieces, start=1):
        source = sources[piece.number]
        # Pieces of one passage need ids of their own, or they would count as duplicates.
        id = f"{source.passage.id}#{piece.start}"
        passage = replace(source.passage, id=id, text="\n".join(piece.sentences))
        found.append(Evidence(passage, number, source.score))
    return found


def check_over(over: str) -> None:
    """Refuse a text to choose from that there is none of."""
    if over not in OVER:
        raise UserError(f"cannot choose sentences over {over!r}; there are: {', '.join(OVER)}")


def _spans(ranked: Sequence[int], ends: Sequence[int], passages: int, context: int) -> list[tuple[int, int]]:
    """Stretches of rows around the best ones, no stretch across the end of a document."""
    taken: set[int] = set()
    opened = 0
    for row in ranked:
        document = bisect_right(ends, row)
        start, end = ends[document - 1] if document else 0, ends[document]
        around = range(max(start, row - context), min(end, row + context + 1))
        # Rows between two stretches join them: then one passage fewer is open than before.
        opened += 1 - _stretches_touched(taken, around, start, end)
        taken.update(around)
        if opened == passages:
            break
    return _stretches(sorted(taken), set(ends))


def _stretches_touched(taken: set[int], around: range, start: int, end: int) -> int:
    # One further on either side: stretches that touch are one passage.
    """How many of the stretches taken so far would become one with the new rows."""
    reach = range(max(start, around.start - 1), min(end, around.stop + 1))
    return sum(row in taken and (row == reach.start or row - 1 not in taken) for row in reach)


def _stretches(rows: Sequence[int], breaks: set[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    # A document's first row never continues the last of the one before.
    for row in rows:
        if found and found[-1][1] == row and row not in breaks:
            found[-1] = (found[-1][0], row + 1)
        else:
            found.append((row, row + 1))
    return found
