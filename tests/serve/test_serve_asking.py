"""Asking by the page and by programs: who is let in, what comes back, in what order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dialogue_turns import DOCUMENTS, TURNS
from expound.corpus import library
from expound.errors import UserError
from expound.serve.answering import CorpusPlace
from expound.serve.desk import Desk, open_desk
from expound.serve.lanes import Tell, Told
from expound.serve.pages_server import check_openness
from expound.serve.serve_settings import ServeSettings
from expound.serve.visitors import HEADER
from expound.types import Prediction, Sentence
from serve.serve_helpers import QUESTION, Page, browse, events_in

HTML = {"Accept": "text/html"}


def test_a_question_is_answered_with_its_sources(page: Page) -> None:
    answer = page.ask(QUESTION)
    assert "Ada Fenwick" in answer["answer"]["text"]
    assert answer["evidence"][0]["source"]["file"] == "lighthouse.md"
    assert answer["corpora"] == ["coast"]


def test_an_answer_streams_sentence_by_sentence(page: Page) -> None:
    said = page.post("/ask", json={"question": QUESTION, "stream": True})
    events = events_in(said.text)
    names = [name for name, _ in events]
    assert said.headers["content-type"].startswith("text/event-stream")
    assert names[:4] == ["begun", "stage", "stage", "stage"]
    assert [value["text"] for name, value in events if name == "stage"] == [
        "searching", "reading 3 passages of 2 documents", "choosing sentences"
    ]  # fmt: skip
    *entries, (last, answer) = events[4:]
    assert last == "answer"
    assert len(entries) > 1
    shown = ("text", "citations", "kind")
    assert entries == [
        ("sentence", {name: one.get(name, "sentence") for name in shown}) for one in answer["answer"]["sentences"]
    ]


def test_what_a_text_model_did_not_tell_of_the_answer_is_told_at_its_end(
    page: Page, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, aside = desk.respondent.ask, Sentence("A clarifier has found this.", "", (1,))

    def ask(question: str, places: Sequence[CorpusPlace], tell: Tell) -> Prediction:
        prediction = answer(question, places, tell)
        for sentence in (aside, prediction.answer.sentences[0]):
            tell(Told(sentence))
        return prediction

    monkeypatch.setattr(desk.respondent, "ask", ask)
    events = events_in(page.post("/ask", json={"question": QUESTION, "stream": True}).text)
    told = [value["text"] for name, value in events if name == "sentence"]
    assert told == [aside.text, *(one["text"] for one in events[-1][1]["answer"]["sentences"])]


def test_the_answer_is_shown_with_its_citations(page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    shown = page.get(f"/answers/{id}").text
    assert "Ada Fenwick" in shown
    assert "[1]" in shown


def test_passages_are_found_without_an_answer(page: Page) -> None:
    found = page.post("/search", json={"question": "ferry crossing", "k": 1}).json()
    assert [item["title"] for item in found["evidence"]] == ["The ferry to Marrow Island"]


def test_nobody_is_let_in_without_the_address(desk: Desk) -> None:
    stranger = browse(desk)
    assert stranger.get("/", headers=HTML).status_code == 401
    assert stranger.get("/enter/wrong").status_code == 404
    assert stranger.post("/ask", json={"question": QUESTION}).status_code == 401
    assert stranger.post("/ask", json={"question": QUESTION}, headers={"Authorization": "Bearer x"}).status_code == 401


def test_a_program_asks_with_the_token(desk: Desk) -> None:
    program = browse(desk)
    program.headers["Authorization"] = f"Bearer {desk.token}"
    assert "Ada Fenwick" in program.ask(QUESTION)["answer"]["text"]


def test_another_site_cannot_ask_with_the_cookie_of_a_browser(page: Page) -> None:
    del page.headers[HEADER]
    assert page.post("/ask", json={"question": QUESTION}).status_code == 403
    page.headers[HEADER] = "guessed"
    assert page.post("/ask", json={"question": QUESTION}).status_code == 403


def test_one_visitor_does_not_see_the_answers_of_another(desk: Desk, page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    assert browse(desk).enter(desk).get(f"/answers/{id}").status_code == 404


def test_a_bad_question_is_told_in_a_line(page: Page) -> None:
    said = page.post("/ask", json={"question": "???"})
    assert (said.status_code, said.json()["error"]) == (400, "the question is empty: it has no word in it")
    assert page.post("/ask", json={"question": QUESTION, "corpora": ["cost"]}).status_code == 404
    assert page.post("/ask", json={"quest": 1}).status_code == 422


def test_other_machines_are_let_in_only_if_it_is_said_and_with_a_password() -> None:
    check_openness("127.0.0.1", is_public=False, password="")
    check_openness("::1", is_public=False, password="")
    with pytest.raises(UserError, match="can be reached from other machines"):
        check_openness("0.0.0.0", is_public=False, password="")
    with pytest.raises(UserError, match="--public needs a password"):
        check_openness("0.0.0.0", is_public=True, password="short")
    check_openness("0.0.0.0", is_public=True, password="long enough")


def test_a_password_lets_in_and_is_not_guessed(desk: Desk) -> None:
    settings = ServeSettings(corpora=desk.settings.corpora, model="none", password="long enough")
    guarded = replace(desk, settings=settings)
    stranger = browse(guarded)
    assert "Password" in stranger.get("/", headers=HTML).text
    assert stranger.post("/enter", data={"password": "wrong"}).status_code == 401
    assert "Your question" in stranger.post("/enter", data={"password": "long enough"}, headers=HTML).text
    for _ in range(settings.limits.wrong_passwords):
        stranger.post("/enter", data={"password": "wrong"})
    assert stranger.post("/enter", data={"password": "long enough"}).status_code == 429


def test_a_question_with_only_a_pronoun_takes_the_subject_of_the_last(page: Page) -> None:
    first = page.ask(QUESTION)["answer_id"]
    answer = page.ask("Who built the ferry?", after=first)
    assert answer["question"] == "Who built the ferry?"  # it has a subject of its own
    answer = page.ask("How high does it stand?", after=first)
    assert answer["question"] == "How high does the lighthouse of Marrow Point stand?"
    assert "31 metres" in answer["answer"]["text"]
    assert answer["typed"] == "How high does it stand?"


def test_a_dialogue_over_several_documents_is_followed(tmp_path: Path) -> None:
    for name, text in DOCUMENTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    library.add([tmp_path], name="shore")
    desk = open_desk(ServeSettings(corpora=("shore",), model="none"))
    page, last = browse(desk).enter(desk), ""
    for typed, asked, expected in TURNS:
        answer = page.ask(typed, after=last)
        assert answer["question"] == asked
        assert expected in answer["answer"]["text"]
        last = answer["answer_id"]
    desk.close()
