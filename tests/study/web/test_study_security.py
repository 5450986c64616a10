"""Who may see and do what: forged, replayed, guessed and oversized requests, and the names of the systems."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from fastapi.routing import APIRoute

from expound.study.engine.opened import Study
from expound.study.engine.schema import events, raters, submissions
from expound.study.engine.sessions import ADMIN, RATER, Sessions
from expound.study.web.access import JOIN_FAILURES, POSTS
from expound.study.web.app import BODY_LIMIT, ROUTERS
from study.study_helpers import GOOD, Browse, Make, action_of, enter_as_admin, fill, join, judge_all, token_in

PUBLIC = {"/health", "/code", "/join/{join_token}", "/admin/enter/{admin_secret}"}
SCRIPT = "<script>alert('x')</script><img src=x onerror=alert(1)>"
SQL = "'); DROP TABLE submissions; --"


def count_of(study: Study, table: sa.Table) -> int:
    with study.store.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def routes() -> Iterator[tuple[str, str]]:
    for route in (route for router in ROUTERS for route in router.routes):
        assert isinstance(route, APIRoute)
        for method in route.methods or ():
            yield method, route.path


def test_every_route_but_the_ways_in_needs_a_role(make: Make, browse: Browse) -> None:
    study = make()
    stranger = browse(study)
    tried = 0
    for method, path in routes():
        if path in PUBLIC:
            continue
        concrete = re.sub(r"\{\w+\}", "1", path)
        answer = stranger.request(method, concrete, data={"token": ""} if method == "POST" else None)
        assert answer.status_code in (401, 403, 405), f"{method} {path}: {answer.status_code}"
        tried += 1
    assert tried > 20


def test_no_admin_page_opens_for_a_rater_and_no_rater_page_for_the_admin(make: Make, browse: Browse) -> None:
    study = make()
    rater, admin = browse(study), browse(study)
    page, monitor = join(rater, study), enter_as_admin(admin, study)
    for method, path in routes():
        if path in PUBLIC:
            continue
        who, token = (rater, token_in(page)) if path.startswith("/admin") else (admin, token_in(monitor))
        answer = who.request(method, re.sub(r"\{\w+\}", "1", path), data={"token": token} if method == "POST" else None)
        assert answer.status_code in (401, 403, 405), f"{method} {path}"


def test_a_forged_session_opens_nothing(make: Make, browse: Browse) -> None:
    study = make()
    good = browse(study)
    join(good, study)
    forger = Sessions("another key")
    cookies = [forger.cookie(forger.begin(ADMIN)), forger.cookie(forger.begin(RATER, 1)), "", "x.y.z", "é"]
    (name,) = good.cookies
    real = good.cookies[name]
    cookies += [real[:-2], real[:-1] + ("A" if real[-1] != "A" else "B"), real.split(".")[0]]
    for cookie in cookies:
        browser = browse(study)
        headers = {b"Cookie": f"{name}={cookie}; {name.replace(RATER, ADMIN)}={cookie}".encode()}
        assert browser.get("/next", headers=headers).status_code == 401, cookie
        assert browser.get("/admin", headers=headers).status_code == 403, cookie


def test_an_old_session_has_ended(make: Make, browse: Browse, monkeypatch: pytest.MonkeyPatch) -> None:
    study = make()
    browser = browse(study)
    join(browser, study)
    monkeypatch.setattr("expound.study.engine.sessions.DAYS", -1)
    assert browser.get("/next").status_code == 401


def test_another_raters_item_is_not_there(make: Make, browse: Browse) -> None:
    study = make()
    one, two = browse(study), browse(study)
    theirs, mine = join(one, study), join(two, study)
    for suffix, method in [("", "GET"), ("", "POST"), ("/draft", "POST"), ("/park", "POST"), ("/feedback", "GET"),
                           ("/check", "POST"), ("/search?q=x", "GET"), ("/viewed", "POST")]:  # fmt: skip
        data = {**fill(mine), "passage": "p"} if method == "POST" else None
        assert two.request(method, action_of(theirs) + suffix, data=data).status_code == 404, suffix


@pytest.mark.parametrize("token", ["", "0" * 64, "ü"])
def test_a_form_without_its_token_changes_nothing(make: Make, browse: Browse, token: str) -> None:
    study = make()
    browser, other = browse(study), browse(study)
    page = join(browser, study)
    join(other, study)
    tokens = [token, token_in(other.get("/mine").text)]
    for wrong in tokens:
        assert browser.post(action_of(page), data={**fill(page), "token": wrong}).status_code == 403
    with study.store.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(submissions)) == 0


def test_nothing_that_raters_or_systems_write_becomes_markup(make: Make, browse: Browse) -> None:
    study = make("expert-preference", systems=("zebra", "quokka"), title=SCRIPT)
    browser, admin = browse(study), browse(study)
    page = join(browser, study)
    why = SCRIPT + " because one two three four five six seven eight nine"
    answers = {"overall": "left", "difficult": "no", "justification": why}
    parked = browser.post(action_of(page) + "/park", data=fill(page, **answers, question_to_admin=SCRIPT)).text
    pages = [page, parked, browser.get(action_of(page)).text, judge_all(browser, parked, **answers),
             browser.get("/mine").text, enter_as_admin(admin, study)]  # fmt: skip
    for html in pages:
        assert "<script>alert" not in html
        assert "<img src=x" not in html
    assert "&lt;script&gt;alert" in pages[-1]


def test_questions_and_answers_with_markup_are_shown_as_text(make: Make, browse: Browse, tmp_path: Path) -> None:
    items = tmp_path / "own.jsonl"
    text = SCRIPT.replace('"', '\\"')
    items.write_text(
        f'{{"id": "1", "question": "{text}", "candidates": [{{"system": "x", "text": "{text}"}}, '
        f'{{"system": "y", "text": "{text}"}}], "interpretations": [{{"question": "{text}", "answers": ["{text}"]}}]}}',
        encoding="utf-8",
    )
    study = make("asqa-pairwise", items=items)
    browser = browse(study)
    html = join(browser, study)
    assert html.count("&lt;script&gt;alert") >= 4
    assert "<script>alert" not in html


def test_sql_in_every_field_is_only_text(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    link = f"/join/{study.secret('join_token')}"
    token = token_in(browser.get(link).text)
    assert browser.post(link, data={"token": token, "code": SQL, "pid": SQL}).status_code == 403
    assert browser.get(f"/join/{SQL}").status_code == 404
    page = join(browser, study)
    nasty = dict.fromkeys((*GOOD, "comment", "version", "seconds", "question_to_admin"), SQL)
    browser.post(action_of(page), data={**fill(page), **nasty, "submission": SQL})
    browser.post(action_of(page), data={**fill(page), "submission": SQL, "comment": SQL})
    browser.get(f"/item/{SQL}")
    with study.store.reading() as connection:
        (row,) = connection.execute(sa.select(submissions))
    assert row.submission == SQL
    assert SQL in row.answers


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_huge_body_is_refused(make: Make, browse: Browse, is_announced: bool) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    body = b"comment=" + b"x" * 10_000_000
    content = body if is_announced else (body[start : start + 65_536] for start in range(0, len(body), 65_536))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert browser.post(action_of(page), content=content, headers=headers).status_code == 413
    assert len(body) > BODY_LIMIT
    assert browser.get(action_of(page)).status_code == 200


def test_a_lab_behind_one_address_is_not_locked_out_by_those_who_mistype(make: Make, browse: Browse) -> None:
    study = make()
    link = f"/join/{study.secret('join_token')}"
    browser = browse(study)
    token = token_in(browser.get(link).text)
    wrong = {browser.post(link, data={"token": token, "code": f"GUESS{n:05d}"}).status_code
             for n in range(2 * JOIN_FAILURES)}  # fmt: skip
    assert wrong == {403}
    assert 'id="answers"' in join(browse(study), study)


def test_who_sends_the_same_wrong_code_or_link_over_and_over_is_told_to_stop(make: Make, browse: Browse) -> None:
    study = make()
    link = f"/join/{study.secret('join_token')}"
    browser = browse(study)
    token = token_in(browser.get(link).text)
    codes = [browser.post(link, data={"token": token, "code": "WRONG"}).status_code for _ in range(JOIN_FAILURES + 1)]
    assert (codes[0], codes[-1]) == (403, 429)
    links = [browser.get("/admin/enter/wrong").status_code for _ in range(JOIN_FAILURES + 1)]
    assert (links[0], links[-1]) == (404, 429)


def test_a_session_cannot_post_without_end(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    codes = {browser.post(action_of(page) + "/draft", data=fill(page)).status_code for _ in range(POSTS + 2)}
    assert codes == {200, 429}


@pytest.mark.parametrize("name", ["../study.db", "..%2fstudy.db", "%2e%2e/study.toml", "/etc/passwd", "judgments", ""])
def test_only_known_exports_can_be_downloaded(make: Make, browse: Browse, name: str) -> None:
    study = make()
    admin = browse(study)
    enter_as_admin(admin, study)
    assert admin.get(f"/admin/export/{name}").status_code in (404, 405)
    assert admin.get(f"/static/{name}").status_code in (404, 405)


FORMS = ("asqa-pairwise", "expert-preference", "hurdles-ab", "eli5-rating", "eli5-preference", "coding")


@pytest.mark.parametrize("form", FORMS)
def test_a_rater_never_learns_which_system_wrote_an_answer(make: Make, browse: Browse, form: str) -> None:
    study = make(form, systems=("zebra-7b", "quokka-chat"), references=True)
    browser = browse(study)
    answers = {"expert-preference": {"overall": "left", "difficult": "yes", "justification": "because " * 12},
               "eli5-rating": {"fluency": "3", "correct": "yes", "relevant": "yes"}}  # fmt: skip
    page = browser.get(f"/join/{study.secret('join_token')}")
    seen = [page.text + str(page.headers)]
    html = join(browser, study)
    while 'id="answers"' in html:
        seen.append(html)
        action = action_of(html)
        for extra in ("/draft", "/check"):
            reply = browser.post(action + extra, data=fill(html))
            seen.append(reply.text + str(reply.headers))
        answer = browser.post(action, data=fill(html, **answers.get(form, GOOD)))
        seen += [str(one.headers) + one.text for one in (*answer.history, answer)]
        seen.append(browser.get(action).text)
        html = answer.text
    seen += [browser.get(path).text for path in ("/mine", "/instructions", "/done", "/static/study.js")]
    for text in seen:
        assert not re.search(r"zebra|quokka|reference", text)
        assert '"ab"' not in text
        assert '"ba"' not in text


def test_every_page_forbids_foreign_scripts_frames_and_referrers(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    join(browser, study)
    for path in ("/next", "/mine", "/nothing", "/health"):
        headers = browser.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"


def test_behind_an_https_proxy_links_and_cookies_keep_the_base(make: Make, browse: Browse) -> None:
    study = make(base_url="https://example.org/study")
    browser = browse(study)
    page = browser.get(f"/join/{study.secret('join_token')}")
    assert 'action="/study/join/' in page.text
    cookie = page.headers["set-cookie"].lower()
    assert "path=/study" in cookie
    assert "secure" in cookie
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    for prefix in ("", "/study"):  # one proxy takes the path out, another leaves it in
        assert browser.get(f"{prefix}/join/{study.secret('join_token')}").status_code == 200
        assert browser.get(f"{prefix}/static/study.css").status_code == 200


def test_a_crowd_platforms_id_cannot_be_used_to_become_someone_else(make: Make, browse: Browse) -> None:
    study = make()
    link = f"/join/{study.secret('join_token')}"
    first, second = browse(study), browse(study)
    first.post(link, data={"token": token_in(first.get(link).text), "pid": "worker-5"})
    answer = second.post(link, data={"token": token_in(second.get(link).text), "pid": "worker-5"})
    assert "You joined before" in answer.text
    assert count_of(study, raters) == 1


def test_studies_of_one_host_do_not_end_each_others_sessions(make: Make, browse: Browse) -> None:
    one, two = make(name="one"), make(name="two")
    first, second = browse(one), browse(two)
    join(first, one)
    second.cookies.update(first.cookies)  # a browser sends what it has to every port of a host
    join(second, two)
    first.cookies.update(second.cookies)
    assert first.get("/next").status_code == second.get("/next").status_code == 200
    assert len(first.cookies) == 2


def test_a_rater_who_opens_the_link_again_stays_the_same_rater(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    link = f"/join/{study.secret('join_token')}"
    again = browser.get(link).text
    assert "You have joined already" in again
    went_on = browser.post(link, data={"token": token_in(again)}).text
    assert action_of(went_on) == action_of(page)
    assert count_of(study, raters) == 1
    browser.post(link, data={"token": token_in(again), "someone_else": "yes"})
    assert count_of(study, raters) == 2


def test_who_has_withdrawn_is_not_taken_for_someone_who_has_joined(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    browser.post("/withdraw", data={"token": token_in(page), "confirmed": "yes"})
    link = f"/join/{study.secret('join_token')}"
    again = browser.get(link).text
    assert "You have joined already" not in again
    assert "Your code" in browser.post(link, data={"token": token_in(again)}).text


def test_the_admin_may_try_the_join_link_and_stays_the_admin(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    monitor = enter_as_admin(browser, study)
    assert 'id="answers"' in join(browser, study)
    assert browser.get("/admin").status_code == 200
    assert browser.post("/admin/invite", data={"token": token_in(monitor), "count": "1"}).status_code == 200


def test_a_raters_token_opens_no_form_of_the_admin_in_the_same_browser(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    enter_as_admin(browser, study)
    page = join(browser, study)
    assert browser.post("/admin/invite", data={"token": token_in(page), "count": "1"}).status_code == 403


def test_nobody_takes_part_without_having_agreed(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    link = f"/join/{study.secret('join_token')}"
    browser.post(link, data={"token": token_in(browser.get(link).text)})
    token = token_in(browser.get("/").text)
    refused = browser.post("/consent", data={"token": token})
    assert refused.status_code == 422
    assert "Please say that you agree" in refused.text
    browser.post("/instructions", data={"token": token})
    assert "Before you begin" in browser.get("/next").text
    with study.store.reading() as connection:
        kinds = set(connection.scalars(sa.select(events.c.kind)))
    assert "consented" not in kinds
    assert "Instructions" in browser.post("/consent", data={"token": token, "agreed": "on"}).text


def test_a_closed_study_takes_nobody_without_a_code(make: Make, browse: Browse) -> None:
    study = make(open_join=False)
    browser, admin = browse(study), browse(study)
    link = f"/join/{study.secret('join_token')}"
    token = token_in(browser.get(link).text)
    assert browser.post(link, data={"token": token}).status_code == 403
    monitor = enter_as_admin(admin, study)
    html = admin.post("/admin/invite", data={"token": token_in(monitor), "count": "2"}).text
    codes = re.findall(r"<code>([A-Z0-9]{5}-[A-Z0-9]{5})</code>", html)
    assert len(codes) == 2
    assert "Before you begin" in browser.post(link, data={"token": token, "code": codes[0]}).text
