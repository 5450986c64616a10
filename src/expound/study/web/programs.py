"""For programs: items into a running study, judgments out as they come, by HTTP with the study's token."""

from __future__ import annotations

import json
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import JSONResponse, Response

from expound.errors import ExpoundError
from expound.pages.signing import same_secret
from expound.records import judgment_record
from expound.study.design.items import Item, item_from
from expound.study.engine.adding import add_items
from expound.study.engine.looks import progress_of
from expound.study.engine.sent_answers import answers_after
from expound.study.out.judgments import judgments_in
from expound.study.web.access import Site, count_failure, site_of

router = APIRouter(prefix="/api")
_MOST = 2**31 - 1  # what a database takes as a key
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError)


async def program_of(request: Request) -> Site:
    """A program that knows the token; anyone else is turned away."""
    site = site_of(request)
    given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if not same_secret(given, site.api_token):
        count_failure(request, given)
        raise HTTPException(403, "Send the header Authorization: Bearer TOKEN, with the token that the server printed.")
    return site


TheProgram = Annotated[Site, Depends(program_of)]


@router.get("/status")
def status(site: TheProgram) -> Response:
    """Counts, and nothing that would be a look at the results."""
    with site.study.store.reading() as connection:
        done, planned = progress_of(site.study, connection)
    return JSONResponse({"study": site.study.plan.name, "judgments": done, "planned": planned})


@router.post("/items")
async def add(request: Request, site: TheProgram) -> Response:
    """Add items, one a line as in the items file; all or none."""
    try:
        lines = (await request.body()).decode("utf-8").splitlines()
        items = [_item(line, number) for number, line in enumerate(lines, start=1) if line.strip()]
        # In a thread: the database would hold up every other request meanwhile.
        count = await to_thread.run_sync(add_items, site.study, items)
    except (UnicodeDecodeError, ExpoundError) as error:
        raise HTTPException(422, str(error)) from error
    return JSONResponse({"added": count, "items": len(site.study.items)})


@router.get("/judgments")
def judgments(site: TheProgram, after: Annotated[int, Query(ge=0, le=_MOST)] = 0) -> Response:
    """What was saved after a number, as judgment lines; the header `X-Last` has the number to go on with.

    A later version of an answer comes as a line of its own: the last one for a rater and item counts.
    """
    found = list(answers_after(site.study, after))
    lines = (json.dumps(judgment_record(each), ensure_ascii=False) + "\n"
             for _, one in found for each in judgments_in(site.study, one))  # fmt: skip
    # Nothing new gives back the number that was sent: a program that polls never has to remember more than this.
    last = max((number for number, _ in found), default=after)
    return Response("".join(lines), media_type="application/jsonl", headers={"X-Last": str(last)})


def _item(line: str, number: int) -> Item:
    try:
        return item_from(json.loads(line))
    except _MALFORMED as error:
        raise HTTPException(422, f"line {number}: not an item of a study ({error})") from error
