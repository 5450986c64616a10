"""What a form needs of its items, and what those with known answers expect.

`a` and `b` are the answers as listed, `left` and `right` the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from expound.errors import BadInput
from expound.study.design.form import LEFT, RIGHT, Field, Form
from expound.study.design.items import Item, Placed, view_of

_LETTERS = ("a", "b")
# By what a form is made of: the fewest and the most answers of an item. Eight fit on a page, and have letters.
_CANDIDATES = {"pairs": (2, 2), "answers": (1, 1), "sets": (2, 8)}


@dataclass(frozen=True)
class Expectation:
    """The values of a field that are right, as they are posted."""

    field: Field
    accepted: tuple[Any, ...]

    def is_met(self, answers: Mapping[str, Any]) -> bool:
        """Whether the answers hold one of them; boxes that were all left open are an answer too."""
        # A browser sends nothing for boxes that are all open.
        return answers.get(self.field.name, [] if self.field.kind == "checks" else None) in self.accepted


def expectations_of(form: Form, placed: Placed) -> Iterator[Expectation]:
    """What is expected of an item as it is shown."""
    fields = form.fields(view_of(placed.item, placed.shown))
    names = _names(fields, placed.shown)
    for name, expected in placed.item.expected.items():
        # What a form does not ask was refused when the study was opened; an older study may still have it.
        if name in names:
            yield Expectation(names[name], _list_accepted(names[name], expected, placed.shown))


def check_candidates(form: Form, items: Iterable[Item], where: str) -> None:
    """Refuse items that a form cannot show: raters would be asked to choose between answers that are not there."""
    # Items from a file may have as many answers as their form likes.
    fewest, most = _CANDIDATES.get(form.makes, (0, None))
    for item in items:
        count = len(item.candidates)
        if count < fewest or (most is not None and count > most):
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            has = f"the item {item.id!r:.40} has {count} candidate{'s' * (count != 1)}"
            raise BadInput(f"{where}: {has}, and the form {form.name} judges {wanted}")


def check_expected(form: Form, items: Iterable[Item], where: str) -> None:
    """Refuse what a form does not ask or offer: whoever answers could never be right."""
    for item in items:
        # In one order of sides: what is expected must be known whichever is drawn.
        names = _names(form.fields(view_of(item, "ab")), "ab")
        for name, expected in item.expected.items():
            what = f"{where}: item {item.id!r} expects something of {name!r}"
            if name not in names:
                raise BadInput(f"{what}, which {form.name} does not ask; it asks: {', '.join(names)}")
            _check_offered(names[name], expected, what)


def _check_offered(field: Field, expected: Any, what: str) -> None:
    offered = (*_LETTERS, *field.values) if field.kind == "side" else field.values
    unknown = [one for one in _list_values(expected) if offered and str(one) not in offered]
    if unknown:
        raise BadInput(f"{what} that it does not offer: {unknown[0]!r:.40}; it offers: {', '.join(offered)}")


def _names(fields: Sequence[Field], shown: str) -> dict[str, Field]:
    """The fields by name; one that is about a side can also be named by the answer that stands there."""
    names = {field.name: field for field in fields}
    for field in fields:
        if field.about in (LEFT, RIGHT) and field.name.endswith(f"_{field.about}"):
            # Expectations are written for the answers, and sides differ from rater to rater.
            letter = shown[0] if field.about == LEFT else shown[1]
            names[f"{field.name.removesuffix(field.about)}{letter}"] = field
    return names


def _list_accepted(field: Field, expected: Any, shown: str) -> tuple[Any, ...]:
    if field.kind == "checks":
        ticked = {str(one) for one in _list_values(expected)}
        # In the form's own order, as answers are kept.
        return ([value for value in field.values if value in ticked],)
    if field.kind in ("side", "choice"):
        sides = {shown[0]: LEFT, shown[1]: RIGHT} if field.kind == "side" else {}
        return tuple(sides.get(str(one), str(one)) for one in _list_values(expected))
    return (expected,)


def _list_values(expected: Any) -> list[Any]:
    """Several values mean that any of them is right, and for boxes that all of them are."""
    return expected if isinstance(expected, list) else [expected]
