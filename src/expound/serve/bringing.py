"""Bringing documents: dropped one by one or named by an address, listed with how far their reading is, and named."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from expound.serve.asking import documents_values
from expound.serve.desk import Desk
from expound.serve.drawing import draw
from expound.serve.visitors import TheDesk, ThePoster, TheVisitor, Visitor

PATH = "/documents/"
"""Below it documents come in, which may be larger than anything else."""
router = APIRouter(include_in_schema=False)


@router.get("/documents")
def list_documents(request: Request, desk: TheDesk, visitor: TheVisitor) -> Response:
    """The documents of this visitor, as a part of the page."""
    return _draw(request, desk, visitor)


@router.put(PATH + "{name:path}")
async def bring(request: Request, desk: TheDesk, visitor: ThePoster, name: str) -> Response:
    """Take in one document: the body is the file."""
    # As it comes in: a document of fifty megabytes never stands in memory as a whole.
    await desk.uploads.receive(visitor.key, name, request.stream())
    return Response(status_code=204)


@router.post("/documents-fetched")
def fetch(
    request: Request, desk: TheDesk, visitor: ThePoster, address: Annotated[str, Form(max_length=2000)]
) -> Response:
    """Take in the page or file at an address: it is fetched once, by the server."""
    desk.uploads.fetch(visitor.key, address.strip())
    return _draw(request, desk, visitor)


@router.post("/documents-removed")
def remove(
    request: Request, desk: TheDesk, visitor: ThePoster, name: Annotated[str, Form(max_length=1000)]
) -> Response:
    """Forget one document."""
    desk.uploads.forget(visitor.key, name)
    return _draw(request, desk, visitor)


@router.post("/documents-named")
def give_name(
    request: Request, desk: TheDesk, visitor: ThePoster, name: Annotated[str, Form(max_length=64)]
) -> Response:
    """Make a corpus of these documents, for all who are let in."""
    desk.uploads.give_name(visitor.key, name)
    return _draw(request, desk, visitor)


def _draw(request: Request, desk: Desk, visitor: Visitor) -> Response:
    return draw(request, "documents.html", **documents_values(desk, visitor))
