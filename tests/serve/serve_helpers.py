"""A small corpus, a server over it, and browsers that were let in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from expound.corpus import library
from expound.serve.desk import Desk, open_desk
from expound.serve.front import build_front
from expound.serve.serve_settings import ServeSettings
from expound.serve.visitors import HEADER

LIGHTHOUSE = """# The lighthouse of Marrow Point

The lighthouse of Marrow Point was built in 1847 by the engineer Ada Fenwick. It stands 31 metres above the sea.

## The lamp

The lamp of the lighthouse burned whale oil until 1869. Electric light came to the lighthouse in 1931.
"""
FERRY = """# The ferry to Marrow Island

The ferry to Marrow Island leaves at nine every morning. A crossing takes forty minutes in calm weather.
"""
QUESTION = "Who built the lighthouse of Marrow Point?"


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """Two documents of our own, as a corpus by name."""
    folder = tmp_path / "coast"
    folder.mkdir()
    (folder / "lighthouse.md").write_text(LIGHTHOUSE, encoding="utf-8")
    (folder / "ferry.md").write_text(FERRY, encoding="utf-8")
    library.add([folder], name="coast")
    return "coast"


@pytest.fixture
def desk(corpus: str) -> Iterator[Desk]:
    opened = open_desk(ServeSettings(corpora=(corpus,), model="none"))
    yield opened
    opened.close()


class Page(TestClient):
    """A browser on the pages of a desk; what it changes, it sends with the token of its page."""

    def enter(self, desk: Desk) -> Page:
        page = self.get(f"/enter/{desk.token}", headers={"Accept": "text/html"})
        self.headers[HEADER] = re.findall(r'data-token="([^"]*)"', page.text)[0]
        return self

    def ask(self, question: str, **values: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.post("/ask", json={"question": question, **values}).json()
        return answer


def browse(desk: Desk) -> Page:
    """A browser that nobody has let in yet."""
    return Page(build_front(desk), base_url="http://testserver", follow_redirects=True)


@pytest.fixture
def page(desk: Desk) -> Page:
    """A browser that was let in."""
    return browse(desk).enter(desk)


def events_in(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a stream by name."""
    return [(name, json.loads(data)) for name, data in re.findall(r"event: (\w+)\ndata: (.*)\n\n", text)]
