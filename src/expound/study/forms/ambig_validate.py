"""AmbigQA, second stage (Min et al. 2020, 3): accept or reject each worker's readings, or put a new set together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from expound.study.forms.ambig_generate import READINGS, check_readings
from expound.study.forms.form import NO, YES, Answers, Field, Form, Option, Problem
from expound.study.items import View

OPTIONS: Mapping[str, object] = {}

_INSTRUCTIONS = """\
You will see a question and the sets of answers that others wrote to it, with the passages that they read. Accept \
every set that is right and complete, and reject the others. If none is, put a correct set together from theirs: \
write it below. You may search as they did."""


def form(_options: Mapping[str, object]) -> Form:
    return Form(
        name="ambig-validate",
        title="Check answers",
        makes="generated",
        layout="validate",
        instructions=_INSTRUCTIONS,
        fields=_fields,
        check=_check,
    )


def _fields(view: View) -> tuple[Field, ...]:
    verdicts = (Option(YES, "Accept"), Option(NO, "Reject"))
    sets = view.extra.get("sets", ())
    decisions = (
        Field(f"set_{number}", f"Set {number}", "choice", verdicts, criterion="accepted")
        for number, _ in enumerate(sets, start=1)
    )
    return (*decisions, replace(READINGS, label="Your own set, if you accept none"))


def _check(view: View, answers: Answers) -> list[Problem]:
    is_accepted = any(answers.get(field.name) == YES for field in _fields(view) if field.kind == "choice")
    if is_accepted and answers.get("readings"):
        return [Problem("readings", "You accept a set: leave your own empty, or reject the sets.")]
    if is_accepted:
        return []
    return check_readings(view, answers)
