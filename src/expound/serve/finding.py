"""`/search`: the passages that a question finds, in a lane of their own."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from expound.records import evidence_record
from expound.serve.api_examples import CORPORA, QUESTION, show_example
from expound.serve.lanes import result_of
from expound.serve.visitors import TheDesk, ThePoster

router = APIRouter()


class SearchBody(BaseModel):
    """A question or a few words, and the corpora to look in."""

    model_config = show_example(question="white boats", k=3)
    question: str = Field(max_length=20_000, description=QUESTION)
    corpora: list[str] = Field(default_factory=list, max_length=100, description=CORPORA)
    k: int = Field(default=10, ge=1, le=100, description="So many passages at most; up to 100.")


@router.post("/search")
async def search(desk: TheDesk, visitor: ThePoster, searched: SearchBody) -> dict[str, Any]:
    """The passages whose words are nearest, best first, without an answer."""
    places = desk.places(searched.corpora, visitor.key)
    found = await result_of(
        desk.searches,
        lambda _tell: desk.respondent.search(searched.question, places, k=searched.k),
        whose=visitor.lane,
    )
    return {"question": searched.question, "evidence": [evidence_record(item) for item in found]}
