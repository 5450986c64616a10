"""Templates to pages: everything is escaped, and every page knows its token and where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse

from expound.pages.templates import open_templates
from expound.serve.visitors import HEADER, desk_of, known_visitor

FOLDER = Path(__file__).parent
DOORS = "/to"
"""Below it are the ways from our pages to those that others brought."""


def list_sections(request: Request) -> list[tuple[str, str]]:
    """What the head of every page links to, a name and a path each: only what this server has."""
    runs = [("Runs", "/runs")] if desk_of(request).settings.runs else []
    brought = [(part.title, f"{DOORS}{part.path}") for part in request.app.state.mounted]
    return [("Ask", "/"), *runs, *brought, ("API", "/api")]


def draw(request: Request, template: str, *, status_code: int = 200, **values: Any) -> HTMLResponse:
    """A page, or a part of one."""
    desk, visitor = desk_of(request), known_visitor(request)
    shared = {
        "base": desk.base,
        # Made for this visitor: a page that somebody else saved cannot post.
        "token": desk.signer.token(visitor.key) if visitor else "",
        "header": HEADER,
        "sections": list_sections(request) if visitor else (),
        "here": request.url.path.removeprefix(desk.base),
        "has_password": bool(desk.settings.password),
    }
    page = open_templates(FOLDER / "templates").get_template(template)
    return HTMLResponse(page.render(**shared, **values), status_code)
