"""What served pages share: templates that escape, tokens that cannot be guessed, limits, headers."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from expound.pages import limiter
from expound.pages.html import page
from expound.pages.limiter import Limiter
from expound.pages.middleware import AddHeaders, CachedFiles, LimitBody, UnderBase
from expound.pages.policy import HEADERS, IN_ONE_FILE, IN_ONE_FILE_SERVED, OF_TEMPLATES
from expound.pages.signing import Signer
from expound.pages.templates import SHARED, open_templates, template_at


def test_no_policy_lets_a_text_run_as_a_script() -> None:
    for policy in (IN_ONE_FILE, IN_ONE_FILE_SERVED, OF_TEMPLATES):
        assert policy.startswith("default-src 'none'")
        assert "script-src 'unsafe" not in policy
    assert IN_ONE_FILE in page("Title", [])


def test_a_template_may_extend_the_shared_frame_and_escapes_what_it_shows(tmp_path: Path) -> None:
    (tmp_path / "hello.html").write_text('{% extends "frame.html" %}{% block main %}{{ text }}{% endblock %}')
    shown = open_templates(tmp_path).get_template("hello.html").render(base="", text="<script>")
    assert "&lt;script&gt;" in shown
    assert 'src="/static/htmx.min.js?' in shown
    with pytest.raises(UndefinedError, match="text"):
        open_templates(tmp_path).get_template("hello.html").render(base="")


def test_a_template_from_elsewhere_extends_those_of_the_folder(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
    (ours / "item.html").write_text("<p>{% block content %}{% endblock %}</p>")
    (theirs / "item.html").write_text('{% extends "item.html" %}{% block content %}{{ text }}{% endblock %}')
    assert template_at(ours, theirs / "item.html").render(text="a < b") == "<p>a &lt; b</p>"


def test_a_cookie_is_read_only_with_the_key_that_signed_it_and_in_time() -> None:
    signer, other = Signer("ours"), Signer("theirs")
    cookie = signer.sign(["rater", 7])
    assert signer.read(cookie, most_seconds=60) == ["rater", 7]
    assert other.read(cookie, most_seconds=60) is None
    assert signer.read(cookie, most_seconds=-1) is None


def test_a_token_belongs_to_one_session_and_one_key() -> None:
    signer = Signer("ours")
    assert signer.is_token("one", signer.token("one"))
    assert not signer.is_token("two", signer.token("one"))
    assert not Signer("theirs").is_token("one", signer.token("one"))
    assert not signer.is_token("one", "ü")


def test_a_limit_is_reached_by_one_key_and_forgotten_after_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("expound.pages.limiter.time.monotonic", lambda: now)
    tries = Limiter(2, seconds=10)
    for _ in range(2):
        assert not tries.is_over("a")
        tries.count("a")
    assert tries.is_over("a")
    assert not tries.is_over("b")
    now = 10.1
    assert not tries.is_over("a")


def test_whoever_fills_a_limiter_with_keys_makes_it_forget_and_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limiter, "_MOST_KEYS", 3)
    tries = Limiter(1, seconds=10)
    for key in map(str, range(20)):
        tries.count(key)
    assert len(tries._seen) <= 4


async def echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(f"{request.url.path} {len(await request.body())}")


@pytest.fixture
def browser(tmp_path: Path) -> TestClient:
    (tmp_path / "own.css").write_text("p {}")
    files = CachedFiles([tmp_path, SHARED / "static"])
    app = Starlette(routes=[Route("/echo", echo, methods=["GET", "POST"]), Mount("/static", files)])
    app.add_middleware(LimitBody, limit=10)
    app.add_middleware(AddHeaders, headers=HEADERS)
    app.add_middleware(UnderBase, base="/base")
    return TestClient(app)


def test_every_answer_has_the_headers_also_a_missing_page(browser: TestClient) -> None:
    for path in ("/echo", "/nothing"):
        headers = browser.get(path).headers
        assert all(headers[name] == value for name, value in HEADERS.items())


def test_files_come_from_either_folder_and_may_be_kept(browser: TestClient) -> None:
    for name in ("own.css", "htmx.min.js"):
        answer = browser.get(f"/static/{name}")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "max-age=3600")


def test_a_body_over_the_limit_is_refused_announced_or_not(browser: TestClient) -> None:
    assert browser.post("/echo", content=b"x" * 10).text == "/base/echo 10"
    assert browser.post("/echo", content=b"x" * 11).status_code == 413
    assert browser.post("/echo", content=(b"x" for _ in range(11))).status_code == 413


def test_a_proxy_may_leave_the_base_in_or_take_it_out(browser: TestClient) -> None:
    assert browser.get("/echo").text == browser.get("/base/echo").text == "/base/echo 0"


def test_a_file_that_was_changed_is_loaded_anew(tmp_path: Path) -> None:
    paths = []
    for place, content in enumerate(("a {}", "b {}")):
        folder = tmp_path / str(place)
        (folder / "static").mkdir(parents=True)
        (folder / "static" / "own.css").write_text(content, encoding="utf-8")
        paths.append(open_templates(folder / "templates").from_string('{{ static("own.css") }}').render())
    assert all(path.startswith("/static/own.css?") for path in paths)
    assert paths[0] != paths[1]
