"""What visitors say of an answer and of its sentences."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import Response

from expound.serve.asking import AnswerId
from expound.serve.drawing import draw
from expound.serve.visitors import TheDesk, ThePoster

router = APIRouter(include_in_schema=False)
VALUE = Annotated[str, Form(max_length=10)]
PLACE = Annotated[int, Form(ge=1, le=1000)]


@router.post("/answers/{id}/vote")
def vote(request: Request, desk: TheDesk, visitor: ThePoster, id: AnswerId, value: VALUE = "") -> Response:
    """Right or wrong; nothing takes it back."""
    kept = desk.answers.find(visitor.key, id)
    desk.votes.judge(visitor.key, kept.prediction, value)
    return draw(request, "vote.html", kept=kept, vote=value)


@router.post("/answers/{id}/sentence-vote")
def vote_on_sentence(
    request: Request, desk: TheDesk, visitor: ThePoster, id: AnswerId, sentence: PLACE, value: VALUE = ""
) -> Response:
    """Whether a sentence is supported by what it cites."""
    kept = desk.answers.find(visitor.key, id)
    if sentence > len(kept.prediction.answer.sentences):
        raise HTTPException(404, "This answer has no such sentence.")
    desk.votes.judge_sentence(visitor.key, kept.prediction, sentence, value)
    return draw(request, "sentence_vote.html", id=id, place=sentence, vote=value)
