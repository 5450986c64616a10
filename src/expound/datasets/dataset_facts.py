"""Datasets looked into: what layouts there are, what a dataset holds, some of its records."""

from __future__ import annotations

import inspect
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any, TypeAlias

from expound import plugins
from expound.datasets.spec import PREFERENCES, QUESTIONS, kind_of, open_dataset, open_preferences, split_spec
from expound.records import passage_record
from expound.types import Interpretation, Preference, Question

Record: TypeAlias = Question | Preference

_HOLDS = {QUESTIONS: "questions", PREFERENCES: "judgments"}
_PARTS = ("references", "interpretations", "annotations", "evidence")


def describe_layouts() -> list[dict[str, str]]:
    """Every layout that can be read, with what it holds."""
    return [
        {"layout": name, "holds": _HOLDS[kind], "what": _about(kind, name)}
        for kind in _HOLDS
        for name in plugins.names(kind)
    ]


def read_dataset(spec: str) -> list[Record]:
    """All questions, or all judgments, of a spec."""
    if kind_of(split_spec(spec)[0]) == PREFERENCES:
        return list(open_preferences(spec))
    return list(open_dataset(spec))


def describe_dataset(spec: str) -> dict[str, Any]:
    """Counts, fields and the first record of a spec."""
    records = read_dataset(spec)
    questions = [item for item in records if isinstance(item, Question)]
    preferences = [item for item in records if isinstance(item, Preference)]
    layout, path = split_spec(spec)
    return {
        "layout": layout,
        "path": path,
        **(_question_counts(questions) if questions else _preference_counts(preferences)),
        "example": dataset_record(records[0]),
    }


def sample_dataset(spec: str, number: int = 5, *, seed: int = 0) -> list[Record]:
    """So many records at random, in the order of the file; all of them if there are no more."""
    records = read_dataset(spec)
    chosen = random.Random(seed).sample(range(len(records)), min(number, len(records)))
    return [records[place] for place in sorted(chosen)]


def dataset_record(record: Record) -> dict[str, Any]:
    """A question as a line of the layout `qa`, or a judgment with its question."""
    if isinstance(record, Preference):
        return {**asdict(record), "question": dataset_record(record.question)}
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


def _about(kind: str, name: str) -> str:
    """The first line of a layout's module: what the dataset is."""
    module = inspect.getmodule(plugins.load(kind, name))
    return (inspect.getdoc(module) or "").partition("\n")[0].rstrip(".")


def _readings(readings: Sequence[Interpretation]) -> list[dict[str, Any]]:
    return [{"question": reading.question, "answers": list(reading.answers)} for reading in readings]


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
