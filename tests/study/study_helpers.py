"""A small study to play with: three questions, two systems, and browsers that join it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from fastapi.testclient import TestClient

from expound.study.design.making import ItemSources, make_study
from expound.study.engine.opened import Study, open_study
from expound.study.web.app import build_app

QUESTIONS = [
    {
        "id": f"q{number}",
        "question": f"Who ruled the land in 18{number}0?",
        "references": [f"Two kings ruled in 18{number}0."],
        "interpretations": [
            {"question": "Who ruled before August?", "answers": ["Charles"]},
            {"question": "Who ruled after August?", "answers": ["Louis", "Louis Philippe"]},
        ],
        "evidence": [{"id": "e1", "title": "The land", "text": "Charles ruled, then Louis."}],
        "meta": {"domain": "history" if number % 2 else "kings"},
    }
    for number in range(1, 4)
]

Browser = TestClient
Make: TypeAlias = Callable[..., Study]
Browse: TypeAlias = Callable[[Study], Browser]


def write_inputs(folder: Path, *, systems: tuple[str, ...] = ("zebra", "quokka")) -> tuple[str, dict[str, Path]]:
    """A dataset and a prediction file for each system."""
    dataset = folder / "questions.jsonl"
    dataset.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS), encoding="utf-8")
    paths = {name: folder / f"{name}.json" for name in systems}
    for number, path in enumerate(paths.values()):
        answers = {str(one["id"]): f"Answer text number {number} to {one['id']}." for one in QUESTIONS}
        path.write_text(json.dumps(answers), encoding="utf-8")
    return f"qa:{dataset}", paths


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make a study of any form and open it; `changes` go into its plan."""

    def make_it(form: str = "asqa-pairwise", *, overlap: int = 3, name: str = "study", **changes: Any) -> Study:
        sources: dict[str, Any] = {
            name: changes.pop(name) for name in ("items", "checks", "references", "pairing") if name in changes
        }
        if "items" not in sources:
            dataset, systems = write_inputs(tmp_path, systems=changes.pop("systems", ("zebra", "quokka")))
            sources |= {"dataset": dataset, "systems": systems}
        plan = tmp_path / f"{name}.toml"
        make_study(plan, form, ItemSources(**sources), overlap=overlap, seed=1)
        settings = "".join(f"{key} = {json.dumps(value)}\n" for key, value in changes.items())
        plan.write_text(settings + plan.read_text(encoding="utf-8"), encoding="utf-8")
        return open_study(plan)

    return make_it


@pytest.fixture
def browse() -> Browse:
    """A fresh browser on a study; several may share one server."""
    apps: dict[int, Any] = {}

    def open_browser(study: Study) -> Browser:
        app = apps.setdefault(id(study), build_app(study))
        return TestClient(app, base_url="http://testserver", follow_redirects=True)

    return open_browser


WHY = "because the first answer names both kings and the second one names none"

OWN = """
title = "Which one is kinder?"
makes = "pairs"
instructions = "Read both."
[[field]]
name = "kinder"
label = "Which one is kinder?"
kind = "side"
options = ["tie"]
[[field]]
name = "why"
label = "Why?"
kind = "text"
"""


def first_match(pattern: str, html: str) -> str:
    """What the group of a pattern holds, the first time that it is found."""
    found = re.search(pattern, html)
    assert found, pattern
    return found[1]


def token_in(html: str) -> str:
    return hidden(html, "token")


def hidden(html: str, name: str) -> str:
    return first_match(rf'name="{name}" value="([^"]*)"', html)


def join(browser: Browser, study: Study) -> str:
    """Join as a new rater, up to the first item; its page."""
    page = browser.get(f"/join/{study.secret('join_token')}")
    browser.post(f"/join/{study.secret('join_token')}", data={"token": token_in(page.text)})
    token = token_in(browser.get("/").text)
    browser.post("/consent", data={"token": token, "agreed": "on"})
    return browser.post("/instructions", data={"token": token}).text


def enter_as_admin(browser: Browser, study: Study) -> str:
    return browser.get(f"/admin/enter/{study.secret('admin_secret')}").text


def action_of(html: str) -> str:
    """Where the answers of an item page go."""
    return first_match(r'<form method="post" action="([^"]*)" id="answers"', html)


GOOD = {"captured_left": ["0", "1"], "resolving": "left", "fluency": "right", "overall": "tie"}


def fill(html: str, **answers: Any) -> dict[str, Any]:
    """The fields of an item page, with its hidden ones."""
    shared = {name: hidden(html, name) for name in ("token", "submission", "version")}
    return {**shared, "seconds": "7", **(answers or GOOD)}


def judge_all(browser: Browser, page: str, **answers: Any) -> str:
    """Answer until nothing is left; the last page."""
    while 'id="answers"' in page:
        page = browser.post(action_of(page), data=fill(page, **answers)).text
    return page
