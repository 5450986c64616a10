"""`/v1/chat/completions` in OpenAI's shape: any chat client asks one's documents, and its text brings the citations."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Literal

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

from expound.clarify.follow_ups import follow_up
from expound.errors import UserError
from expound.serve.api_examples import show_example
from expound.serve.asking import AskBody, explain, make_job
from expound.serve.desk import Desk
from expound.serve.kept_answers import KeptAnswer
from expound.serve.lanes import Failed, Finished, Job, follow, result_of
from expound.serve.visitors import TheDesk, ThePoster, TheVisitor, Visitor
from expound.shown.answer_markdown import prediction_markdown
from expound.shown.answer_pieces import list_cited, place_of
from expound.types import Evidence

router = APIRouter(prefix="/v1")
# How our Markdown begins where there is a direct answer: clients send back what they were given, and nothing else.
_DIRECT = re.compile(r"\*\*([^*\n]+)\*\* \[")
MODEL = "expound"
"""The name that asks all corpora; `expound/NAME` asks one of them."""


class ChatPart(BaseModel):
    """A part of a message; only text is read."""

    type: str
    text: str = ""


class ChatMessage(BaseModel):
    """What was said in a dialogue, and by whom."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[ChatPart] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class ChatBody(BaseModel):
    """A dialogue whose last message of a user is the question. Settings of a text model are not looked at."""

    model_config = show_example(model="expound", messages=[{"role": "user", "content": "Why are most boats white?"}])
    messages: list[ChatMessage] = Field(min_length=1, max_length=1000, description="What was said so far.")
    model: str = Field(default=MODEL, description="`expound` asks all corpora, `expound/NAME` one of them.")
    stream: bool = Field(default=False, description="Whether the answer comes in OpenAI's chunks.")


@router.get("/models")
def list_models(desk: TheDesk, visitor: TheVisitor) -> dict[str, Any]:
    """What can be asked: all corpora together, and each by itself."""
    names = [MODEL, *(f"{MODEL}/{name}" for name in desk.offered_corpora())]
    return {"object": "list", "data": [_model(name) for name in names]}


@router.get("/models/{name:path}")
def describe_model(desk: TheDesk, visitor: TheVisitor, name: str) -> dict[str, Any]:
    """One of them by its name."""
    desk.places(_corpora(name), visitor.key)
    return _model(name)


@router.post("/chat/completions")
async def complete(desk: TheDesk, visitor: ThePoster, body: ChatBody) -> Response:
    """Answer the last question of a dialogue, with citations in the text and as a list."""
    asked = AskBody(question=question_in(body.messages), corpora=_corpora(body.model))
    job = make_job(desk, visitor, asked)
    if body.stream:
        return StreamingResponse(_chunks(desk, visitor, job, body.model), media_type="text/event-stream")
    kept: KeptAnswer = await result_of(desk.asks, job, whose=visitor.lane)
    return JSONResponse(_whole(kept, body.model))


def question_in(messages: Sequence[ChatMessage]) -> str:
    """The last question, with what an earlier one was about in place of its pronoun."""
    said = [message.text for message in messages if message.role == "user" and message.text.strip()]
    if not said or messages[-1].role != "user":
        raise UserError("the last message must be a user's, with the question as its text")
    answers = [message.text for message in messages if message.role == "assistant"]
    question = said[0]
    # From the first on: "it" of the third question may mean what "he" of the second stood for.
    for place, later in enumerate(said[1:]):
        answer = answers[place] if place < len(answers) else ""
        direct = _DIRECT.match(answer)
        question = follow_up(later, question, answers, direct=direct[1] if direct else "", said=answer)
    return question


def _model(name: str) -> dict[str, Any]:
    # No model was ever made at some time; clients of the official library want the field.
    return {"id": name, "object": "model", "created": 0, "owned_by": MODEL}


def _corpora(model: str) -> list[str]:
    name = model.removeprefix(MODEL)
    if name and not name.startswith("/"):
        raise UserError(f"no model named {model[:80]!r}: {MODEL} asks all corpora, {MODEL}/NAME one of them")
    return [name[1:]] if name[1:] else []


def _whole(kept: KeptAnswer, model: str) -> dict[str, Any]:
    message = {
        "role": "assistant",
        "content": prediction_markdown(kept.prediction),
        "citations": _citations(kept),
        # Clients of the official library read these fields without asking whether they are there.
        "refusal": None,
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    # Nothing is counted in tokens here; clients that add them up want the field.
    usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    return {**_head("chat.completion", kept.id, model), "choices": [choice], "usage": usage}


async def _chunks(desk: Desk, visitor: Visitor, job: Job, model: str) -> AsyncIterator[str]:
    """The answer in pieces. Only what is certain: a client cannot take a sentence back."""
    id = secrets.token_hex(8)
    yield _event(_delta(id, model, {"role": "assistant", "content": ""}))
    async for event in follow(desk.asks, job, whose=visitor.lane):
        if isinstance(event, Finished):
            # Only now, from the whole answer: sentences that were told on the way may be left out or renumbered at its
            # end.
            for piece in _pieces(prediction_markdown(event.value.prediction)):
                yield _event(_delta(id, model, {"content": piece}))
            yield _event(_delta(id, model, {"citations": _citations(event.value)}, finish="stop"))
        elif isinstance(event, Failed):
            yield _event({"error": {"message": explain(event.error), "type": "server_error"}})
        else:
            # A comment of the stream: whoever waits is told, and no line is cut for being idle.
            yield f": {type(event).__name__.lower()}\n\n"
    yield "data: [DONE]\n\n"


def _pieces(text: str) -> Iterator[str]:
    """A text line by line, and a long line sentence by sentence."""
    for line in text.splitlines(keepends=True):
        first, *others = line.split(". ")
        yield first + (". " if others else "")
        yield from (f"{piece}. " for piece in others[:-1])
        yield from others[-1:]


def _citations(kept: KeptAnswer) -> list[dict[str, Any]]:
    return [_citation(item) for item in list_cited(kept.prediction)]


def _citation(item: Evidence) -> dict[str, Any]:
    source = item.passage.source
    where = {"file": source.file, "page": source.page, "url": source.url}
    known = {name: value for name, value in where.items() if value}
    return {"number": item.number, "title": place_of(item), "text": item.passage.text, **known}


def _head(kind: str, id: str, model: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{id}", "object": kind, "created": int(time.time()), "model": model}


def _delta(id: str, model: str, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return {**_head("chat.completion.chunk", id, model), "choices": [choice]}


def _event(value: object) -> str:
    return f"data: {json.dumps(value)}\n\n"
