"""Second passes: items that are made of what another study collected, without a word about who said it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from expound import library
from expound.errors import UserError
from expound.retrieve.single import Lexical
from expound.study.export import latest_answers, readings_in
from expound.study.forms.ambig_generate import READINGS
from expound.study.items import Item, in_order
from expound.study.opened import Study, open_study
from expound.study.tables import assignments, viewed
from expound.text.normal import normalize_answer
from expound.types import Evidence, Passage

_SEARCHED = 50

SOURCES = {"justifications": "expert-preference", "generated": "ambig-generate"}


def derived_items(makes: str, path: Path) -> list[Item]:
    """The items of a second pass over the study of a plan."""
    study = open_study(path)
    if study.form.name != SOURCES[makes]:
        raise UserError(f"{path} is a study of {study.form.name}; this form continues one of {SOURCES[makes]}")
    items = list(justification_items(study) if makes == "justifications" else validation_items(study))
    if not items:
        raise UserError(f"{path} has nothing to go on with yet")
    return items


def justification_items(study: Study) -> Iterator[Item]:
    """Every justification with its pair; sides stand as they did when it was written."""
    for number, (placed, row) in enumerate(latest_answers(study), start=1):
        answers = json.loads(row.answers)
        preferred = {"left": "Answer A", "right": "Answer B"}[answers["overall"]]
        yield replace(
            placed.item,
            id=f"{placed.item.id}-j{number}",
            candidates=in_order(placed.item.candidates, placed.shown),
            extra={"justification": answers["justification"], "preferred": preferred, "is_fixed": True},
        )


def validation_items(study: Study) -> Iterator[Item]:
    """The questions on which generators differ, with their sets and what they read; equal sets need no validator."""
    by_item: dict[int, list[Any]] = defaultdict(list)
    for placed, row in latest_answers(study):
        by_item[placed.number].append(row)
    find = Lexical(library.open_corpora([study.plan.corpus])).retrieve if study.plan.corpus else None
    for number, rows in by_item.items():
        sets = [readings_in(json.loads(row.answers).get(READINGS.name, [])) for row in rows]
        if len(sets) > 1 and not are_equal(sets):
            item = study.items[number].item
            yield replace(item, extra={"sets": sets, **_viewed(study, number, find)})


def are_equal(sets: list[list[dict[str, Any]]]) -> bool:
    """Whether all generators found exactly the same answers, whatever the wording of the questions."""
    found = [sorted(sorted({normalize_answer(one) for one in row["answers"]}) for row in readings) for readings in sets]
    return all(one == found[0] for one in found)


def _viewed(study: Study, item: int, find: Callable[..., list[Evidence]] | None) -> dict[str, Any]:
    """What the generators read: the titles, and the passages as far as the corpus still has them."""
    query = sa.select(viewed.c.passage, viewed.c.title).join(assignments, assignments.c.id == viewed.c.assignment)
    with study.store.reading() as connection:
        rows = list(connection.execute(query.where(assignments.c.item == item).order_by(viewed.c.id)))
    titles = {row.passage: row.title for row in rows}
    passages: dict[str, Passage] = {}
    for id, title in titles.items():
        found = find(title, k=_SEARCHED) if find and title else []
        passages |= {one.passage.id: one.passage for one in found if one.passage.id == id}
    texts = [{"title": one.title, "text": one.text} for one in passages.values()]
    return {"viewed": list(dict.fromkeys(titles[id] for id in titles if id not in passages)), "passages": texts}
