"""The cookie of a session: one way for every page that lets somebody in."""

from __future__ import annotations

from starlette.responses import Response


def keep_session(response: Response, name: str, value: str, *, base: str, days: int, is_secure: bool) -> None:
    """Have the browser keep a session for so many days, for the pages below a base alone."""
    response.set_cookie(
        name,
        value,
        max_age=days * 86_400,
        path=base or "/",
        # No script can read it, and no other site's form sends it along.
        httponly=True,
        samesite="lax",
        # Only where the address is https: a browser would throw such a cookie away on plain http.
        secure=is_secure,
    )
