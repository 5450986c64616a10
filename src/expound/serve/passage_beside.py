"""Beside an answer: the passage of a sentence in its document, and the page of a PDF as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request
from fastapi.responses import Response

from expound.corpus.read.pdf_picture import draw_page
from expound.errors import ExpoundError, UnknownName
from expound.look import Surroundings
from expound.serve.answer_parts import numbers_of
from expound.serve.answering import CorpusPlace, Respondent
from expound.serve.asking import AnswerId, draw_desk
from expound.serve.desk import Desk
from expound.serve.drawing import draw
from expound.serve.kept_answers import KeptAnswer
from expound.serve.lanes import result_of
from expound.serve.visitors import TheDesk, TheVisitor, Visitor
from expound.shown.answer_pieces import place_of_passage
from expound.shown.stretches_marked import runs, stretches
from expound.types import Evidence, Passage, Sentence

router = APIRouter(include_in_schema=False)
AROUND = 2  # passages before and after: about a screen
NUMBER = Annotated[int, Path(ge=1, le=1000)]
PLACE = Annotated[int, Query(ge=0, le=1000)]


@dataclass(frozen=True)
class Beside:
    """A passage of an answer, in its document as far as that is still there."""

    id: str
    number: int
    sentence: Sentence | None
    sentence_place: int
    """Counted from 1, as in addresses; 0 where only the passage was asked for."""
    others: Sequence[int]
    where: str
    marked: Sequence[tuple[str, bool]]
    found: Surroundings | None
    page: int | None
    vote: str


@router.get("/answers/{id}/passages/{number}")
async def show_passage(
    request: Request, desk: TheDesk, visitor: TheVisitor, id: AnswerId, number: NUMBER, sentence: PLACE = 0
) -> Response:
    """A passage that an answer cites; with `sentence` that sentence of the answer is marked in it."""
    kept = desk.answers.find(visitor.key, id)
    item, entry = evidence_of(kept, number), sentence_of(kept, sentence)
    places = known_places(desk, visitor, kept)
    found = await result_of(
        desk.searches, lambda _tell: look(desk.respondent, item.passage, places), whose=visitor.lane
    )
    shown = Beside(
        id=id,
        number=number,
        sentence=entry,
        sentence_place=sentence,
        others=numbers_of(entry, kept.prediction.evidence) if entry else (),
        where=place_of_passage(item.passage),
        marked=marked_runs(item.passage, entry),
        found=found,
        page=item.passage.source.page if found and is_pdf(found.path) else None,
        vote=desk.votes.said_of_sentence(visitor.key, kept.prediction, sentence) if entry else "",
    )
    if request.headers.get("HX-Request"):
        return draw(request, "beside.html", beside=shown)
    return draw_desk(request, desk, visitor, kept=kept, beside=shown)


@router.get("/answers/{id}/passages/{number}/page.png")
async def show_page(desk: TheDesk, visitor: TheVisitor, id: AnswerId, number: NUMBER, sentence: PLACE = 0) -> Response:
    """The page of a PDF on which a passage stands, with the sentence marked."""
    kept = desk.answers.find(visitor.key, id)
    item, entry = evidence_of(kept, number), sentence_of(kept, sentence)
    places = known_places(desk, visitor, kept)
    page, quoted = item.passage.source.page, quotation(item.passage, entry)

    def draw_it(_tell: object) -> bytes:
        found = look(desk.respondent, item.passage, places)
        if found is None or page is None or not is_pdf(found.path):
            raise UnknownName("there is no page of this passage")
        return draw_page(FilePath(found.path), page, quoted)

    picture = await result_of(desk.pictures, draw_it, whose=visitor.lane)
    return Response(picture, media_type="image/png")


def evidence_of(kept: KeptAnswer, number: int) -> Evidence:
    """The evidence of this number, of an answer or nearest to its question."""
    shown = (*kept.prediction.evidence, *kept.prediction.nearest)
    found = next((item for item in shown if item.number == number), None)
    if found is None:
        raise HTTPException(404, "This answer has no such passage.")
    return found


def sentence_of(kept: KeptAnswer, place: int) -> Sentence | None:
    """The sentence at a place of the answer, counted from 1; none for 0."""
    sentences = kept.prediction.answer.sentences
    if place > len(sentences):
        raise HTTPException(404, "This answer has no such sentence.")
    return sentences[place - 1] if place else None


def known_places(desk: Desk, visitor: Visitor, kept: KeptAnswer) -> tuple[CorpusPlace, ...]:
    """The corpora of an answer that are still offered."""
    offered = desk.places((), visitor.key)
    return tuple(place for place in offered if place.name in kept.corpora)


def look(respondent: Respondent, passage: Passage, places: Sequence[CorpusPlace]) -> Surroundings | None:
    """A passage with its neighbours; nothing if it has changed since, or its corpus has gone."""
    for place in places:
        try:
            found = respondent.look(passage.id, [place], reach=AROUND)
        except ExpoundError:  # it is another's, or being read anew
            continue
        # By its text and not by its id alone: after a document was changed, the id may stand for other words.
        if found.passage.text == passage.text:
            return found
    return None


def marked_runs(passage: Passage, entry: Sentence | None) -> list[tuple[str, bool]]:
    """The text of a passage in pieces; those that the sentence stands on are marked."""
    marked = stretches(passage.text, entry.source_text, entry.text) if entry else []
    return runs(passage.text, marked)


def quotation(passage: Passage, entry: Sentence | None) -> str:
    """What is looked for on a page: the marked words, or the whole passage."""
    return " ".join(text for text, is_marked in marked_runs(passage, entry) if is_marked) or passage.text


def is_pdf(path: str) -> bool:
    # The file itself, which may have gone since it was read: then there is the passage and no picture.
    return path.lower().removesuffix(".gz").endswith(".pdf") and FilePath(path).is_file()
