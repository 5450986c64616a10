"""What leaves a study: judgments, all answers as they were given, and a table; raters are numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from expound.records import judgment_record
from expound.study.assignment import MAIN
from expound.study.forms.ambig_generate import READINGS
from expound.study.forms.form import LEFT, NO, YES, Field
from expound.study.forms.reading import COMMENT
from expound.study.items import in_order, side_to_letter
from expound.study.opened import Placed, Study
from expound.study.raters import pseudonym
from expound.study.tables import assignments, submissions
from expound.text.tables import as_csv
from expound.types import Judgment


def judgments_of(study: Study) -> Iterator[Judgment]:
    """One judgment for each criterion: the latest version of each answer, main items only.

    The comment is about the whole answer and stands once, with the first criterion.
    """
    for placed, row in latest_answers(study):
        answers = json.loads(row.answers)
        comment = answers.get(study.form.comment_from or COMMENT, "")
        for found in _judged_fields(study, placed, answers):
            yield Judgment(**{**_shared(study, placed, row), **found}, comment=comment)
            comment = ""


def _judged_fields(study: Study, placed: Placed, answers: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What was said in every field, comparisons first; the text that is the comment of all stands there alone."""
    fields = [field for field in study.form.fields(study.view(placed)) if field.name != study.form.comment_from]
    for field in sorted(fields, key=lambda field: field.kind != "side"):
        yield from _judged(placed, field, answers.get(field.name))
    if study.form.comment_from and answers.get(COMMENT):
        yield {"criterion": COMMENT, "value": {"text": answers[COMMENT]}}


def answer_records(study: Study) -> Iterator[dict[str, Any]]:
    """Everything that was sent, every version of it, field by field as it was shown, systems from left to right."""
    for placed, row in all_answers(study):
        systems = [candidate.system for candidate in in_order(placed.item.candidates, placed.shown)]
        content = {"question": placed.item.question, "systems": systems, "answers": json.loads(row.answers)}
        which = {"kind": placed.item.kind, "version": row.version, "assignment": row.assignment}
        yield {**_shared(study, placed, row), **which, **content}


def latest_answers(study: Study) -> Iterator[tuple[Placed, Any]]:
    """The answers that count, by item and rater: the last version of each, main items only."""
    answers = list(all_answers(study))
    newest = {row.assignment: row.version for _, row in answers}
    for placed, row in answers:
        if placed.item.kind == MAIN and row.version == newest[row.assignment]:
            yield placed, row


def all_answers(study: Study) -> Iterator[tuple[Placed, Any]]:
    """Every version of every answer, by item, rater and version."""
    query = (
        sa.select(submissions, assignments.c.rater, assignments.c.item)
        .join(assignments, assignments.c.id == submissions.c.assignment)
        .order_by(assignments.c.item, assignments.c.rater, submissions.c.version)
    )
    with study.store.reading() as connection:
        rows = list(connection.execute(query))
    return ((study.items[row.item], row) for row in rows)


def _shared(study: Study, placed: Placed, row: Any) -> dict[str, Any]:
    return {
        "study": study.plan.name,
        "form": study.form.name,
        "item": placed.item.id,
        "question_id": placed.item.question_id,
        "rater": pseudonym(row.rater),
        "shown": placed.shown,
        "seconds": row.seconds,
        "domain": placed.item.domain,
        "at": datetime.fromtimestamp(row.at, UTC).isoformat(timespec="seconds"),
    }


def _judged(placed: Placed, field: Field, value: Any) -> Iterator[dict[str, Any]]:
    """The judgments in one field: sides as a and b, values about the system that wrote the answer.

    What was written or marked is a mapping, which no analysis takes for a label.
    """
    match field.kind:
        case "side":
            a, b = (candidate.system for candidate in placed.item.candidates)
            choice = side_to_letter(value, placed.shown) if value else None
            yield {"criterion": field.criterion or field.name, "a": a, "b": b, "choice": choice}
        case "choice":
            yield {**_about(placed, field), "value": _value(value) if value else None}
        case "checks" if field.about:
            boxes = [option.value in (value or ()) for option in field.options]
            yield {**_about(placed, field), "value": boxes or None}
        case "checks":
            yield from _boxes(placed, field, value or ())
        case "spans":
            yield from _boxes(placed, field, [span["label"] for span in value or ()])
            yield {**_about(placed, field), "value": {"spans": value or []}}
        case "rows" if field.name == READINGS.name:
            yield {**_about(placed, field), "value": readings_in(value) if value else None}
        case _:
            yield {**_about(placed, field), "value": {field.kind: value} if value else None}


def _boxes(placed: Placed, field: Field, chosen: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yes or no for every option of a field."""
    for option in field.options:
        name = f"{field.name}: {option.value}"
        yield {**_about(placed, field), "criterion": name, "value": option.value in chosen}


def _about(placed: Placed, field: Field) -> dict[str, Any]:
    """The criterion and the system of a value; a field about one side is named without it."""
    shown = in_order(placed.item.candidates, placed.shown)
    if field.about:
        system = shown[0 if field.about == LEFT else -1].system
        return {"criterion": field.name.removesuffix(f"_{field.about}"), "a": system}
    if field.criterion:  # each of these fields judges another part of the item
        return {"criterion": field.criterion, "item": f"{placed.item.id}/{field.name}"}
    return {"criterion": field.name, "a": shown[0].system if len(shown) == 1 else ""}


def _value(value: str) -> bool | int | str:
    if value in (YES, NO):
        return value == YES
    return int(value) if value.lstrip("-").isdecimal() else value


def readings_in(rows: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    """The readings that were written into a table: question and aliases."""
    return [
        {"question": row["question"], "answers": [line.strip() for line in row["answers"].splitlines() if line.strip()]}
        for row in rows
    ]


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def judgment_lines(study: Study) -> str:
    return _lines(judgment_record(judgment) for judgment in judgments_of(study))


def answer_lines(study: Study) -> str:
    return _lines(answer_records(study))


def judgment_table(study: Study) -> str:
    """The judgments as CSV."""
    records = [judgment_record(judgment) for judgment in judgments_of(study)]
    columns = list(judgment_record(Judgment("", "", "", "", "", "")))
    return as_csv(columns, [[_cell(record[name]) for name in columns] for record in records])


def _cell(value: Any) -> Any:
    """A value in a table; what a spreadsheet would take for a formula is marked as text."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")):
        return f"'{value}"
    return "" if value is None else value
