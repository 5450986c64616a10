"""A judge's numbers and its audit as tables; whether the judge can be believed stands in every row."""

from __future__ import annotations

import math

from expound.judge.court import JudgeReport
from expound.judge.judge_checks import CANNOT_TELL, FAIL, NOT_RUN, PASS
from expound.stats.proportions import Figure

_NONE = "–"
# "" is what is only told; what was not run comes last, since there is nothing to see.
_FIRST = (FAIL, PASS, CANNOT_TELL, "", NOT_RUN)


def rows_table(found: JudgeReport) -> tuple[list[str], list[list[object]]]:
    """Headings, and a row for every two systems by each criterion."""
    columns = ["criterion", "a", "b", "points of a", "n", "ties", "flips", "unread", "the judge"]
    rows: list[list[object]] = [
        [row.criterion, row.a, row.b or _NONE, _show_share(row.share), row.share.n, row.ties, row.flips, row.unread,
         found.verdict_of(row)]
        for row in found.rows
    ]  # fmt: skip
    # The row stays: a criterion that was asked for and could not be judged is told, not dropped.
    rows += [[criterion, _NONE, _NONE, _NONE, 0, 0, 0, 0, why] for criterion, why in found.unasked.items()]
    return columns, rows


def audit_table(found: JudgeReport) -> tuple[list[str], list[list[object]]]:
    """Headings, and a row for every check of the judge."""
    rows: list[list[object]] = [
        [
            check.outcome or _NONE,
            check.name,
            _show_share(check.figure),
            check.figure.n,
            check.right or _NONE,
            check.note,
        ]
        # What it fails first, as in an audit of answers.
        for check in sorted(found.checks, key=lambda check: _FIRST.index(check.outcome))
    ]
    return ["outcome", "check", "value", "n", "right", "note"], rows


def _show_share(figure: Figure) -> str:
    if math.isnan(figure.value):
        return _NONE
    if math.isnan(figure.low):
        return f"{figure.value:.3f}"
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
