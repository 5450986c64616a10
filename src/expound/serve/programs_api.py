"""`/clarify` and `/score` for programs, and the page that describes the interface."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from expound import plugins
from expound.errors import BadInput, UnknownName, nearest
from expound.records import evidence_record, interpretation_record, question_from, question_id, without_nan
from expound.score.scoring import score
from expound.serve.answering import CorpusPlace
from expound.serve.api_examples import CORPORA, QUESTION, show_example
from expound.serve.desk import Desk
from expound.serve.drawing import draw
from expound.serve.lanes import Tell, result_of
from expound.serve.visitors import TheDesk, ThePoster, TheVisitor, desk_of
from expound.system import check_question
from expound.types import Question

router = APIRouter()
MOST_SCORED = 1000
"""Questions that are scored at once: more is a file's affair, and `expound score` reads files."""


_LAST_KING = "Who was the last king of France before 1792?"
_READING = {"question": _LAST_KING, "answers": ["Louis XVI", "Louis XVI of France"]}


class ClarifyBody(BaseModel):
    """A question, and the corpora whose passages tell its readings apart."""

    model_config = show_example(question="Who was the ruler of France in 1830?")
    question: str = Field(max_length=20_000, description=QUESTION)
    corpora: list[str] = Field(default_factory=list, max_length=100, description=CORPORA)


class ScoreBody(BaseModel):
    """Answers by the id of their question, the questions as lines of the layout `qa`, and a profile of metrics."""

    model_config = show_example(
        predictions={"q1": "Louis XVI"},
        questions=[{"id": "q1", "question": _LAST_KING, "references": ["Louis XVI"], "interpretations": [_READING]}],
        profile="nq-open",
    )
    predictions: dict[str, str] = Field(max_length=MOST_SCORED, description="An answer by the id of its question.")
    questions: list[dict[str, Any]] = Field(
        min_length=1, max_length=MOST_SCORED, description="`id`, `question`, `references`, perhaps `interpretations`."
    )
    profile: str = Field(default="asqa", description="Which metrics; `expound score --help` names the profiles.")


@router.post("/clarify")
async def clarify(desk: TheDesk, visitor: ThePoster, body: ClarifyBody) -> dict[str, Any]:
    """The readings of a question, each rewritten so that only its answer fits, with the evidence."""
    question, places = check_question(body.question), desk.places(body.corpora, visitor.key)
    found: dict[str, Any] = await result_of(
        desk.asks, lambda tell: _readings(desk, question, places, tell), whose=visitor.lane
    )
    return found


@router.post("/score")
async def score_answers(desk: TheDesk, visitor: ThePoster, body: ScoreBody) -> dict[str, Any]:
    """Score answers against references: every metric of the profile with its interval and signature."""
    profiles = plugins.names("profile")
    # By name alone: a spec would be built from what a stranger writes.
    if body.profile not in profiles:
        raise UnknownName(f"no profile named {body.profile[:80]!r}; {nearest(body.profile, profiles)}")
    # All of them before a lane is taken: a bad one is refused without waiting.
    questions = [_question(record, place) for place, record in enumerate(body.questions)]
    scores = await result_of(
        desk.asks, lambda _tell: score(body.predictions, questions, body.profile), whose=visitor.lane
    )
    results: dict[str, Any] = {"n": scores.n, "results": [asdict(result) for result in scores]}
    return dict(without_nan(results))


@router.get("/openapi.json", include_in_schema=False)
def describe(request: Request, visitor: TheVisitor) -> Response:
    """The interface in OpenAPI's words."""
    return JSONResponse(request.app.openapi())


@router.get("/api", include_in_schema=False)
def describe_for_people(request: Request, visitor: TheVisitor) -> Response:
    """The same for people, made of the same description."""
    schema, desk = request.app.openapi(), desk_of(request)
    address = desk.settings.base_url.rstrip("/") or str(request.base_url).rstrip("/")
    calls = [_call(schema, path, method) for path in schema["paths"] for method in schema["paths"][path]]
    return draw(request, "api.html", calls=calls, address=address)


def _readings(desk: Desk, question: str, places: tuple[CorpusPlace, ...], tell: Tell) -> dict[str, Any]:
    system = desk.respondent.system(places, tell)
    asked = Question(question_id(question), question)
    evidence = system.evidence(asked)
    readings = system.shown_readings(asked, evidence)
    return {
        "question": question,
        "interpretations": [interpretation_record(reading) for reading in readings],
        "evidence": [evidence_record(item) for item in evidence],
    }


def _question(record: Mapping[str, Any], place: int) -> Question:
    try:
        return question_from(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"questions[{place}] is no line of the layout qa ({error!r:.200})") from error


def _call(schema: Mapping[str, Any], path: str, method: str) -> dict[str, Any]:
    """One call: its path, what it is for, and the fields of its body."""
    described = schema["paths"][path][method]
    content = described.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    body = schema.get("components", {}).get("schemas", {}).get(name, {})
    fields = [
        (field, _kind(about), split_code(about.get("description", "")), field in body.get("required", ()))
        for field, about in body.get("properties", {}).items()
    ]
    return {
        "path": path,
        "method": method.upper(),
        "about": split_code(described.get("description", "")),
        "fields": fields,
        "body": split_code(body.get("description", "")),
        "example": json.dumps(body["examples"][0]) if "examples" in body else "",
    }


def split_code(text: str) -> list[tuple[str, bool]]:
    """A text in pieces, of which those between backticks are code.

    >>> split_code("with `stream`, events")
    [('with ', False), ('stream', True), (', events', False)]
    """
    return [(piece, place % 2 == 1) for place, piece in enumerate(text.split("`")) if piece]


def _kind(about: Mapping[str, Any]) -> str:
    inner = f" of {about['items'].get('type', 'object')}s" if about.get("type") == "array" else ""
    return str(about.get("type", "")) + inner
