"""Crowd workers: who is who on the platform, the completion codes with their state, whom to pay and whom to return."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from expound.study.engine import raters as people
from expound.study.engine.completion import completion_code
from expound.study.engine.opened import Study
from expound.study.out.monitor import RaterStatus, status_of
from expound.text.tables import as_csv

APPROVE, RETURN, WAIT = "approve", "return", "wait"
_COLUMNS = ("rater", "worker", "assignment", "stage", "judged", "hours", "pay", "checks", "checks_failed",
            "completion_code", "code_state", "decision", "reason")  # fmt: skip


@dataclass(frozen=True)
class Decision:
    """What the platform is to be told about a worker, and why."""

    what: str
    reason: str


def decide(study: Study, rater: RaterStatus) -> Decision:
    """Pay whoever finished and passed enough checks; return whoever failed them; for the others it is too early."""
    if rater.stage == people.FAILED:
        return Decision(RETURN, "failed the exam")
    right = rater.checks - rater.checks_failed
    # Before "finished": whoever clicked through to the end did not do the work.
    if rater.checks and right < study.plan.checks_pass * rater.checks:
        return Decision(RETURN, f"failed {rater.checks_failed} of {rater.checks} checks")
    if rater.stage == people.FINISHED:
        return Decision(APPROVE, "finished")
    return Decision(WAIT, f"still in the stage {rater.stage}")


def rater_table(study: Study) -> str:
    """Every rater with the platform's ids, the completion code and what to do; as CSV."""
    return as_csv(_COLUMNS, list(_rows(study)))


def approve_table(study: Study) -> str:
    """The workers to pay."""
    return _tell_decision(study, APPROVE)


def return_table(study: Study) -> str:
    """The workers whose submission is to be returned."""
    return _tell_decision(study, RETURN)


def _tell_decision(study: Study, what: str) -> str:
    places = [_COLUMNS.index(name) for name in ("worker", "assignment", "completion_code", "reason")]
    decision, worker = _COLUMNS.index("decision"), _COLUMNS.index("worker")
    rows = [[row[place] for place in places] for row in _rows(study) if row[decision] == what and row[worker]]
    return as_csv([_COLUMNS[place] for place in places], rows)


def _rows(study: Study) -> Iterator[list[object]]:
    with study.store.reading() as connection:
        found = status_of(study, connection).raters
    for one in found:
        # Nothing leads to them any more, not even a row that says so.
        if one.stage != people.WITHDRAWN:
            is_shown = one.stage == people.FINISHED
            decision = decide(study, one)
            code = completion_code(study, one.rater)
            state = ("shown" if is_shown else "not shown yet") if code else ""
            yield [one.name, one.worker, one.paid_for, one.stage, one.judged, one.hours, one.pay, one.checks,
                   one.checks_failed, code, state, decision.what, decision.reason]  # fmt: skip
