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
from expound.datasets.spec import PREFERENCES, QUESTIONS, RATINGS, kind_of, open_dataset, open_judged, split_spec
from expound.records import passage_record
from expound.types import Interpretation, Preference, Question, Rating

Record: TypeAlias = Question | Preference | Rating

_HOLDS = {QUESTIONS: "questions", PREFERENCES: "judgments", RATINGS: "judgments"}
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
    return list(open_dataset(spec) if kind_of(split_spec(spec)[0]) == QUESTIONS else open_judged(spec))


def describe_dataset(spec: str) -> dict[str, Any]:
    """Counts, fields and the first record of a spec."""
    records = read_dataset(spec)
    questions = [item for item in records if isinstance(item, Question)]
    judged = [item for item in records if not isinstance(item, Question)]
    layout, path = split_spec(spec)
    return {
        "layout": layout,
        "path": path,
        **(_question_counts(questions) if questions else _judgment_counts(judged)),
        "example": dataset_record(records[0]),
    }


def sample_dataset(spec: str, number: int = 5, *, seed: int = 0) -> list[Record]:
    """So many records at random, in the order of the file; all of them if there are no more."""
    records = read_dataset(spec)
    # Places and not records are drawn, so that the sample can be put back into the order of the file.
    chosen = random.Random(seed).sample(range(len(records)), min(number, len(records)))
    return [records[place] for place in sorted(chosen)]


def dataset_record(record: Record) -> dict[str, Any]:
    """A question as a line of the layout `qa`, or a judgment with its question."""
    if isinstance(record, Preference | Rating):
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
    # Without what is empty: a person looks at it, and most layouts use few of the fields.
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


def _judgment_counts(judged: Sequence[Preference | Rating]) -> dict[str, Any]:
    said = ("choices", "choice") if isinstance(judged[0], Preference) else ("values", "value")
    return {
        "judgments": len(judged),
        "questions": len({one.question.id for one in judged}),
        "raters": len({one.rater for one in judged if one.rater}),
        **{
            name: dict(Counter(str(getattr(one, attribute)) for one in judged))
            for name, attribute in (("criteria", "criterion"), said, ("domains", "domain"))
        },
    }
