"""Templates to pages: everything is escaped, and every page knows its token and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Template

from expound.pages.templates import open_templates, template_at
from expound.study.design.form import LEFT, RIGHT, TIE, Field
from expound.study.engine.rater_progress import unread_replies
from expound.study.engine.sessions import RATER, Session
from expound.study.web.access import Site, session_of, site_of

FOLDER = Path(__file__).parent
# In the order in which they lie under the hands: digits first, since most pages have fewer than ten choices.
_KEYS = "1234567890qwertyuiopasdfghjklzxcvbnm"
SIDE_KEYS = {LEFT: "1", RIGHT: "2", TIE: "3", "": "0"}


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
        "news": _news(site, session),
        "all_studies": site.all_studies,
    }
    return HTMLResponse(_template(template).render(**shared, **values), status_code)


def _news(site: Site, session: Session | None) -> int:
    """How many replies wait for a rater, for the head of every page."""
    if session is None or session.role != RATER:
        return 0
    with site.study.store.reading() as connection:
        return len(unread_replies(connection, session.id))


def _template(name: str | Path) -> Template:
    """A template of ours by its name, or the one that a form brings along."""
    folder = FOLDER / "templates"
    return template_at(folder, name) if isinstance(name, Path) else open_templates(folder).get_template(name)


def go(request: Request, path: str) -> RedirectResponse:
    """Send the browser on with a GET, so that reloading does not post again."""
    # 303: whatever the method was, the browser goes on with a GET.
    return RedirectResponse(f"{site_of(request).base}{path}", 303)


def keys_of(fields: Sequence[Field]) -> dict[tuple[str, str], str]:
    """Keys of the keyboard for the choices of a page: one for each side, everywhere, and one for any other choice.

    Fields that offer the same share their keys, as comparisons do: the page gives a key to the field that is next.
    The others follow in reading order, as far as they go.
    """
    compared = [field for field in fields if field.kind == "side"]
    found = {(field.name, value): SIDE_KEYS[value] for field in compared for value in _choices(field)}
    free = iter([key for key in _KEYS if not compared or key not in SIDE_KEYS.values()])
    shared: dict[tuple[object, ...], dict[str, str]] = {}
    for field in (one for one in fields if one.kind != "side"):
        # Boxes have keys of their own: several may be ticked, so none is ever the next.
        offered = (field.name if field.kind != "choice" else "", *field.options, field.required)
        if offered not in shared:
            shared[offered] = dict(zip(_choices(field), free, strict=False))
        found |= {(field.name, value): key for value, key in shared[offered].items()}
    return found


def _choices(field: Field) -> tuple[str, ...]:
    """What can be chosen in a field; where one of several may be left open, that is a choice too."""
    can_be_open = not field.required and field.kind in ("side", "choice")
    return (*field.values, "") if can_be_open else field.values
