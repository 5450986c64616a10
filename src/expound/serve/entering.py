"""Being let in: by the address with the token, or by the password where the server is open to others."""

from __future__ import annotations

import ipaddress
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from expound.pages.signing import same_secret
from expound.serve.desk import Desk
from expound.serve.drawing import draw
from expound.serve.visitors import TheDesk, known_visitor, let_in

router = APIRouter(include_in_schema=False)


@router.get("/enter/{token}")
async def enter_by_address(request: Request, desk: TheDesk, token: str) -> Response:
    """The address that the server printed."""
    if not same_secret(token, desk.token):
        raise HTTPException(404, "There is nothing here. Check that the address is complete.")
    return _welcome(request, desk)


@router.get("/enter")
async def ask_for_password(request: Request) -> Response:
    return draw_entrance(request, "")


@router.post("/enter")
async def enter_by_password(
    request: Request, desk: TheDesk, password: Annotated[str, Form(max_length=1000)]
) -> Response:
    """The password, where there is one."""
    # By address here, since one password is for all: counted by what was tried, guessing would never end.
    who = network_of(request.client.host if request.client else "")
    if desk.wrong_passwords.is_over(who):
        raise HTTPException(429, "The password was wrong many times. Wait ten minutes.")
    if not desk.settings.password or not same_secret(password, desk.settings.password):
        desk.wrong_passwords.count(who)
        return draw_entrance(request, "This is not the password.")
    return _welcome(request, desk)


def network_of(host: str) -> str:
    """Whose tries are counted together: an address of IPv4, the network of one of IPv6.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2"), network_of("testclient")
    ('192.0.2.7', '2001:db8::/64', 'testclient')
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    # Whoever has one address of IPv6 has all 2^64 of its network, and could guess with each of them.
    return host if address.version == 4 else str(ipaddress.ip_network(f"{address}/64", strict=False))


def draw_entrance(request: Request, problem: str) -> Response:
    """The page of those who are not let in yet."""
    return draw(request, "enter.html", status_code=401, problem=problem)


def _welcome(request: Request, desk: Desk) -> Response:
    # 303: the address in the browser's bar no longer shows the token.
    response = RedirectResponse(f"{desk.base}/", 303)
    # Who is known keeps what is theirs: the address may be opened twice.
    if known_visitor(request) is None:
        let_in(desk, response)
    return response
