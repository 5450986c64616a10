"""Judgments, answers and messages as lines of JSON, and the judgments as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

from expound.records import judgment_record
from expound.study.design.items import in_order
from expound.study.engine.correspondence import all_messages
from expound.study.engine.opened import Study
from expound.study.engine.sent_answers import all_answers
from expound.study.out.adjudicating import adjudicate
from expound.study.out.judgments import judgments_of, shared_fields
from expound.text.tables import as_csv
from expound.types import Judgment


def judgment_lines(study: Study) -> str:
    """Every judgment, as `agreement` reads them."""
    return _lines(judgment_record(judgment) for judgment in judgments_of(study))


def adjudicated_lines(study: Study) -> str:
    """One judgment for each item and criterion: the expert's, else the majority's."""
    return _lines(judgment_record(judgment) for judgment in adjudicate(study))


def judgment_table(study: Study) -> str:
    """The judgments as CSV."""
    records = [judgment_record(judgment) for judgment in judgments_of(study)]
    columns = [field.name for field in fields(Judgment)]
    return as_csv(columns, [[_cell(record[name]) for name in columns] for record in records])


def answer_lines(study: Study) -> str:
    """Everything that was sent."""
    return _lines(answer_records(study))


def answer_records(study: Study) -> Iterator[dict[str, Any]]:
    """Everything that was sent, every version of it, field by field as it was shown, systems from left to right."""
    for one in all_answers(study):
        item = one.placed.item
        systems = [candidate.system for candidate in in_order(item.candidates, one.placed.shown)]
        which = {"kind": item.kind, "version": one.version, "assignment": one.assignment}
        content = {"question": item.question, "systems": systems, "answers": one.answers}
        yield {**shared_fields(study, one), **which, **content}


def message_lines(study: Study) -> str:
    """All that raters asked and researchers replied, in the order in which it was said."""
    with study.store.reading() as connection:
        # In the order in which it was said, where the page puts open questions first.
        found = sorted(all_messages(study, connection), key=lambda message: message.id)
    return _lines({"study": study.plan.name, **asdict(message)} for message in found)


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _cell(value: Any) -> Any:
    """A value in a table: what holds several is JSON."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else value
