"""Gather what a report shows: runs and files are read, scored once, compared, held beside bounds, audits and people."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from expound.datasets.predictions import read_predictions
from expound.datasets.spec import open_dataset, without_folders
from expound.models.readers import open_reader
from expound.records import read_judgments
from expound.report.audited import find_verdicts, make_verdicts
from expound.report.judges import hear_judges, is_by_judge
from expound.report.people import call_as_reported, hear_people
from expound.report.report_request import ReportRequest
from expound.report.reported import Reported, ReportedSystem
from expound.report.sources import Found, other_names
from expound.score.comparison import compare_counted
from expound.score.count_table import CountTable
from expound.score.counts import Report
from expound.score.results import Scorer
from expound.types import MetricResult, Prediction, Question


def report(request: ReportRequest, *, progress: Report | None = None) -> Reported:
    """Everything about some runs or prediction files: every answer is scored once, every pair of systems compared."""
    found, (dataset, limit) = request.found, request.asked
    asked = list(open_dataset(dataset))[: limit or None]
    answers = {one.name: {answer.id: answer for answer in read_predictions(one.predictions)} for one in found}
    scorer = Scorer(
        request.chosen_profile,
        seed=request.seed,
        # A question that failed has a record; one that nobody answered is the user's affair.
        allow_missing=request.allow_missing,
        jobs=request.jobs,
        report=progress,
        reader=open_reader(request.reader),
    )
    # Counted once: results, intervals, comparisons and letters are all made of these tables.
    tables = {name: scorer.count(given.values(), asked)[1] for name, given in answers.items()}
    called = other_names(found)
    judged = {path: call_as_reported(read_judgments(path), called) for path in request.people}
    judgments = [one for given in judged.values() for one in given if not is_by_judge(one)]
    answered = {id for given in answers.values() for id in given}
    # In the dataset's order, and only what somebody answered: a run with a limit is no report on the whole file.
    questions = [question for question in asked if question.id in answered]
    systems = [
        _system(one, answers[one.name], tables[one.name], letter=letter, scorer=scorer)
        for one, letter in zip(found, _letters(len(found)), strict=True)
    ]
    if request.audit:
        systems = [make_verdicts(system, one, request) for system, one in zip(systems, found, strict=True)]
    comparer = replace(scorer, samples=request.samples)
    return Reported(
        # Without its folders: a report is made to be sent.
        dataset=without_folders(dataset),
        questions=questions,
        systems=systems,
        comparisons=compare_counted(comparer, tables) if len(tables) > 1 else (),
        bounds=_bounds(scorer, questions),
        people=hear_people(judgments, systems, seed=request.seed) if judgments else None,
        judges=hear_judges(judged, judgments, [system.name for system in systems]),
        seed=request.seed,
        samples=request.samples,
    )


def _system(
    one: Found, predictions: Mapping[str, Prediction], table: CountTable, *, letter: str, scorer: Scorer
) -> ReportedSystem:
    results = {item.metric: item for item in table.results(scorer.seed, scorer.samples) if item.n}
    return ReportedSystem(
        name=one.name,
        letter=letter,
        predictions=predictions,
        # Numbers that need what is not here, such as a reader, are shown as the run found them.
        results={**results, **_read_recorded(one.record, results)},
        errors=table.failures.errors,
        spec=one.record.get("spec") or {},
        spent=one.record.get("spent") or {},
        verdicts=find_verdicts(one.folder) if one.record else None,
    )


def _read_recorded(record: Mapping[str, Any], known: Mapping[str, MetricResult]) -> dict[str, MetricResult]:
    # Only what could not be counted anew: of two numbers for one metric, the one with its questions at hand is shown.
    rows = (row for row in record.get("results", ()) if row["metric"] not in known and row["value"] is not None)
    nan = float("nan")
    return {
        row["metric"]: MetricResult(
            metric=row["metric"],
            value=row["value"],
            low=nan if row["low"] is None else row["low"],
            high=nan if row["high"] is None else row["high"],
            n=row["n"],
            signature=row["signature"],
        )
        for row in rows
    }


def _bounds(scorer: Scorer, questions: Sequence[Question]) -> dict[str, dict[str, MetricResult]]:
    """What a trivial answer gets, and what people get where there are several references to hold beside each other."""
    plain = replace(scorer, per_question=False, report=None, reader=None, allow_missing=True)
    # Five times, as in the audit and in Krishna et al. 2021.
    repeated = {question.id: " ".join([question.text] * 5) for question in questions}
    found = {"the question, five times": {item.metric: item for item in plain.score(repeated, questions)}}
    # All of them: over the few questions with several references people would be held beside other questions.
    if all(len(question.references) > 1 for question in questions):
        people = replace(plain, protocol="human").score([], questions)
        found["people (other references)"] = {item.metric: item for item in people}
    return found


def _letters(count: int) -> list[str]:
    """a to z, then a1, b1 and so on: no report has more than a few systems, and none may fail for it."""
    alphabet = string.ascii_lowercase
    return [f"{alphabet[number % 26]}{number // 26 or ''}" for number in range(count)]
