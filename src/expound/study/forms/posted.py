"""From what the browser sent to answers: only fields of the form, only values that it offers, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from expound.study.design.form import TEXT_LIMIT, Answers, Field, Form, Problem
from expound.study.design.items import View

COMMENT = "comment"
# More lines than any question has answers; a posted list without end stops here.
ROWS_LIMIT = 60

Sent = Mapping[str, Sequence[str]]
"""Every name with all its values, as forms are posted."""


def read_answers(form: Form, view: View, sent: Sent) -> dict[str, Any]:
    """The answers among what was sent; what the form does not offer is dropped. Drafts may be incomplete."""
    answers = {field.name: _READERS[field.kind](field, sent) for field in form.fields(view)}
    if form.has_comment:
        answers[COMMENT] = _text(sent, COMMENT)
    return {name: value for name, value in answers.items() if value}


def problems_of(form: Form, view: View, answers: Answers) -> list[Problem]:
    """What keeps the answers from being taken, errors first."""
    found = [problem for field in form.fields(view) for problem in _check(field, answers, view)]
    found += form.check(view, answers)
    return sorted(found, key=lambda problem: problem.is_warning)


def _check(field: Field, answers: Answers, view: View) -> list[Problem]:
    if field.required and not answers.get(field.name):
        return [Problem(field.name, f"Please answer: {field.label}")]
    if field.kind == "spans":
        return [
            Problem(field.name, f"“{span['quote'][:60]}” is not in the answer: copy the words as they stand there")
            for span in answers.get(field.name, ())
            if not any(span["quote"] in text for text in view.texts)
        ]
    return []


def _read_choice(field: Field, sent: Sent) -> str:
    value = _text(sent, field.name)
    return value if value in field.values else ""


def _read_checks(field: Field, sent: Sent) -> list[str]:
    chosen = set(sent.get(field.name, ()))
    return [value for value in field.values if value in chosen]


def _read_text(field: Field, sent: Sent) -> str:
    return _text(sent, field.name)


def _read_spans(field: Field, sent: Sent) -> list[dict[str, str]]:
    """Lines of `label: quotation`; a line without a known label belongs to no span and is dropped."""
    lines = (line.partition(":") for line in _text(sent, field.name).splitlines())
    labels = {option.label.lower(): option.value for option in field.options} | {one: one for one in field.values}
    spans = ((labels.get(label.strip().lower(), ""), quote.strip()) for label, _, quote in lines)
    return [{"label": label, "quote": quote} for label, quote in spans if label and quote][:ROWS_LIMIT]


def _read_rows(field: Field, sent: Sent) -> list[dict[str, str]]:
    """A table, sent as one list of values for each column; rows with nothing in them are dropped."""
    columns = {column.value: [_clean(value) for value in sent.get(f"{field.name}.{column.value}", ())]
               for column in field.columns}  # fmt: skip
    length = min(max((len(values) for values in columns.values()), default=0), ROWS_LIMIT)
    rows = ({name: values[i] if i < len(values) else "" for name, values in columns.items()} for i in range(length))
    return [row for row in rows if any(row.values())]


def _text(sent: Sent, name: str) -> str:
    return _clean((*sent.get(name, ()), "")[0])


def _clean(value: str) -> str:
    """Without NUL, which PostgreSQL refuses, and with one kind of line end."""
    return value.replace("\x00", "").replace("\r\n", "\n").strip()[:TEXT_LIMIT]


_READERS = {
    "side": _read_choice,
    "choice": _read_choice,
    "checks": _read_checks,
    "text": _read_text,
    "spans": _read_spans,
    "rows": _read_rows,
}
