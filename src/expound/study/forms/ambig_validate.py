"""AmbigQA, second stage (Min et al. 2020, 3): accept or reject each worker's readings, or put a new set together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from expound.corpus import library
from expound.retrieve.single import Lexical
from expound.study.design.collected import Collected, Earlier
from expound.study.design.form import NO, YES, Answers, Field, Form, Option, Problem
from expound.study.design.items import Item, View
from expound.study.forms.ambig_generate import READINGS, check_readings, readings_in
from expound.text.normal import normalize_answer
from expound.types import Evidence, Passage

# A passage is looked for by its title, under which a long article has many passages.
_SEARCHED = 50

_INSTRUCTIONS = """\
You will see a question and the sets of answers that others wrote to it, with the passages that they read. Accept \
every set that is right and complete, and reject the others. If none is, put a correct set together from theirs: \
write it below. You may search as they did."""


def make_form() -> Form:
    return Form(
        name="ambig-validate",
        title="Check answers",
        makes="study",
        layout="validate",
        instructions=_INSTRUCTIONS,
        fields=_fields,
        check=_check,
        continues="ambig-generate",
        derive=validation_items,
    )


def _fields(view: View) -> tuple[Field, ...]:
    verdicts = (Option(YES, "Accept"), Option(NO, "Reject"))
    sets = view.extra.get("sets", ())
    decisions = (
        Field(name=f"set_{number}", label=f"Set {number}", kind="choice", options=verdicts, criterion="accepted")
        for number, _ in enumerate(sets, start=1)
    )
    return (*decisions, replace(READINGS, label="Your own set, if you accept none"))


def _check(view: View, answers: Answers) -> list[Problem]:
    is_accepted = any(answers.get(field.name) == YES for field in _fields(view) if field.kind == "choice")
    if is_accepted and answers.get("readings"):
        return [Problem("readings", "You accept a set: leave your own empty, or reject the sets.")]
    if is_accepted:
        return []
    return check_readings(view, answers)


def validation_items(before: Earlier) -> Iterator[Item]:
    """The questions on which generators differ, with their sets and what they read; equal sets need no validator."""
    by_item: dict[int, list[Collected]] = defaultdict(list)
    for one in before.collected:
        by_item[one.placed.number].append(one)
    find = Lexical(library.open_corpora([before.corpus])).retrieve if before.corpus else None
    for number, found in by_item.items():
        sets = [readings_in(one.answers.get(READINGS.name, [])) for one in found]
        if len(sets) > 1 and not are_equal(sets):
            yield replace(found[0].placed.item, extra={"sets": sets, **_read(before.viewed.get(number, {}), find)})


def are_equal(sets: list[list[dict[str, Any]]]) -> bool:
    """Whether all generators found exactly the same answers, whatever the wording of the questions."""
    found = [sorted(sorted({normalize_answer(one) for one in row["answers"]}) for row in readings) for readings in sets]
    return all(one == found[0] for one in found)


def _read(titles: Mapping[str, str], find: Callable[..., list[Evidence]] | None) -> dict[str, Any]:
    """What the generators read: the titles, and the passages as far as the corpus still has them."""
    passages: dict[str, Passage] = {}
    for id, title in titles.items():
        # By title and then by id: a corpus that was brought up to date may have cut the article elsewhere.
        found = find(title, k=_SEARCHED) if find and title else []
        passages |= {one.passage.id: one.passage for one in found if one.passage.id == id}
    texts = [{"title": one.title, "text": one.text} for one in passages.values()]
    return {"viewed": list(dict.fromkeys(titles[id] for id in titles if id not in passages)), "passages": texts}
