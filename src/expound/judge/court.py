"""Judge answers with a text model, and audit the judge beside every number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from expound.judge.courtroom import Courtroom, Heard
from expound.judge.judge_audit import Testimony, audit_alone, audit_judge
from expound.judge.judge_checks import JudgeCheck, in_a_word
from expound.judge.judge_request import JudgeRequest
from expound.judge.judge_shape import AnyJudge
from expound.judge.probes import probes_of
from expound.judge.rulings import Ruling, decide, trials_of
from expound.protocols import TextModel
from expound.score.counts import Report
from expound.stats.clusters import clustered_share, group_numbers
from expound.stats.proportions import NOTHING, Figure

# A criterion finds nothing to judge only where it ticks readings.
_NO_READINGS = "not judged: no question has readings; give --dataset with some"
_POINTS = {"a": 1.0, "tie": 0.5, "b": 0.0}


@dataclass(frozen=True)
class JudgeRow:
    """Two systems by one criterion: the share of points of `a` (a tie is half a point), and what became of the rest.

    Of a criterion by which answers are rated alone there is only `a`, and the share of readings that it captures.
    """

    criterion: str
    a: str
    b: str
    share: Figure
    ties: int
    flips: int
    unread: int

    def record(self) -> dict[str, Any]:
        """The row as JSON has it."""
        # Only NaN differs from itself; JSON has no word for it.
        known = {name: None if number != number else number for name, number in
                 (("share", self.share.value), ("low", self.share.low), ("high", self.share.high))}  # fmt: skip
        counts = {"n": self.share.n, "ties": self.ties, "flips": self.flips, "unread": self.unread}
        return {"criterion": self.criterion, "a": self.a, "b": self.b, **known, **counts}


@dataclass(frozen=True)
class JudgeReport:
    """What a judge decided, the numbers of it, and what its audit found."""

    judge: AnyJudge
    model: str
    decisions: tuple[Ruling, ...]
    heard: tuple[Heard, ...]
    rows: tuple[JudgeRow, ...]
    checks: tuple[JudgeCheck, ...]
    checks_alone: tuple[JudgeCheck, ...] = ()
    """Those of criteria by which answers are rated alone."""
    examples: tuple[str, ...] = ()
    """The ids of the items that the judge was shown with people's choice."""

    @property
    def verdict(self) -> str:
        """What stands beside every number of two answers."""
        return in_a_word(self.checks)

    @property
    def unasked(self) -> dict[str, str]:
        """Criteria by which nothing was judged, and why."""
        asked = {one.criterion for one in self.decisions}
        return {criterion: _NO_READINGS for criterion in self.judge.criteria if criterion not in asked}

    def verdict_of(self, row: JudgeRow) -> str:
        """What stands beside a row's number: of answers that are rated alone, only the checks that concern them."""
        return self.verdict if row.b else in_a_word(self.checks_alone)

    def record(self) -> dict[str, Any]:
        """All numbers, for programs."""
        return {
            "judge": repr(self.judge),
            "model": self.model,
            "verdict": self.verdict,
            "rows": [{**row.record(), "verdict": self.verdict_of(row)} for row in self.rows],
            **({"unasked": self.unasked} if self.unasked else {}),
            "audit": [check.record() for check in self.checks],
        }


def hold_court(request: JudgeRequest, model: TextModel, *, report: Report | None = None) -> JudgeReport:
    """Decide on every item, then probe the judge and audit it."""
    room = Courtroom(request.part, model, request.pool)
    heard = room.hear(trials_of(request.part, request.items, request.seed), doing="judging", report=report)
    decisions = decide(heard)
    # After the decisions, since a probe tells the judge to choose what it did not choose.
    probes = probes_of(decisions, count=request.probes, seed=request.seed)
    probed = room.hear(probes, doing="probing the judge", report=report)
    testimony = Testimony(decisions, probed, model.name)
    return JudgeReport(
        judge=request.part,
        model=model.name,
        decisions=tuple(decisions),
        heard=(*heard, *probed),
        rows=tuple(rows_of(decisions)),
        checks=tuple(audit_judge(testimony)),
        checks_alone=tuple(audit_alone(testimony)),
        examples=tuple(item.id for item in request.pool),
    )


def rows_of(decisions: Sequence[Ruling]) -> list[JudgeRow]:
    """A row for each criterion and two systems, in the order in which they were judged."""
    groups: dict[tuple[str, ...], list[Ruling]] = defaultdict(list)
    for one in decisions:
        systems = [side.system for side in one.item.sides]
        turned = (one.criterion, *reversed(systems))
        # Two systems have one row: in a file of people's pairs now the one stands first and now the other.
        groups[turned if turned in groups else (one.criterion, *systems)].append(one)
    return [_row(key, group) for key, group in groups.items()]


def _row(key: tuple[str, ...], group: Sequence[Ruling]) -> JudgeRow:
    return JudgeRow(
        criterion=key[0],
        a=key[1],
        b=key[2] if len(key) > 2 else "",
        # What cannot be read counts in its own column: as a tie it would pull every share towards a half.
        share=_share_of(key[1], [one for one in group if one.value is not None]),
        ties=sum(one.value == "tie" for one in group),
        flips=sum(one.is_flip for one in group),
        unread=sum(one.value is None for one in group),
    )


def _share_of(system: str, decided: Sequence[Ruling]) -> Figure:
    import numpy as np

    if not decided:
        return NOTHING
    points = [_points_of(system, one) for one in decided]
    # By question: pairs of one question are no independent throws, and the interval would be too narrow.
    return clustered_share(np.array(points), group_numbers([one.item.question.id for one in decided]))


def _points_of(system: str, one: Ruling) -> float:
    """What a decision gives a system; of an answer that is rated alone, the share of readings that it captures."""
    if not isinstance(one.value, str):
        # A question without readings has none that could be captured: nothing of one.
        return sum(one.value or ()) / len(one.value or (1,))
    points = _POINTS[one.value]
    return points if one.item.sides[0].system == system else 1 - points
