"""The page where one asks, and `/ask`: an answer as JSON at once, or sentence by sentence as it comes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

from expound.clarify.follow_ups import follow_prediction
from expound.errors import ExpoundError
from expound.serve.answer_parts import citation_list, nearest_of, paragraphs_of
from expound.serve.answering import AskStage, Remark
from expound.serve.api_examples import CORPORA, QUESTION, show_example
from expound.serve.desk import Desk
from expound.serve.drawing import draw
from expound.serve.kept_answers import KeptAnswer
from expound.serve.lanes import Event, Failed, Finished, Job, Tell, Told, Waiting, follow, result_of
from expound.serve.uploads import YOURS
from expound.serve.visitors import TheDesk, ThePoster, TheVisitor, Visitor
from expound.shown.answer_markdown import prediction_markdown
from expound.shown.answer_pieces import footer
from expound.system import check_question
from expound.types import Sentence

router = APIRouter()
SHOWN_BEFORE = 30  # questions in the list beside the page: what one asks in a sitting
# Exactly what we make: whatever else an address holds never becomes part of a path on the disk.
AnswerId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]


class AskBody(BaseModel):
    """A question, and the corpora to answer it from."""

    model_config = show_example(question="Why are most boats white?")
    # More than a question may have: a long one gets our own sentence on it, and not a complaint of the parser's.
    question: str = Field(max_length=20_000, description=QUESTION)
    corpora: list[str] = Field(default_factory=list, max_length=100, description=CORPORA)
    after: str = Field(default="", max_length=16, description="The `answer_id` of the answer that this follows.")
    stream: bool = Field(default=False, description="Whether events come on the way to the answer.")


@router.get("/", include_in_schema=False)
def ask_page(request: Request, desk: TheDesk, visitor: TheVisitor) -> Response:
    """The page where one asks."""
    return draw_desk(request, desk, visitor)


@router.post("/ask")
async def ask(desk: TheDesk, visitor: ThePoster, asked: AskBody) -> Response:
    """Answer a question: the prediction record; with `stream`, events as they come (text/event-stream)."""
    job = make_job(desk, visitor, asked)
    if asked.stream:
        return StreamingResponse(as_events(desk, visitor, job), media_type="text/event-stream")
    kept: KeptAnswer = await result_of(desk.asks, job, whose=visitor.lane)
    return Response(json.dumps(kept.record(), ensure_ascii=False), media_type="application/json")


@router.get("/answers/{id}", include_in_schema=False)
def answer_page(request: Request, desk: TheDesk, visitor: TheVisitor, id: AnswerId) -> Response:
    """The page with an answer that was given before; a script gets the answer alone."""
    kept = desk.answers.find(visitor.key, id)
    if request.headers.get("HX-Request"):
        return draw(request, "answer.html", **answer_values(desk, visitor, kept))
    return draw_desk(request, desk, visitor, kept=kept)


@router.get("/answers/{id}/markdown", include_in_schema=False)
def as_markdown(desk: TheDesk, visitor: TheVisitor, id: AnswerId) -> PlainTextResponse:
    """An answer to paste into a document."""
    prediction = desk.answers.find(visitor.key, id).prediction
    return PlainTextResponse(f"**{prediction.question}**\n\n{prediction_markdown(prediction)}\n")


@router.get("/answers/{id}/citations", include_in_schema=False)
def as_citations(desk: TheDesk, visitor: TheVisitor, id: AnswerId) -> PlainTextResponse:
    """What an answer cites, to paste into a list of sources."""
    return PlainTextResponse(citation_list(desk.answers.find(visitor.key, id).prediction))


def draw_desk(
    request: Request, desk: Desk, visitor: Visitor, *, kept: KeptAnswer | None = None, beside: Any = None
) -> Response:
    """The page where one asks, with an answer and what is beside it, if there are any."""
    before = each_once(desk.answers.latest(visitor.key, SHOWN_BEFORE))
    shown = answer_values(desk, visitor, kept) if kept else {"kept": None}
    return draw(
        request,
        "ask.html",
        corpora=desk.offered_corpora(),
        before=before,
        beside=beside,
        **documents_values(desk, visitor),
        **shown,
    )


def each_once(answers: Sequence[KeptAnswer]) -> list[KeptAnswer]:
    """Every question with the first of its answers: newest first, what was asked again is there once."""
    found: dict[str, KeptAnswer] = {}
    for answer in answers:
        found.setdefault(answer.prediction.question, answer)
    return list(found.values())


def answer_values(desk: Desk, visitor: Visitor, kept: KeptAnswer) -> dict[str, Any]:
    """What the template of an answer needs."""
    return {
        "kept": kept,
        "paragraphs": paragraphs_of(kept.prediction.answer),
        "nearest": nearest_of(kept.prediction),
        "footer": footer(kept.prediction),
        "vote": desk.votes.said(visitor.key, kept.prediction),
    }


def documents_values(desk: Desk, visitor: Visitor) -> dict[str, Any]:
    """What the template of a visitor's documents needs."""
    return {
        "reading": desk.uploads.progress_of(visitor.key),
        "brought": desk.uploads.brought(visitor.key),
        "has_own": desk.uploads.place(visitor.key) is not None,
        "yours": YOURS,
        "most_bytes": desk.settings.limits.file_bytes,
    }


def make_job(desk: Desk, visitor: Visitor, asked: AskBody) -> Job:
    """What a thread of the lane does for a question; a bad one is refused before it waits."""
    question, places = check_question(asked.question), desk.places(asked.corpora, visitor.key)
    if asked.after:
        question = follow_prediction(question, desk.answers.find(visitor.key, asked.after).prediction)

    def answer(tell: Tell) -> KeptAnswer:
        told: set[str] = set()

        def listen(event: Event) -> None:
            if isinstance(event, Told) and isinstance(event.value, Sentence):
                told.add(event.value.text)
            tell(event)

        prediction = desk.respondent.ask(question, places, listen)
        # Without a text model nothing is told on the way; with one, what it did not write: whoever listens hears all.
        for sentence in prediction.answer.sentences:
            if sentence.text not in told:
                tell(Told(sentence))
        return desk.answers.keep(visitor.key, prediction, [place.name for place in places], typed=asked.question)

    return answer


async def as_events(desk: Desk, visitor: Visitor, job: Job) -> AsyncIterator[str]:
    """What is heard of a question, as events of a stream."""
    async for event in follow(desk.asks, job, whose=visitor.lane):
        name, value = _event(event)
        if name:
            # In ASCII: a line separator of Unicode inside a text ends the line for readers that split as Python does.
            yield f"event: {name}\ndata: {json.dumps(value, ensure_ascii=True)}\n\n"


def _event(event: Event) -> tuple[str, Any]:
    match event:
        case Waiting(ahead):
            return "waiting", {"ahead": ahead}
        case Told(Remark(text)):
            return "remark", {"text": text}
        case Told(AskStage(text)):
            return "stage", {"text": text}
        case Told(Sentence() as sentence):
            return "sentence", {"text": sentence.text, "citations": sentence.citations, "kind": sentence.kind}
        case Finished(kept):
            return "answer", kept.record()
        case Failed(error):
            return "failed", {"error": explain(error)}
    return "begun", {}


def explain(error: BaseException) -> str:
    """What went wrong, for whoever asked: our own errors say what to do, others are the server's affair."""
    return str(error) if isinstance(error, ExpoundError) else "This is a mistake of the server; its log says more."
