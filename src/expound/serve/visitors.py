"""Who asks: a browser that was let in, or a program with the token; what a page changes, it sends its token with."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, HTTPException, Request, Response

from expound.pages.cookies import keep_session
from expound.pages.signing import same_secret
from expound.serve.desk import DAYS, Desk

COOKIE = "expound_serve"
HEADER = "X-Expound-Token"
"""What a page of ours sends along with whatever it changes: no other site can know it."""
_KEY = re.compile(r"[0-9a-f]{32}")
_PROGRAMS = "programs"


@dataclass(frozen=True)
class Visitor:
    """A browser or a program; `key` names the folder of what it has asked and brought."""

    key: str
    is_program: bool = False

    @property
    def lane(self) -> str:
        """Whose turn it is in a lane: programs share the token, and each of their calls stands for itself."""
        return secrets.token_hex(8) if self.is_program else self.key


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


async def the_desk(request: Request) -> Desk:
    """The same for routes: what is not async would cost them a thread."""
    return desk_of(request)


def known_visitor(request: Request) -> Visitor | None:
    """Who this is, if anybody we know."""
    desk = desk_of(request)
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and same_secret(given.strip(), desk.token):
        return Visitor(_PROGRAMS, is_program=True)
    values = desk.signer.read(request.cookies.get(cookie_name(desk), ""), most_seconds=DAYS * 86_400)
    is_key = isinstance(values, list) and len(values) == 1 and _KEY.fullmatch(str(values[0]))
    return Visitor(values[0]) if is_key else None


async def visitor_of(request: Request) -> Visitor:
    """Someone who may look; anyone else is turned away."""
    visitor = known_visitor(request)
    if visitor is None:
        raise HTTPException(401, "Open the address that the server printed, or enter the password.")
    return visitor


async def poster_of(request: Request) -> Visitor:
    """Someone who may ask or change something: a page of ours sends its token along, and nobody all too fast."""
    visitor, desk = await visitor_of(request), desk_of(request)
    # Another site can make a browser post with its cookie, but cannot read the token of our page.
    if not visitor.is_program and not desk.signer.is_token(visitor.key, request.headers.get(HEADER, "")):
        raise HTTPException(403, "This page is out of date. Open it again and repeat what you did.")
    # Whoever has the token is the server's own: programs are held back by the lanes alone.
    if not visitor.is_program and desk.posts.is_over(visitor.key):
        raise HTTPException(429, "That was too fast. Wait a minute and go on.")
    desk.posts.count(visitor.key)
    return visitor


def let_in(desk: Desk, response: Response) -> None:
    """Give a browser a session of its own."""
    signed = desk.signer.sign([secrets.token_hex(16)])
    keep_session(response, cookie_name(desk), signed, base=desk.base, days=DAYS, is_secure=desk.is_secure)


def cookie_name(desk: Desk) -> str:
    """Browsers share cookies between the ports of a host: two servers must not share one."""
    return f"{COOKIE}_{sha256(desk.token.encode()).hexdigest()[:10]}"


TheDesk = Annotated[Desk, Depends(the_desk)]
TheVisitor = Annotated[Visitor, Depends(visitor_of)]
ThePoster = Annotated[Visitor, Depends(poster_of)]
