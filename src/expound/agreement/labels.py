"""Judgments as tables: what each rater said about each unit, and how many said what.

A unit is what can be judged once by each rater: two answers of an item, one answer of it, or one box of an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from expound.errors import UserError
from expound.types import Judgment

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

Unit: TypeAlias = tuple[Hashable, ...]
Labels: TypeAlias = dict[Unit, dict[str, Any]]

_OTHER = {"a": "b", "b": "a", "ab": "ba", "ba": "ab"}


def flip(judgment: Judgment) -> Judgment:
    """The same judgment with a and b exchanged."""
    choice = judgment.choice and _OTHER.get(judgment.choice, judgment.choice)
    return replace(judgment, a=judgment.b, b=judgment.a, choice=choice, shown=_OTHER[judgment.shown])


def in_order(judgments: Iterable[Judgment], systems: Sequence[str]) -> list[Judgment]:
    """Every judgment so that `a` is the system that comes first in the list."""
    place = {system: number for number, system in enumerate(systems)}
    # A judgment of one answer has no second system.
    return [flip(one) if one.b and place[one.b] < place[one.a] else one for one in judgments]


def system_order(judgments: Iterable[Judgment], first: Sequence[str] = ()) -> list[str]:
    """All systems that are judged: the given ones, then the others by name."""
    found = {system for one in judgments for system in (one.a, one.b) if system}
    return [*(system for system in first if system in found), *sorted(found - set(first))]


def choice_labels(judgments: Iterable[Judgment]) -> Labels:
    """`a`, `b` or `tie` by unit and rater; what is `a` in a unit is what its first judgment calls so."""
    first: dict[Unit, str] = {}

    def labels(one: Judgment) -> Iterator[tuple[Unit, Any]]:
        unit = (one.item, *sorted((one.a, one.b)))
        # Raters may have seen the pair in either order.
        yield unit, (one if first.setdefault(unit, one.a) == one.a else flip(one)).choice

    return _table((one for one in judgments if one.choice is not None), labels)


def value_labels(judgments: Iterable[Judgment]) -> Labels:
    """Values by unit and rater; each box of a list of yes and no is a unit of its own, other lists are left out."""

    def labels(one: Judgment) -> Iterator[tuple[Unit, Any]]:
        if is_boxes(one.value):
            yield from (((one.item, one.a, place), box) for place, box in enumerate(one.value))
        elif isinstance(one.value, str | int | float):
            # Lists of short answers are compared by their F1, not as labels.
            yield (one.item, one.a), one.value

    return _table((one for one in judgments if one.value is not None), labels)


def is_boxes(value: Any) -> bool:
    """Whether a value is a list of boxes, each ticked or not."""
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(box, bool) for box in value)


def categories_of(labels: Labels) -> list[Any]:
    """What was said anywhere, in order: numbers by size, then the rest by name."""
    found = {label for said in labels.values() for label in said.values()}
    # Numbers and texts cannot be compared with each other.
    return sorted(found, key=lambda label: (isinstance(label, str), label))


def counts_of(labels: Labels, categories: Sequence[Any]) -> Numbers:
    """A row for each unit that two or more raters judged: how many chose each category."""
    import numpy as np

    place = {label: number for number, label in enumerate(categories)}
    # A single voice agrees with nobody.
    shared = [said for said in labels.values() if len(said) > 1]
    counts = np.zeros((len(shared), len(categories)))
    for row, said in enumerate(shared):
        for label in said.values():
            counts[row, place[label]] += 1
    return counts


def majority(said: Mapping[str, Any]) -> Any:
    """What most raters said; None where two labels have as many, or nobody said anything."""
    ranked = Counter(said.values()).most_common(2)
    is_open = not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1])
    return None if is_open else ranked[0][0]


def _table(judgments: Iterable[Judgment], labels: Callable[[Judgment], Iterator[tuple[Unit, Any]]]) -> Labels:
    table: Labels = {}
    for one in judgments:
        for unit, label in labels(one):
            # By one criterion: a rater who counts twice agrees with nobody else.
            if one.rater in table.setdefault(unit, {}):
                raise UserError(f"{one.rater} judged {one.item!r} twice by {one.criterion!r}; keep one of the two")
            table[unit][one.rater] = label
    return table
