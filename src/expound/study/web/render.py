"""Templates to pages: everything is escaped, and every page knows its token and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Template

from expound.pages.templates import open_templates, template_at
from expound.study.design.form import Field
from expound.study.engine.sessions import Session
from expound.study.web.access import session_of, site_of

FOLDER = Path(__file__).parent
# In the order in which they lie under the hands: digits first, since most pages have fewer than ten choices.
_KEYS = "1234567890qwertyuiopasdfghjklzxcvbnm"


def render_page(
    request: Request, template: str | Path, *, status_code: int = 200, session: Session | None = None, **values: Any
) -> HTMLResponse:
    """A page; `session` is one that this very response begins."""
    site, session = site_of(request), session or session_of(request)
    shared = {
        "base": site.base,
        "study_title": site.study.plan.title or site.study.form.title,
        "token": site.sessions.token(session) if session else "",
        "role": session.role if session else "",
    }
    return HTMLResponse(_template(template).render(**shared, **values), status_code)


def _template(name: str | Path) -> Template:
    """A template of ours by its name, or the one that a form brings along."""
    folder = FOLDER / "templates"
    return template_at(folder, name) if isinstance(name, Path) else open_templates(folder).get_template(name)


def go(request: Request, path: str) -> RedirectResponse:
    """Send the browser on with a GET, so that reloading does not post again."""
    # 303: whatever the method was, the browser goes on with a GET.
    return RedirectResponse(f"{site_of(request).base}{path}", 303)


def keys_of(fields: Sequence[Field]) -> dict[tuple[str, str], str]:
    """One key of the keyboard for each choice of a page, in reading order, as far as they go."""
    choices = [(field.name, value) for field in fields for value in _choices(field)]
    return dict(zip(choices, _KEYS, strict=False))


def _choices(field: Field) -> tuple[str, ...]:
    """What can be chosen in a field; where one of several may be left open, that is a choice too."""
    can_be_open = not field.required and field.kind in ("side", "choice")
    return (*field.values, "") if can_be_open else field.values
