"""Where raters differ: a list to read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from expound.types import Judgment


@dataclass(frozen=True, slots=True)
class Said:
    """What one rater said about an item, and why. Of a choice it is the system that was preferred, or `tie`."""

    rater: str
    label: Any
    comment: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item on which raters differ, with the share of their pairs that agree."""

    item: str
    question_id: str
    domain: str
    systems: tuple[str, ...]
    agreeing: float
    said: tuple[Said, ...]


def disagreements(judgments: Iterable[Judgment]) -> list[Disagreement]:
    """The items without one voice, by one criterion, those with the least agreement first."""
    groups: dict[tuple[str, ...], list[Judgment]] = defaultdict(list)
    for one in judgments:
        groups[one.item, *sorted((one.a, one.b))].append(one)
    # By what they print as: a label may be a list, which no set takes.
    found = [_disagreement(group) for group in groups.values() if len({repr(_label(one)) for one in group}) > 1]
    return sorted(found, key=lambda one: (one.agreeing, one.item))


def _disagreement(group: list[Judgment]) -> Disagreement:
    said = tuple(Said(one.rater, _label(one), one.comment) for one in sorted(group, key=lambda one: one.rater))
    # Ordered pairs of raters, as in the share below the line: both sides count each pair twice.
    same = sum(count * (count - 1) for count in Counter(repr(one.label) for one in said).values())
    systems = tuple(sorted({system for system in (group[0].a, group[0].b) if system}))
    agreeing = same / (len(said) * (len(said) - 1))
    return Disagreement(
        item=group[0].item,
        question_id=group[0].question_id,
        domain=group[0].domain,
        systems=systems,
        agreeing=agreeing,
        said=said,
    )


def _label(one: Judgment) -> Any:
    return {"a": one.a, "b": one.b, "tie": "tie", None: one.value}[one.choice]
