"""Model judges in a report: how often they agree with people, and what their own audit says, in one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.records import read_json
from expound.report.reported import JudgeSaid
from expound.stats.proportions import NOTHING, Figure, share
from expound.types import Judgment

FORM = "judge"
"""The form of judgments that a model made."""
UNAUDITED = "no audit beside its judgments: nothing says what sways it"


def is_by_judge(judgment: Judgment) -> bool:
    """Whether a model said it, and no person."""
    return judgment.form == FORM


def hear_judges(
    files: Mapping[Path, Sequence[Judgment]], people: Sequence[Judgment], systems: Sequence[str]
) -> list[JudgeSaid]:
    """A row a judge and criterion, of the judgments that are about systems of the report."""
    return [
        row
        for path, judgments in files.items()
        for row in _rows([one for one in judgments if is_by_judge(one)], people, set(systems), audit_of(path))
    ]


def audit_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """What the audit beside a file of judgments says: in a word, and each check that failed."""
    file = path.with_name(f"{path.name.removesuffix('.jsonl')}.audit.json")
    if not file.is_file():
        return UNAUDITED, ()
    record = read_json(file)
    try:
        failed = tuple(_tell_audit(check) for check in record["audit"] if check["outcome"] == "fail")
        return str(record["verdict"]), failed
    except (KeyError, TypeError) as error:
        raise BadInput(f"{file} is not the audit of a judge; make it again: expound judge") from error


def _tell_audit(check: Mapping[str, Any]) -> str:
    numbers = f"{check['value']:.2f} [{check['low']:.2f}, {check['high']:.2f}]" if check.get("low") is not None else ""
    return " ".join(filter(None, (str(check["check"]), numbers, f"({check['right']})" if check.get("right") else "")))


def _rows(
    judged: Sequence[Judgment], people: Sequence[Judgment], systems: set[str], audit: tuple[str, tuple[str, ...]]
) -> list[JudgeSaid]:
    # A file of judgments may be about more systems than the report: of the others nothing can be shown.
    ours = [one for one in judged if one.a in systems and (not one.b or one.b in systems)]
    kinds = dict.fromkeys((one.rater, one.criterion) for one in ours)
    return [_row([one for one in ours if (one.rater, one.criterion) == kind], people, audit) for kind in kinds]


def _row(judged: Sequence[Judgment], people: Sequence[Judgment], audit: tuple[str, tuple[str, ...]]) -> JudgeSaid:
    first = judged[0]
    return JudgeSaid(
        judge=first.rater,
        criterion=first.criterion,
        judgments=len(judged),
        # By the same criterion where people judged by it; else by whatever they did judge by.
        agrees=_agreement(judged, [one for one in people if one.criterion == first.criterion] or people),
        verdict=audit[0],
        failed=audit[1],
    )


def _agreement(judged: Sequence[Judgment], people: Sequence[Judgment]) -> Figure:
    """The share of people's choices between the same two answers that the judge shares."""
    chosen = {_pair(one): _tell_preferred(one) for one in judged if one.choice in ("a", "b")}
    decided = [one for one in people if one.choice in ("a", "b") and _pair(one) in chosen]
    both = [chosen[_pair(one)] == _tell_preferred(one) for one in decided]
    return share(sum(both), len(both)) if both else NOTHING


def _pair(one: Judgment) -> tuple[str, frozenset[str]]:
    return one.question_id, frozenset((one.a, one.b))


def _tell_preferred(one: Judgment) -> str:
    return one.a if one.choice == "a" else one.b
