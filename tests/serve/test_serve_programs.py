"""For programs: OpenAI's shape, readings, scores, and the description of the interface."""

from __future__ import annotations

import json
from typing import Any

import pytest

from expound.serve.chat_shape import ChatMessage, question_in
from expound.serve.desk import Desk
from serve.serve_helpers import QUESTION, Page, browse


@pytest.fixture
def program(desk: Desk) -> Page:
    client = browse(desk)
    client.headers["Authorization"] = f"Bearer {desk.token}"
    return client


def chat(program: Page, *said: str, **values: Any) -> Any:
    roles = ["user", "assistant"] * len(said)
    messages = [{"role": role, "content": text} for role, text in zip(roles, said, strict=False)]
    return program.post("/v1/chat/completions", json={"model": "expound", "messages": messages, **values})


def test_a_chat_client_gets_an_answer_with_citations(program: Page) -> None:
    answer = chat(program, QUESTION).json()
    (choice,) = answer["choices"]
    assert answer["object"] == "chat.completion"
    assert choice["finish_reason"] == "stop"
    assert "Ada Fenwick" in choice["message"]["content"]
    assert "[1]" in choice["message"]["content"]
    assert choice["message"]["citations"][0]["file"] == "lighthouse.md"


def test_a_chat_client_can_follow_up(program: Page) -> None:
    answer = chat(program, QUESTION, "Ada Fenwick built the lighthouse of Marrow Point.", "How high does it stand?")
    assert "31 metres" in answer.json()["choices"][0]["message"]["content"]


def test_a_chat_client_can_ask_about_the_person_that_was_named(program: Page) -> None:
    answer = "**Ada Fenwick** [1]\n\nThe lighthouse of Marrow Point was built in 1847 by the engineer Ada Fenwick. [1]"
    said = [QUESTION, answer, "When was she born?"]
    messages = [ChatMessage(role="assistant" if place % 2 else "user", content=text) for place, text in enumerate(said)]
    assert question_in(messages) == "When was Ada Fenwick born?"


def test_pieces_of_a_stream_are_the_whole_answer(program: Page) -> None:
    whole = chat(program, QUESTION).json()["choices"][0]["message"]["content"]
    lines = chat(program, QUESTION, stream=True).text.split("\n\n")
    assert lines[-2] == "data: [DONE]"
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-2] if line.startswith("data: ")]
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    deltas = [chunk["choices"][0]["delta"].get("content", "") for chunk in chunks]
    assert without_time("".join(deltas)) == without_time(whole)
    assert len(deltas) > 4
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"


def without_time(text: str) -> str:
    return text.rpartition(" · ")[0]


def test_a_model_is_a_corpus(program: Page) -> None:
    names = [model["id"] for model in program.get("/v1/models").json()["data"]]
    assert names == ["expound", "expound/coast"]
    assert chat(program, QUESTION, model="expound/coast").status_code == 200
    assert chat(program, QUESTION, model="expound/other").status_code == 404
    said = chat(program, QUESTION, model="gpt-4o")
    assert (said.status_code, said.json()["error"]["type"]) == (400, "invalid_request_error")


def test_the_question_is_the_last_message_of_the_user() -> None:
    parts: Any = [{"type": "text", "text": QUESTION}, {"type": "image_url"}]
    assert (
        question_in([ChatMessage(role="system", content="Be kind."), ChatMessage(role="user", content=parts)])
        == QUESTION
    )
    with pytest.raises(Exception, match="last message must be a user's"):
        question_in([ChatMessage(role="user", content=QUESTION), ChatMessage(role="assistant", content="Ada")])


def test_readings_come_with_their_evidence(program: Page) -> None:
    found = program.post("/clarify", json={"question": QUESTION}).json()
    assert found["question"] == QUESTION
    assert isinstance(found["interpretations"], list)
    assert found["evidence"][0]["title"] == "The lighthouse of Marrow Point"


def test_answers_are_scored(program: Page) -> None:
    readings = [{"question": QUESTION, "answers": ["Ada Fenwick"]}]
    questions = [{"id": "q1", "question": QUESTION, "references": ["Ada Fenwick"], "interpretations": readings}]
    body = {"predictions": {"q1": "Ada Fenwick"}, "questions": questions, "profile": "nq-open"}
    scored = program.post("/score", json=body).json()
    assert scored.get("n") == 1, scored
    assert [(one["metric"], one["value"]) for one in scored["results"]][:1] == [("em_any", 100.0)]
    assert scored["results"][0]["signature"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"profile": "Released(path='/etc/passwd')"}, 404),
        ({"questions": [{"quest": 1}]}, 400),
        ({"questions": []}, 422),
        ({"predictions": "/etc/passwd"}, 422),
    ],
)
def test_what_cannot_be_scored_is_told(program: Page, change: dict[str, Any], status: int) -> None:
    body = {"predictions": {"q1": "x"}, "questions": [{"id": "q1", "question": "Why?", "references": ["y"]}]}
    said = program.post("/score", json={**body, **change})
    assert said.status_code == status
    assert said.json()["error"]


@pytest.mark.parametrize("path", ["/ask", "/search", "/clarify", "/score", "/v1/chat/completions"])
def test_the_example_of_a_call_can_be_sent_as_it_stands(program: Page, path: str) -> None:
    schema = program.get("/openapi.json").json()
    content = schema["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    body = schema["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
    assert program.post(path, json=body["examples"][0]).status_code == 200


def test_who_calls_without_a_key_is_told_which_one(desk: Desk) -> None:
    stranger = browse(desk)
    assert "Bearer TOKEN" in stranger.post("/ask", json={"question": "x"}).json()["error"]
    assert "Bearer TOKEN" in stranger.get("/v1/models").json()["error"]["message"]


def test_a_model_can_be_looked_up_by_its_name(program: Page) -> None:
    assert program.get("/v1/models/expound/coast").json()["id"] == "expound/coast"
    assert program.get("/v1/models/expound/nowhere").status_code == 404


def test_the_interface_is_described_for_tools_and_for_people(desk: Desk, page: Page) -> None:
    paths = page.get("/openapi.json").json()["paths"]
    assert set(paths) == {
        "/ask",
        "/search",
        "/clarify",
        "/score",
        "/v1/chat/completions",
        "/v1/models",
        "/v1/models/{name}",
    }
    shown = page.get("/api").text
    assert all(path in shown for path in paths)
    assert "with <code>stream</code>, events" in shown
    assert browse(desk).get("/openapi.json").status_code == 401
