"""Passages as rows of the store's table, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from expound.corpus.sqlite_errors import START_ANEW
from expound.errors import Damaged
from expound.types import Part, Passage, Source

COLUMNS = "p.number, p.id, p.text, p.title, d.label, p.page, p.heading, p.url, p.start, p.end, p.meta, p.parts"
FROM = "FROM passages p JOIN documents d ON d.number = p.document"


def passage_of(row: Sequence[Any]) -> Passage:
    """The passage in a row of `COLUMNS`."""
    source = Source(file=row[4], page=row[5], heading=row[6], url=row[7], start=row[8], end=row[9])
    try:
        parts = tuple(Part(*values) for values in json.loads(row[11])) if row[11] else ()
        return Passage(id=row[1], text=row[2], title=row[3], source=source, meta=json.loads(row[10]), parts=parts)
    except (TypeError, ValueError) as error:
        raise Damaged(f"the passage {row[1]!r} is damaged; {START_ANEW}") from error


def values_of(passage: Passage) -> tuple[Any, ...]:
    """What a row holds of the passage itself: title, text, page, heading, url, start, end, meta and parts."""
    source = passage.source
    place = (source.page, source.heading, source.url, source.start, source.end)
    return passage.title, passage.text, *place, _meta_text(passage), _parts_text(passage)


def _parts_text(passage: Passage) -> str:
    return json.dumps([astuple(part) for part in passage.parts], ensure_ascii=False) if passage.parts else ""


def _meta_text(passage: Passage) -> str:
    # Sorted, since texts are compared to see whether a passage has changed.
    return json.dumps(dict(passage.meta), ensure_ascii=False, sort_keys=True) if passage.meta else "{}"
