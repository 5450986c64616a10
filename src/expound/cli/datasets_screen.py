"""Datasets in words and numbers, for people and for programs."""

from __future__ import annotations

import inspect
import random
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any, TypeAlias

from expound import plugins
from expound.cli import screen
from expound.cli.screen import TableFormat
from expound.datasets.imported import Imported, imported_datasets
from expound.datasets.spec import PREFERENCES, QUESTIONS, kind_of, open_dataset, open_preferences, split_spec
from expound.datasets.stats import Statistic
from expound.records import passage_record
from expound.types import Interpretation, Preference, Question

Record: TypeAlias = Question | Preference

_HOLDS = {QUESTIONS: "questions", PREFERENCES: "judgments"}
_WIDTH = 96  # of a line of the example, so that it stays one on most screens
_LONGEST = 400  # of an answer in a sample: four lines or so, enough to judge it by
_SHOWN = 3  # passages of a question: the first mostly say what the others do
_PARTS = ("references", "interpretations", "annotations", "evidence")


def print_list(*, as_json: bool) -> None:
    """The layouts with what they hold, then what was imported."""
    known = [
        {"layout": name, "holds": _HOLDS[kind], "what": _about(kind, name)}
        for kind in _HOLDS
        for name in plugins.names(kind)
    ]
    imported = [asdict(item) for item in imported_datasets()]

    def page() -> None:
        screen.print_records(known)
        screen.line("")
        if imported:
            shown = [item | {"sha256": item["sha256"][:12]} for item in imported]
            screen.print_records(shown, ("name", "layout", "records", "sha256"))
        else:
            screen.line("nothing imported yet: expound datasets import LAYOUT:PATH")

    screen.print_result({"layouts": known, "imported": imported}, page, as_json=as_json)


def read(spec: str) -> list[Record]:
    """All questions, or all judgments, of a spec."""
    if kind_of(split_spec(spec)[0]) == PREFERENCES:
        return list(open_preferences(spec))
    return list(open_dataset(spec))


def measure(spec: str) -> list[Statistic]:
    """The statistics of a spec."""
    from expound.recipes.dataset_stats import preference_statistics, question_statistics

    records = read(spec)
    questions = [item for item in records if isinstance(item, Question)]
    if questions:
        return question_statistics(questions)
    return preference_statistics([item for item in records if isinstance(item, Preference)])


def describe(spec: str) -> dict[str, Any]:
    """Counts, fields and the first record of a spec."""
    records = read(spec)
    questions = [item for item in records if isinstance(item, Question)]
    preferences = [item for item in records if isinstance(item, Preference)]
    layout, path = split_spec(spec)
    return {
        "layout": layout,
        "path": path,
        **(_question_counts(questions) if questions else _preference_counts(preferences)),
        "example": record_of(records[0]),
    }


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


def draw(spec: str, number: int, seed: int) -> list[Record]:
    """So many records at random, in the order of the file; all of them if there are no more."""
    records = read(spec)
    chosen = random.Random(seed).sample(range(len(records)), min(number, len(records)))
    return [records[place] for place in sorted(chosen)]


def print_records(records: Sequence[Record]) -> None:
    """Each record as a short paragraph."""
    for number, record in enumerate(records):
        if number:
            screen.line("")
        for line in _question_lines(record) if isinstance(record, Question) else _preference_lines(record):
            screen.line(line)


def record_of(record: Record) -> dict[str, Any]:
    """A question as a line of the layout `qa`, or a judgment with its question."""
    if isinstance(record, Preference):
        return {**asdict(record), "question": record_of(record.question)}
    full = {
        "id": record.id,
        "question": record.text,
        "references": list(record.references),
        "interpretations": _readings(record.interpretations),
        "annotations": [_readings(readings) for readings in record.annotations],
        "evidence": [passage_record(passage) for passage in record.evidence],
        "meta": dict(record.meta),
    }
    return {name: value for name, value in full.items() if value}


def _readings(readings: Sequence[Interpretation]) -> list[dict[str, Any]]:
    return [{"question": reading.question, "answers": list(reading.answers)} for reading in readings]


def _about(kind: str, name: str) -> str:
    """The first line of a layout's module: what the dataset is."""
    module = inspect.getmodule(plugins.load(kind, name))
    return (inspect.getdoc(module) or "").partition("\n")[0].rstrip(".")


def _question_counts(questions: Sequence[Question]) -> dict[str, Any]:
    counts = {part: [len(getattr(question, part)) for question in questions] for part in _PARTS}
    meta = Counter(name for question in questions for name in question.meta)
    parts = {
        part: {"questions": sum(map(bool, found)), "per_question": fmean(found)}
        for part, found in counts.items()
        if any(found)
    }
    return {"questions": len(questions), "fields": parts, "meta": dict(meta)}


def _preference_counts(preferences: Sequence[Preference]) -> dict[str, Any]:
    return {
        "judgments": len(preferences),
        "questions": len({preference.question.id for preference in preferences}),
        "raters": len({preference.rater for preference in preferences if preference.rater}),
        **{
            name: dict(Counter(str(getattr(preference, attribute)) for preference in preferences))
            for name, attribute in (("criteria", "criterion"), ("choices", "choice"), ("domains", "domain"))
        },
    }


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
