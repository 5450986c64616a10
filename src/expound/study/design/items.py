"""The items of a study as record lines, and what of an item a rater may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from expound.datasets.fields import identifier, text
from expound.errors import BadInput, BadRecord
from expound.records import interpretation_from, interpretation_record, question_id, read_lines
from expound.types import Interpretation

KINDS = ("main", "training", "exam", "gold", "attention")
"""Training shows feedback, exams qualify, gold and attention items check along the way; only main items are data."""

AS_WRITTEN = ("training", "attention")
"""Their texts speak of “Answer A” as the rater sees it, so their sides stand as they are listed."""

ORDERS = ("ab", "ba")
# What a record that is not an item can raise while it is read: people write these files by hand.
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True)
class SystemAnswer:
    """An answer and who wrote it. The writer is known to the server alone."""

    system: str
    text: str


@dataclass(frozen=True)
class ShownPassage:
    """A passage that is shown beside the answers."""

    title: str
    text: str


@dataclass(frozen=True)
class Item:
    """One thing to judge. `expected` says what items that check a rater should get, see `expected.py`.

    `references` are for metrics that are held against the judgments later; no rater sees them.
    """

    id: str
    question_id: str
    question: str
    kind: str = "main"
    domain: str = ""
    candidates: tuple[SystemAnswer, ...] = ()
    interpretations: tuple[Interpretation, ...] = ()
    references: tuple[str, ...] = ()
    evidence: tuple[ShownPassage, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    expected: Mapping[str, Any] = field(default_factory=dict)
    feedback: str = ""


@dataclass(frozen=True)
class Placed:
    """An item as it stands in the study: its number and the order of its sides."""

    number: int
    item: Item
    shown: str


@dataclass(frozen=True)
class View:
    """What a rater sees of an item: texts in the order of the screen, and no name of a system anywhere."""

    question: str
    texts: tuple[str, ...] = ()
    interpretations: tuple[Interpretation, ...] = ()
    evidence: tuple[ShownPassage, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def view_of(item: Item, shown: str, *, evidence: bool = True) -> View:
    """The item as it is shown in that order of sides."""
    return View(
        question=item.question,
        texts=tuple(candidate.text for candidate in in_order(item.candidates, shown)),
        interpretations=tuple(_readable(reading) for reading in item.interpretations),
        evidence=item.evidence if evidence else (),
        extra=item.extra,
    )


def _readable(reading: Interpretation) -> Interpretation:
    """AmbigNQ, and ASQA after it, writes the wordings of a reading's question as `one?|another?`."""
    return replace(reading, question=" / ".join(part.strip() for part in reading.question.split("|")))


def in_order(candidates: Sequence[SystemAnswer], shown: str) -> tuple[SystemAnswer, ...]:
    """The candidates from left to right."""
    # More than two answers are turned round as a whole: raters see a list from either end.
    return tuple(candidates) if shown == "ab" else tuple(reversed(candidates))


def side_to_letter(side: str, shown: str) -> str:
    """`left` or `right` of the screen as `a` or `b` of the item; anything else, such as a tie, stays."""
    # Kept by answer and not by side: exports must not depend on who stood where.
    return {"left": shown[0], "right": shown[1]}.get(side, side)


# -- records


def item_record(item: Item) -> dict[str, Any]:
    """The item as a line of the items file; what is empty is left out."""
    record = {
        "id": item.id,
        "question_id": item.question_id,
        "kind": item.kind,
        "domain": item.domain,
        "question": item.question,
        "candidates": [{"system": one.system, "text": one.text} for one in item.candidates],
        "interpretations": [interpretation_record(reading) for reading in item.interpretations],
        "references": list(item.references),
        "evidence": [{"title": one.title, "text": one.text} for one in item.evidence],
        "extra": dict(item.extra),
        "expected": dict(item.expected),
        "feedback": item.feedback,
    }
    return {name: value for name, value in record.items() if value}


def item_from(record: Mapping[str, Any]) -> Item:
    """An item from its record; a missing or ill-typed field is a KeyError, TypeError or ValueError."""
    kind = str(record.get("kind", "main"))
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, found {kind!r:.40}")
    # Without the right answer a check checks nothing.
    if kind in ("exam", "gold", "attention") and not record.get("expected"):
        raise ValueError(f"an item of the kind {kind} needs 'expected', the right answers")
    return Item(
        id=identifier(record["id"]),
        question_id=str(record.get("question_id") or _question_id(record)),
        question=text(record.get("question", "")),
        kind=kind,
        domain=str(record.get("domain", "")),
        candidates=tuple(
            SystemAnswer(str(one.get("system", "")), str(one["text"])) for one in _list(record, "candidates")
        ),
        interpretations=tuple(interpretation_from(one) for one in _list(record, "interpretations")),
        references=tuple(text(one) for one in _list(record, "references")),
        evidence=tuple(ShownPassage(str(one.get("title", "")), str(one["text"])) for one in _list(record, "evidence")),
        extra=dict(record.get("extra", {})),
        expected=dict(record.get("expected", {})),
        feedback=str(record.get("feedback", "")),
    )


def _question_id(record: Mapping[str, Any]) -> str:
    """Items of one's own that ask the same are of one question."""
    asked = str(record.get("question", ""))
    return question_id(asked) if asked else str(record["id"])


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name, [])
    if not isinstance(value, list):
        raise TypeError(f"{name!r} must be a list, found {value!r:.40}")
    return value


def read_items(path: Path, *, kind: str = "") -> list[Item]:
    """The items of a file, all of that kind if one is given; a bad line is named."""
    items = []
    for number, record in read_lines(path):
        try:
            items.append(item_from({**record, "kind": kind} if kind else record))
        except _MALFORMED as error:
            reason = f"no {error.args[0]!r}" if isinstance(error, KeyError) else error
            raise BadRecord(f"{path}, line {number}: not an item of a study ({reason})") from error
    if not items:
        raise BadInput(f"{path} has no items")
    check_unique(items, str(path))
    return items


def check_unique(items: Iterable[Item], where: str) -> None:
    """Refuse two items of one id: their judgments could not be told apart."""
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise BadInput(f"{where}: two items have the id {item.id!r}; give each its own")
        seen.add(item.id)
