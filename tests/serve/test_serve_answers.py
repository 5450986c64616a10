"""Beside an answer: passages, copies, the list of what was asked; and votes that become a study."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from commands import Capture
from expound.corpus import library
from expound.opinions import answers_file, keep_opinion, opinions_file, read_opinions
from expound.records import prediction_from, read_judgments, read_lines
from expound.serve.desk import Desk, open_desk
from expound.serve.serve_settings import ServeSettings
from serve.serve_helpers import QUESTION, Page, browse

PART = {"HX-Request": "true"}


def test_a_sentence_is_marked_in_its_passage_with_what_stands_around(page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    shown = page.get(f"/answers/{id}/passages/1?sentence=1", headers=PART).text
    assert "<mark>The lighthouse of Marrow Point was built in 1847 by the engineer Ada Fenwick.</mark>" in shown
    assert "whale oil" in shown
    assert "<html" not in shown


def test_without_a_script_the_same_link_is_a_page(page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    shown = page.get(f"/answers/{id}/passages/1?sentence=1").text
    assert "<mark>" in shown
    assert "Your question" in shown
    assert f'href="/answers/{id}/passages/1?sentence=1"' in page.get(f"/answers/{id}").text


def test_a_passage_that_has_changed_is_shown_as_it_was(page: Page, tmp_path: Path) -> None:
    id = page.ask(QUESTION)["answer_id"]
    (tmp_path / "coast" / "lighthouse.md").write_text("# Nothing\n\nThere is no lighthouse any more, it seems.\n")
    library.add([tmp_path / "coast"], name="coast")
    shown = page.get(f"/answers/{id}/passages/1?sentence=1", headers=PART).text
    assert "as it was" in shown
    assert "<mark>The lighthouse of Marrow Point" in shown


def test_there_is_no_passage_or_sentence_that_the_answer_does_not_have(page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    for path in ("passages/99", "passages/1?sentence=99", "passages/1/page.png", "passages/0"):
        assert page.get(f"/answers/{id}/{path}", headers=PART).status_code in (404, 422)
    assert page.get("/answers/0123456789abcdef", headers=PART).status_code == 404


def test_an_answer_is_copied_as_markdown_and_as_citations(page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    markdown = page.get(f"/answers/{id}/markdown").text
    assert markdown.startswith(f"**{QUESTION}**\n\nThe lighthouse of Marrow Point was built")
    assert "[1]" in markdown
    assert page.get(f"/answers/{id}/citations").text.startswith("[1] The lighthouse of Marrow Point (lighthouse.md")


def test_what_was_asked_is_listed_the_latest_first(page: Page) -> None:
    page.ask(QUESTION)
    page.ask("How long does a crossing of the ferry take?")
    shown = page.get("/").text
    assert 0 < shown.index("crossing of the ferry") < shown.index(QUESTION)


def test_where_there_is_no_answer_the_nearest_passages_are_shown(page: Page) -> None:
    answer = page.ask("Which moons of Saturn have an atmosphere?")
    assert answer["abstained"]
    assert "No answer" in page.get(f"/answers/{answer['answer_id']}", headers=PART).text


def test_votes_are_judgments_on_the_disk(desk: Desk, page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    assert 'aria-pressed="true">right' in page.post(f"/answers/{id}/vote", data={"value": "yes"}).text
    page.post(f"/answers/{id}/sentence-vote", data={"sentence": "1", "value": "no"})
    right, supported = read_judgments(opinions_file())
    assert (right.study, right.form, right.criterion, right.value, right.a) == (
        "asked", "serve", "right", "yes", "Composed()"
    )  # fmt: skip
    assert (supported.criterion, supported.value, supported.item) == ("supported", "no", f"{right.item}.1")
    assert supported.comment.startswith("The lighthouse")
    ((_, judged),) = read_lines(answers_file())
    assert judged["id"] == right.question_id


def test_a_vote_can_be_changed_and_taken_back(desk: Desk, page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    for value in ("yes", "no"):
        page.post(f"/answers/{id}/vote", data={"value": value})
    (judgment,) = read_judgments(opinions_file())
    assert judgment.value == "no"
    page.post(f"/answers/{id}/vote", data={"value": ""})
    assert read_opinions() == []
    assert 'aria-pressed="true"' not in page.get(f"/answers/{id}", headers=PART).text
    assert page.post(f"/answers/{id}/vote", data={"value": "maybe"}).status_code == 400


def test_votes_outlive_a_server_that_was_killed(desk: Desk, page: Page, corpus: str) -> None:
    id = page.ask(QUESTION)["answer_id"]
    page.post(f"/answers/{id}/vote", data={"value": "yes"})
    again = open_desk(ServeSettings(corpora=(corpus,), model="none"))
    other = browse(again)
    other.cookies.update(page.cookies)
    assert 'aria-pressed="true">right' in other.get(f"/answers/{id}", headers=PART).text
    again.close()


def test_votes_of_the_page_and_of_the_terminal_are_one_file(page: Page) -> None:
    id = page.ask(QUESTION)["answer_id"]
    page.post(f"/answers/{id}/vote", data={"value": "yes"})
    ((_, judged),) = read_lines(answers_file())
    keep_opinion(prediction_from(judged), is_right=False)
    said = [(one.form, one.value) for one in read_opinions()]
    assert said == [("serve", "yes"), ("ask", "no")]
    # The answer is the same, and so it is there once.
    assert len(list(read_lines(answers_file()))) == 1


def test_votes_of_an_earlier_version_are_moved_and_said(desk: Desk, page: Page, corpus: str, capsys: Capture) -> None:
    answer = page.ask(QUESTION)
    visitor = sha256(next((desk.folder / "visitors").iterdir()).name.encode()).hexdigest()[:12]
    former = "0123456789abcdef"
    shared = {"study": "serve", "form": "serve", "question_id": former, "rater": visitor, "a": "Composed()"}
    lines = [
        {**shared, "item": former, "criterion": "right", "value": "yes"},
        {**shared, "item": f"{former}.1", "criterion": "supported", "value": "no"},
    ]
    (desk.folder / "judged.jsonl").write_text(json.dumps({**answer, "id": former}) + "\n", encoding="utf-8")
    # The last one was cut off by a power cut, and nobody was told that it is kept.
    text = "".join(json.dumps(line) + "\n" for line in lines) + '{"study": "se'
    (desk.folder / "judgments.jsonl").write_text(text, encoding="utf-8")
    again = open_desk(ServeSettings(corpora=(corpus,), model="none"))
    assert "moved 2 votes" in capsys.readouterr().err
    assert not (desk.folder / "judgments.jsonl").exists()
    assert [(one.study, one.criterion, one.value) for one in read_opinions()] == [
        ("asked", "right", "yes"), ("asked", "supported", "no")
    ]  # fmt: skip
    other = browse(again)
    other.cookies.update(page.cookies)
    assert 'aria-pressed="true">right' in other.get(f"/answers/{answer['answer_id']}", headers=PART).text
    again.close()
