"""Support documents (Fan et al. 2019): for each question what the best hundred pages say nearest to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from expound.answer.support_document import CONTEXT, PASSAGES, Piece, support_document
from expound.build.forum_join import ASKED, QUESTIONS
from expound.build.page_index import FoundPage, PageSearch
from expound.build.places import OutPlace
from expound.build.shards import Columns, Shard, ShardWriter, read_table
from expound.types import Evidence, Passage

SUPPORT = "support"
SUPPORTED: Columns = {**ASKED, "evidence": str}
SEPARATOR = " <P> "
"""Between passages that do not follow each other, as in the official files."""
_SOURCES = 100  # pages a question, as in section 3.1 of the paper
# With fewer, loading what was compiled takes longer than it saves ("Support documents by numba" in recipes/LOG.md).
_WORTH_COMPILING = 1_000


@dataclass(frozen=True)
class FindSupport:
    """Search the pages for each question of a shard and cut out what is nearest: in the paper 15 passages of 100 pages.

    Passages stand in the order of the search, those of a page in its own order; a sentence stands around each.
    """

    sources: int = _SOURCES
    passages: int = PASSAGES
    context: int = CONTEXT

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        rows = list(read_table(OutPlace(shard.inputs["place"]), QUESTIONS, shard.name, ASKED))
        build = choose_builder(len(rows))
        with PageSearch([Path(folder) for folder in shard.inputs["folders"]]) as search:
            for row in rows:
                # By its title, as in the paper's code: what follows it is about the asker's own case.
                asked = str(json.loads(row["meta"])["title"])
                evidence = self._evidence(asked, search.search(asked, k=self.sources), build)
                writer.count("without support", 0 if evidence else 1)
                writer.add(SUPPORT, **row, evidence=json.dumps(evidence, ensure_ascii=False))

    def _evidence(
        self, asked: str, pages: Sequence[FoundPage], build: Callable[..., list[Piece]]
    ) -> list[dict[str, Any]]:
        sources = [
            Evidence(Passage(page.id, page.text, page.title), number, page.score)
            for number, page in enumerate(pages, start=1)
        ]
        pieces = build(asked, sources, passages=self.passages, context=self.context)
        return [_record(piece, pages[piece.number - 1]) for piece in pieces]


def choose_builder(questions: int) -> Callable[..., list[Piece]]:
    """What makes the support documents of so many questions soonest: compiled loops for many, where numba is there.

    All make the same.
    """
    if questions < _WORTH_COMPILING or find_spec("numba") is None:
        return support_document
    from expound.build.compiled_support import compiled_support

    return compiled_support


def official_record(question: dict[str, Any]) -> dict[str, str]:
    """A question of the layout `qa` as a line of the official files: title and text, one document, the best answer."""
    meta = question["meta"]
    return {
        "id": question["id"],
        "question": f"{meta['title']} --T-- {meta['text']}",
        "document": SEPARATOR.join(["", *(item["text"] for item in question.get("evidence", ()))]).strip(),
        "answer": question["references"][0],
    }


def _record(piece: Piece, page: FoundPage) -> dict[str, Any]:
    # A page gives several pieces: each needs an id of its own.
    text = " ".join(piece.sentences)
    return {"id": f"{page.id}#{piece.start}", "title": page.title, "text": text, "source": {"url": page.id}}
