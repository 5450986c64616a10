"""From what the browser sent to answers: only fields of the form, only values that it offers, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from expound.study.design.form import TEXT_LIMIT, Answers, Field, Form, Problem
from expound.study.design.items import View
from expound.study.design.marked_words import is_there, locate_marks, span_in

COMMENT = "comment"
# More lines than any question has answers; a posted list without end stops here.
ROWS_LIMIT = 60

Sent = Mapping[str, Sequence[str]]
"""Every name with all its values, as forms are posted."""


def read_answers(form: Form, view: View, sent: Sent) -> dict[str, Any]:
    """The answers among what was sent; what the form does not offer is dropped. Drafts may be incomplete."""
    fields = form.fields(view)
    answers: dict[str, Any] = {field.name: _READERS[field.kind](field, sent) for field in fields}
    for field in fields:
        if field.kind == "spans":
            answers[field.name] = [locate_marks(span, view.texts) for span in answers[field.name]]
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
            if not is_there(span, view.texts)
        ]
    return []


def _read_choice(field: Field, sent: Sent) -> str:
    value = _text(sent, field.name)
    return value if value in field.values else ""


def _read_checks(field: Field, sent: Sent) -> list[str]:
    # In the order of the form and not of the browser: equal answers must be equal lists.
    chosen = set(sent.get(field.name, ()))
    return [value for value in field.values if value in chosen]


def _read_text(field: Field, sent: Sent) -> str:
    return _text(sent, field.name)


def _read_spans(field: Field, sent: Sent) -> list[dict[str, Any]]:
    """Lines of JSON from the page, or of `label: quotation` from a sheet; a line without a known label is dropped."""
    labels = {name.lower(): option.value for option in field.options for name in (option.value, option.label)}
    lines = (span_in(line) for line in _text(sent, field.name).splitlines())
    spans = ({**span, "label": labels.get(str(span["label"]).strip().lower(), "")} for span in lines if span)
    return [span for span in spans if span["label"] and span["quote"]][:ROWS_LIMIT]


def _read_rows(field: Field, sent: Sent) -> list[dict[str, str]]:
    """A table, sent as one list of values for each column; rows with nothing in them are dropped."""
    columns = {column.value: [_clean(value) for value in sent.get(f"{field.name}.{column.value}", ())]
               for column in field.columns}  # fmt: skip
    # The longest column: a browser leaves out nothing, but a program may send a column that is too short.
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
