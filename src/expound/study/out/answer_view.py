"""A rater's answers to read: what was shown, and what was said to it in the words of the form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from expound.study.design.collected import Collected
from expound.study.design.form import Field
from expound.study.design.items import in_order
from expound.study.engine.opened import Study
from expound.study.forms.posted import COMMENT


@dataclass(frozen=True)
class ShownAnswers:
    """One version of a rater's answers beside what the rater saw, left to right."""

    assignment: int
    question: str
    kind: str
    version: int
    seconds: float
    texts: tuple[str, ...]
    systems: tuple[str, ...]
    said: tuple[tuple[str, str], ...]


def answers_to_show(study: Study, one: Collected) -> ShownAnswers:
    """The answers with everything that a researcher needs to understand them."""
    view = study.view(one.placed)
    return ShownAnswers(
        assignment=one.assignment,
        question=view.question,
        kind=one.placed.item.kind,
        version=one.version,
        seconds=one.seconds,
        texts=view.texts,
        systems=tuple(candidate.system for candidate in in_order(one.placed.item.candidates, one.placed.shown)),
        said=tuple(_said(study.form.fields(view), one.answers)),
    )


def in_words(field: Field, value: Any) -> str:
    """What was filled in as the page says it: labels in place of values, one line for each part."""
    labels = {option.value: option.label for option in field.options}
    if isinstance(value, list):
        return "\n".join(" · ".join(map(str, one.values())) if isinstance(one, dict) else labels.get(one, str(one))
                         for one in value)  # fmt: skip
    return labels.get(value, str(value))


def _said(fields: Any, answers: Any) -> Iterator[tuple[str, str]]:
    for field in fields:
        if field.name in answers:
            yield field.label, in_words(field, answers[field.name])
    if COMMENT in answers:
        yield "Comment", str(answers[COMMENT])
