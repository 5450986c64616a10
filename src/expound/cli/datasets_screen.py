"""Datasets in words and numbers, for people and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from expound.cli import screen
from expound.cli.screen import TableFormat
from expound.datasets.dataset_facts import Record
from expound.datasets.imported import Imported
from expound.datasets.stats import Statistic
from expound.types import Preference, Question, Rating

_WIDTH = 96  # of a line of the example, so that it stays one on most screens
_LONGEST = 400  # of an answer in a sample: four lines or so, enough to judge it by
_SHOWN = 3  # passages of a question: the first mostly say what the others do


def print_list(known: Sequence[dict[str, str]], kept: Sequence[Imported], *, as_json: bool) -> None:
    """The layouts with what they hold, then what was imported."""
    imported = [asdict(item) for item in kept]

    def page() -> None:
        screen.print_records(known)
        screen.line("")
        if imported:
            shown = [item | {"sha256": item["sha256"][:12]} for item in imported]
            screen.print_records(shown, ("name", "layout", "records", "sha256"))
        else:
            screen.line("nothing imported yet: expound datasets import LAYOUT:PATH")

    screen.print_result({"layouts": known, "imported": imported}, page, as_json=as_json)


def print_description(description: dict[str, Any]) -> None:
    """One dataset, a line a fact."""
    facts = {name: _fact(value) for name, value in description.items() if name not in ("example", "fields")}
    screen.print_facts(facts)
    if "fields" in description:
        rows = [[name, item["questions"], item["per_question"]] for name, item in description["fields"].items()]
        screen.table(("field", "questions with it", "per question"), rows)
    screen.line("\nexample")
    for key, value in description["example"].items():
        screen.line("  " + textwrap.shorten(f"{key}: {value}", _WIDTH, placeholder=" …"))


def print_imported(found: Imported, *, is_new: bool, as_json: bool) -> None:
    """What an import did."""
    if as_json:
        screen.print_json({**asdict(found), "is_new": is_new})
    elif is_new:
        screen.line(f"{found.name}: {found.records:,} records of the layout {found.layout}, sha256 {found.sha256[:12]}")
    else:
        screen.line(f"{found.name} has this content already: {found.records:,} records of the layout {found.layout}")


def print_statistics(statistics: Sequence[Statistic], format: TableFormat) -> None:
    """A row a number."""
    rows = [[item.group, item.name, item.value, item.unit, item.n, item.source] for item in statistics]
    # On a screen the first two columns speak for themselves.
    names = ("", "") if format is TableFormat.text else ("group", "name")
    screen.print_table((*names, "value", "unit", "n", "in the paper as"), rows, format)


def print_records(records: Sequence[Record]) -> None:
    """Each record as a short paragraph."""
    for number, record in enumerate(records):
        if number:
            screen.line("")
        for line in _lines(record):
            screen.line(line)


def _lines(record: Record) -> list[str]:
    if isinstance(record, Question):
        return _question_lines(record)
    return _rating_lines(record) if isinstance(record, Rating) else _preference_lines(record)


def _rating_lines(rating: Rating) -> list[str]:
    answer = textwrap.shorten(rating.answer, 4 * _WIDTH, placeholder=" …")
    said = f"   {rating.criterion}: {rating.value}" + (f" ({rating.comment})" if rating.comment else "")
    return [f"{rating.id}  {rating.question.text}", f"   {rating.system}: {answer}", said]


def _fact(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name or '-'} {count:,}" for name, count in value.items())
    return f"{value:,}" if isinstance(value, int) else str(value)


def _question_lines(question: Question) -> list[str]:
    lines = [f"{question.id}  {question.text}"]
    for reading in question.interpretations:
        lines.append(f"reading: {reading.question} => {' | '.join(reading.answers)}")
    lines += [f"answer: {reference}" for reference in question.references]
    lines += [f"evidence: {passage.title}: {passage.text}" for passage in question.evidence[:_SHOWN]]
    return lines[:1] + ["  " + _short(line) for line in lines[1:]]


def _preference_lines(preference: Preference) -> list[str]:
    marks = {"a": ("*", " "), "b": (" ", "*"), "tie": ("=", "=")}[preference.choice]
    answers = ((marks[0], preference.a_system, preference.a), (marks[1], preference.b_system, preference.b))
    return [
        f"{preference.id}  {preference.question.text}",
        *(
            f" {mark} {system}: {textwrap.shorten(text, 4 * _WIDTH, placeholder=' …')}"
            for mark, system, text in answers
        ),
        *([f"   {preference.criterion}: {preference.comment}"] if preference.comment else []),
    ]


def _short(text: str) -> str:
    return textwrap.shorten(text, _LONGEST, placeholder=" …")
