"""From answers to judgments: one for each criterion, about systems by name; raters are numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from expound.study.design.collected import Collected
from expound.study.design.form import LEFT, NO, YES, Field
from expound.study.design.items import Placed, in_order, side_to_letter
from expound.study.design.marked_words import locate_marks, marked_tokens, tokens_of
from expound.study.engine.opened import Study
from expound.study.engine.sent_answers import latest_answers
from expound.study.forms.posted import COMMENT
from expound.types import Judgment


def judgments_of(study: Study) -> Iterator[Judgment]:
    """One judgment for each criterion: the latest version of each answer, main items only.

    The comment is about the whole answer and stands once, with the first criterion.
    """
    for one in latest_answers(study):
        yield from judgments_in(study, one)


def judgments_in(study: Study, one: Collected) -> Iterator[Judgment]:
    """The judgments in one rater's answers to an item."""
    comment = one.answers.get(study.form.comment_from or COMMENT, "")
    for found in _list_judged_fields(study, one):
        yield Judgment(**{**shared_fields(study, one), **found}, comment=comment)
        comment = ""


def _list_judged_fields(study: Study, one: Collected) -> Iterator[dict[str, Any]]:
    """What was said in every field, comparisons first; the text that is the comment of all stands there alone."""
    fields = [field for field in study.form.fields(study.view(one.placed)) if field.name != study.form.comment_from]
    # Comparisons first: the comment that stands with the first criterion belongs to the preference.
    for field in sorted(fields, key=lambda field: field.kind != "side"):
        yield from _judgments_in(one.placed, field, one.answers.get(field.name))
    if study.form.comment_from and one.answers.get(COMMENT):
        yield {"criterion": COMMENT, "value": {"text": one.answers[COMMENT]}}


def shared_fields(study: Study, one: Collected) -> dict[str, Any]:
    """What a judgment and a line of answers have in common: who said it, to what, when, and how it was shown."""
    item = one.placed.item
    return {
        "study": study.plan.name,
        "form": study.form.name,
        "item": item.id,
        "question_id": item.question_id,
        "rater": one.rater,
        "shown": one.placed.shown,
        "seconds": one.seconds,
        "domain": item.domain,
        "at": datetime.fromtimestamp(one.at, UTC).isoformat(timespec="seconds"),
        "worker": one.worker,
    }


def _judgments_in(placed: Placed, field: Field, value: Any) -> Iterator[dict[str, Any]]:
    """The judgments in one field: sides as a and b, values about the system that wrote the answer.

    What was written or marked is a mapping, which no analysis takes for a label.
    """
    match field.kind:
        case "side":
            a, b = (candidate.system for candidate in placed.item.candidates)
            # By answer and not by side, so that nobody has to know how it was shown.
            choice = side_to_letter(value, placed.shown) if value else None
            yield {"criterion": field.criterion or field.name, "a": a, "b": b, "choice": choice}
        case "choice":
            yield {**_about(placed, field), "value": _value(value) if value else None}
        # One value of all boxes, since they are about one system and were ticked together.
        case "checks" if field.about:
            boxes = [option.value in (value or ()) for option in field.options]
            yield {**_about(placed, field), "value": boxes or None}
        case "checks":
            yield from _boxes(placed, field, value or ())
        case "spans":
            yield from _boxes(placed, field, [span["label"] for span in value or ()])
            # The marked spans as well, for people to read: boxes say only which labels were used.
            yield {**_about(placed, field), "value": _marks(placed, value or ())}
        case _ if field.judged:
            yield {**_about(placed, field), "value": field.judged(value) if value else None}
        case _:
            yield {**_about(placed, field), "value": {field.kind: value} if value else None}


def _boxes(placed: Placed, field: Field, chosen: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yes or no for every option of a field."""
    for option in field.options:
        name = f"{field.name}: {option.value}"
        yield {**_about(placed, field), "criterion": name, "value": option.value in chosen}


def _marks(placed: Placed, spans: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What was marked, by system and offsets, and in which of how many words: agreement is counted in these."""
    shown = in_order(placed.item.candidates, placed.shown)
    tokens = {candidate.system: tokens_of(candidate.text) for candidate in shown}
    found = []
    for span in (locate_marks(one, [candidate.text for candidate in shown]) for one in spans):
        system = shown[span["place"]].system
        marked = marked_tokens(span, tokens[system])
        found.append({**{name: span[name] for name in ("label", "start", "end", "quote")}, "system": system,
                      "words": [marked[0], marked[-1] + 1] if marked else [0, 0]})  # fmt: skip
    return {"spans": found, "words": {system: len(each) for system, each in tokens.items()}}


def _about(placed: Placed, field: Field) -> dict[str, Any]:
    """The criterion and the system of a value; a field about one side is named without it."""
    shown = in_order(placed.item.candidates, placed.shown)
    if field.about:
        system = shown[int(field.about) if field.about.isdecimal() else 0 if field.about == LEFT else -1].system
        return {"criterion": field.name.removesuffix(f"_{field.about}"), "a": system}
    if field.criterion:  # each of these fields judges another part of the item
        return {"criterion": field.criterion, "item": f"{placed.item.id}/{field.name}"}
    # A value of a pair as a whole is about neither system.
    return {"criterion": field.name, "a": shown[0].system if len(shown) == 1 else ""}


def _value(value: str) -> bool | int | str:
    if value in (YES, NO):
        return value == YES
    # Numbers of a scale as numbers: alpha for ordinal values needs their distances.
    return int(value) if value.lstrip("-").isdecimal() else value
