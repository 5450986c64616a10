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
        fields = study.form.fields(study.view(placed))
        for field in sorted(fields, key=lambda field: field.kind != "side"):
            for found in _judged(placed, field, answers.get(field.name)):
                yield Judgment(**{**_shared(study, placed, row), **found}, comment=comment)
                comment = ""


def answer_records(study: Study) -> Iterator[dict[str, Any]]:
    """Everything that was filled in, field by field as it was shown, with the systems from left to right."""
    for placed, row in latest_answers(study):
        systems = [candidate.system for candidate in in_order(placed.item.candidates, placed.shown)]
        content = {"question": placed.item.question, "systems": systems, "answers": json.loads(row.answers)}
        yield {**_shared(study, placed, row), "assignment": row.assignment, **content}


def latest_answers(study: Study) -> Iterator[tuple[Placed, Any]]:
    """The answers that count, by item and rater."""
    newest = sa.select(sa.func.max(submissions.c.id)).group_by(submissions.c.assignment)
    query = (
        sa.select(submissions, assignments.c.rater, assignments.c.item)
        .join(assignments, assignments.c.id == submissions.c.assignment)
        .where(submissions.c.id.in_(newest))
        .order_by(assignments.c.item, assignments.c.rater)
    )
    with study.store.reading() as connection:
        rows = list(connection.execute(query))
    for row in rows:
        placed = study.items[row.item]
        if placed.item.kind == MAIN:
            yield placed, row


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
    """The judgments in one field: sides as a and b, values about the system that wrote the answer."""
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
        case "checks" | "spans":
            chosen = [one["label"] for one in value or ()] if field.kind == "spans" else value or ()
            for option in field.options:
                name = f"{field.name}: {option.value}"
                yield {**_about(placed, field), "criterion": name, "value": option.value in chosen}
        case "rows" if field.name == READINGS.name:
            yield {**_about(placed, field), "value": readings_in(value) if value else None}


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
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")):
        return f"'{value}"
    return "" if value is None else value
