"""The queue of disagreements, and one judgment for each item: the expert's where there is one, else the majority's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from expound.agreement.disagreement import Disagreement, disagreements
from expound.agreement.labels import majority
from expound.study.engine.decisions import extra_raters, latest_decisions
from expound.study.engine.opened import Study
from expound.study.out.judgments import judgments_in, judgments_of
from expound.types import Judgment

MAJORITY = "majority"


@dataclass(frozen=True)
class Contested:
    """An item on which raters differ: by which criteria, who said what, and what is being done about it."""

    number: int
    item: str
    question: str
    found: tuple[tuple[str, Disagreement], ...]
    more_raters: int
    is_decided: bool


def contested_items(study: Study) -> list[Contested]:
    """The items on which raters differ, undecided ones first, then those with the least agreement."""
    by_item: dict[str, list[tuple[str, Disagreement]]] = {}
    for criterion, group in _by_criterion(study).items():
        for one in disagreements(group):
            # A part of an item that is judged by itself is named after it.
            by_item.setdefault(one.item.partition("/")[0], []).append((criterion, one))
    with study.store.reading() as connection:
        more = extra_raters(connection)
    decided = latest_decisions(study)
    found = [
        Contested(
            number=placed.number,
            item=placed.item.id,
            question=placed.item.question,
            found=tuple(by_item[placed.item.id]),
            more_raters=more.get(placed.number, 0),
            is_decided=placed.number in decided,
        )
        for placed in study.items.values()
        if placed.item.id in by_item
    ]
    return sorted(found, key=lambda one: (one.is_decided, min(each.agreeing for _, each in one.found)))


def adjudicate(study: Study) -> Iterator[Judgment]:
    """One judgment for each item and criterion; where raters are split and nobody decided it is left out."""
    decided = latest_decisions(study)
    settled = {placed.item.id for number, placed in study.items.items() if number in decided}
    for one in decided.values():
        yield from judgments_in(study, one)
    for group in _by_criterion(study).values():
        units: dict[tuple[str, ...], list[Judgment]] = {}
        for judgment in group:
            # Where an expert has spoken, no majority is asked: the decision is of the whole item, with all its parts.
            if judgment.item.partition("/")[0] not in settled:
                units.setdefault((judgment.item, judgment.a, judgment.b), []).append(judgment)
        for same in units.values():
            yield from _list_votes(same)


def _list_votes(group: list[Judgment]) -> Iterator[Judgment]:
    said = {one.rater: one.choice or one.value for one in group}
    label = majority(said)
    # One of those who said so lends the rest of the record: question, systems and order are the same in all.
    chosen = next((one for one in group if (one.choice or one.value) == label), None)
    if label is not None and chosen is not None:
        yield replace(chosen, rater=MAJORITY, worker="", seconds=None, comment="")


def _by_criterion(study: Study) -> dict[str, list[Judgment]]:
    """What can be counted, by criterion; what was written or marked is there to be read."""
    groups: dict[str, list[Judgment]] = {}
    for one in judgments_of(study):
        if one.choice or isinstance(one.value, str | int | float | bool):
            groups.setdefault(one.criterion, []).append(one)
    return groups
