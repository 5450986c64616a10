"""Several studies on one server, programs that add items and fetch judgments, and looks on the way."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from expound.errors import UserError
from expound.study.engine.opened import Study, open_study
from expound.study.engine.schema import events
from expound.study.out.analyzing import analyze_study
from expound.study.web.several import below, build_several
from study.study_helpers import Browse, Make, action_of, enter_as_admin, fill, join, judge_all, token_in


@pytest.fixture
def both(make: Make) -> list[Study]:
    return below([make("eli5-preference", name="one"), make("hurdles-ab", name="two")], "http://testserver/base")


def test_every_study_stands_below_its_name_and_one_page_has_all(both: list[Study]) -> None:
    app = build_several(both, "http://testserver/base")
    admin = TestClient(app, base_url="http://testserver")
    assert admin.get("/base/admin").status_code == 403
    assert admin.get("/base/admin/enter/wrong").status_code == 404
    page = admin.get(f"/base/admin/enter/{both[0].secret('admin_secret')}").text
    for name in ("one", "two"):
        assert f'href="/base/{name}/admin"' in page
        assert f"Monitor: {name}" in admin.get(f"/base/{name}/admin").text  # signed in to each
    rater = TestClient(app, base_url="http://testserver")
    link = f"/base/two/join/{both[1].secret('join_token')}"
    rater.post(link, data={"token": token_in(rater.get(link).text)})
    assert "Before you begin" in rater.get("/base/two/").text
    assert rater.get("/base/one/").status_code == 401
    assert rater.get("/base/static/study.css").status_code == 200
    assert rater.get("/base/none/").status_code == 404


def test_a_monitor_leads_back_to_the_page_of_all_studies(both: list[Study]) -> None:
    admin = TestClient(build_several(both, "http://testserver/base"), base_url="http://testserver")
    admin.get(f"/base/admin/enter/{both[0].secret('admin_secret')}")
    for page in ("admin", "admin/queue"):
        assert '<a href="/base/admin">All studies</a>' in admin.get(f"/base/two/{page}").text
    rater = TestClient(build_several(both, "http://testserver/base"), base_url="http://testserver")
    link = f"/base/two/join/{both[1].secret('join_token')}"
    assert "All studies" not in rater.post(link, data={"token": token_in(rater.get(link).text)}).text


def test_a_study_by_itself_has_no_page_of_all(make: Make, browse: Browse) -> None:
    study = make()
    shown = enter_as_admin(browse(study), study)
    assert "Monitor: " in shown
    assert "All studies" not in shown


def test_two_studies_of_one_name_are_refused(make: Make) -> None:
    study = make()
    with pytest.raises(UserError, match="same name"):
        below([study, study], "http://testserver")


def test_a_name_with_a_blank_makes_a_link_that_can_be_mailed_and_keeps_its_session(make: Make) -> None:
    study = make(name="my study")
    (placed,) = below([study], "http://testserver")
    assert placed.plan.base_url == "http://testserver/my%20study"
    rater = TestClient(build_several([placed], "http://testserver"), base_url="http://testserver")
    link = f"/my%20study/join/{study.secret('join_token')}"
    rater.post(link, data={"token": token_in(rater.get(link).text)})
    assert "Before you begin" in rater.get("/my%20study/").text


@pytest.mark.parametrize("name", ["admin", "static", "health"])
def test_a_study_does_not_hide_the_pages_for_all(make: Make, name: str) -> None:
    with pytest.raises(UserError, match="another `name`"):
        below([make(name=name)], "http://testserver")


def test_a_study_whose_name_begins_like_the_base_is_found(make: Make) -> None:
    placed = below([make(name="studies")], "http://testserver/stud")
    app = TestClient(build_several(placed, "http://testserver/stud"), base_url="http://testserver")
    for path in ("/stud/studies/health", "/studies/health"):  # the proxy may leave the base in or take it out
        assert app.get(path).status_code == 200


def test_what_is_not_there_is_told_on_a_page(both: list[Study]) -> None:
    answer = TestClient(build_several(both, "http://testserver")).get("/nowhere")
    assert answer.status_code == 404
    assert "There is nothing here." in answer.text
    assert answer.text.startswith("<!doctype html>")


def headers(study: Study) -> dict[str, str]:
    return {"Authorization": f"Bearer {study.secret('api_token')}"}


def item(id: str, **more: Any) -> str:
    pair = [{"system": "zebra", "text": "New one."}, {"system": "quokka", "text": "New two."}]
    return json.dumps({"id": id, "question": "What is new?", "candidates": pair, **more}) + "\n"


def test_items_join_a_running_study_and_are_judged(make: Make, browse: Browse) -> None:
    study = make("eli5-preference", overlap=1)
    browser, program = browse(study), browse(study)
    last = judge_all(browser, join(browser, study), overall="left")
    assert "All 3 answers are saved" in last
    sent = program.post("/api/items", content=item("new-1") + item("new-2"), headers=headers(study))
    assert sent.json() == {"added": 2, "items": 5}
    assert "All 5 answers are saved" in judge_all(browser, browser.get("/next").text, overall="right")
    assert len(open_study(study.plan.folder / "study.toml").items) == 5  # also after a restart
    assert program.get("/api/status", headers=headers(study)).json()["judgments"] == 5


@pytest.mark.parametrize(
    ("content", "what"),
    [("", "no items"), ("{", "line 1"), (item("q1"), "two items have the id 'q1'"),
     (item("n", kind="gold", expected={"overal": "a"}), "does not ask"),
     (json.dumps({"id": "n", "question": "q", "candidates": [{"text": "alone"}]}), "has 1 candidate, and")],
)  # fmt: skip
def test_bad_items_are_named_and_none_is_taken(make: Make, browse: Browse, content: str, what: str) -> None:
    study = make("eli5-preference")
    answer = browse(study).post("/api/items", content=item("fine") * bool(content) + content, headers=headers(study))
    assert answer.status_code == 422
    assert what in answer.json()["error"] or "line 2" in answer.json()["error"]
    assert len(study.items) == 3


def test_judgments_come_as_they_are_saved_and_each_once(make: Make, browse: Browse) -> None:
    study = make("eli5-preference")
    browser, program = browse(study), browse(study)
    page = join(browser, study)
    page = browser.post(action_of(page), data=fill(page, overall="left")).text
    first = program.get("/api/judgments", headers=headers(study))
    assert len(first.text.splitlines()) == 1
    browser.post(action_of(page), data=fill(page, overall="right"))
    then = program.get(f"/api/judgments?after={first.headers['X-Last']}", headers=headers(study))
    assert [json.loads(line)["rater"] for line in then.text.splitlines()] == ["r01"]
    again = program.get(f"/api/judgments?after={then.headers['X-Last']}", headers=headers(study))
    assert again.text == ""


@pytest.mark.parametrize("after", [-1, 2**40, 10**30, "x"])
def test_a_place_that_no_judgment_can_have_is_named(make: Make, browse: Browse, after: object) -> None:
    study = make("eli5-preference")
    answer = browse(study).get(f"/api/judgments?after={after}", headers=headers(study))
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("after: ")


def test_too_much_at_once_is_refused_with_how_much_may_come(make: Make, browse: Browse) -> None:
    study = make("eli5-preference")
    answer = browse(study).post("/api/items", content="x" * 600_000, headers=headers(study))
    assert (answer.status_code, answer.text) == (413, "too large: send at most 512 kB at a time")


def test_without_the_token_a_program_gets_nothing(make: Make, browse: Browse) -> None:
    study = make()
    for path in ("/api/status", "/api/judgments"):
        assert browse(study).get(path).status_code == 403
        assert browse(study).get(path, headers={"Authorization": "Bearer wrong"}).status_code == 403


def looks_of(study: Study) -> list[str]:
    with study.store.reading() as connection:
        return list(connection.scalars(sa.select(events.c.detail).where(events.c.kind == "looked")))


def test_nobody_peeks_by_accident_and_a_look_is_written_down(make: Make, browse: Browse) -> None:
    study = make("eli5-preference", overlap=2)
    browser, admin = browse(study), browse(study)
    judge_all(browser, join(browser, study), overall="left")
    token = token_in(enter_as_admin(admin, study))
    asked = admin.get("/admin/analysis").text
    assert "3 of 6 judgments are in" in asked
    assert "Preference: overall" not in asked
    assert looks_of(study) == []
    seen = admin.post("/admin/analysis", data={"token": token}).text
    assert "Look 1 at this study, at 50% of the planned judgments" in seen
    assert "p (looks)" in seen
    assert looks_of(study) == ["3 of 6 judgments"]
    admin.post("/admin/analysis", data={"token": token})
    assert looks_of(study) == ["3 of 6 judgments"]  # the same data again
    other = browse(study)
    judge_all(other, join(other, study), overall="left")
    assert "Look 2 at this study, at 100%" in admin.get("/admin/analysis").text
    look = analyze_study(study, samples=10).look
    assert look is not None
    assert look.level == pytest.approx(0.05 - 0.00557, abs=1e-5)


def test_a_study_that_was_not_looked_at_is_not_corrected(make: Make, browse: Browse) -> None:
    study = make("eli5-preference", overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study), overall="left")
    look = analyze_study(study, samples=10).look
    assert look is not None
    assert look.number == 1
    assert look.level == pytest.approx(0.05)
