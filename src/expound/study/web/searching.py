"""Search inside an item: passages of a corpus of ours, and which of them a rater has read."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sa
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from expound.corpus import library
from expound.retrieve.single import Lexical
from expound.study.engine.schema import NAME_WIDTH, viewed
from expound.study.web.access import Number, Posted, TheRaterSession, TheSite
from expound.study.web.judging import own_work
from expound.study.web.render import render_page
from expound.types import Evidence

router = APIRouter()
RESULTS = 10  # titles that one looks through; the next query is faster than a second page
_SNIPPET_WORDS = 30  # two lines, enough to see what a passage is about
_MARKS = ".,;:?!()[]\"'“”‘’"
_QUERY_LIMIT = 300  # letters, as many as the box on the page takes

Search = Callable[[str], list[Evidence]]


def make_search(corpus: str) -> Search | None:
    """A search over the corpus of the plan; without one there is nothing to search."""
    if not corpus:
        return None
    # A corpus belongs to the thread that opened it.
    worker = ThreadPoolExecutor(1)
    retriever = worker.submit(lambda: Lexical(library.open_corpora([corpus]))).result()
    return lambda query: worker.submit(retriever.retrieve, query, k=RESULTS).result()


@router.get("/item/{id}/search")
def search(request: Request, site: TheSite, session: TheRaterSession, id: Number, q: str = "") -> Response:
    """Passages for a query."""
    # Only from within an item of one's own: a search is work of the study, and no public service.
    own_work(site.study, session, id)
    find: Search | None = request.app.state.search
    if find is None:
        raise HTTPException(404, "This study has no corpus to search.")
    found = find(q[:_QUERY_LIMIT]) if q.strip() else []
    shown = [{"passage": one.passage, "snippet": snippet(one.passage.text, q)} for one in found]
    return render_page(request, "found.html", found=shown, id=id)


def snippet(text: str, query: str) -> str:
    """The words of a passage around the first one that was searched for."""
    words, wanted = text.split(), {word.strip(_MARKS).lower() for word in query.split()}
    places = (place for place, word in enumerate(words) if word.strip(_MARKS).lower() in wanted)
    # A third of the words before it, so that the sentence around is seen.
    start = max(next(places, 0) - _SNIPPET_WORDS // 3, 0)
    shown = " ".join(words[start : start + _SNIPPET_WORDS])
    return f"{'… ' if start else ''}{shown}{' …' if start + _SNIPPET_WORDS < len(words) else ''}"


@router.post("/item/{id}/viewed")
def note_viewed(site: TheSite, session: TheRaterSession, id: Number, sent: Posted) -> Response:
    """Remember that a passage was opened: validators are shown what generators read."""
    work = own_work(site.study, session, id)
    passage, title = ((*sent.get(name, ()), "")[0].replace("\x00", "")[:NAME_WIDTH] for name in ("passage", "title"))
    with site.study.store.writing() as connection:
        is_known = sa.select(viewed.c.id).where(viewed.c.assignment == work.id, viewed.c.passage == passage)
        if passage and connection.execute(is_known).first() is None:
            connection.execute(sa.insert(viewed).values(assignment=work.id, passage=passage, title=title))
    return Response(status_code=204)
