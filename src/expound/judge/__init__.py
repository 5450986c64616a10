"""Text models as judges of answers: their judgments as people make them, and an audit beside every number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.judge.court import JudgeReport, hold_court
    from expound.judge.judge_audit import audit_judge
    from expound.judge.judge_checks import JudgeCheck
    from expound.judge.judge_items import JudgeItem, JudgeSide
    from expound.judge.judge_page import write_judge_page
    from expound.judge.judge_request import JudgeRequest
    from expound.judge.judge_run import forecast_judge, judge
    from expound.judge.judge_screen import audit_table, rows_table
    from expound.judge.pairwise import Pairwise
    from expound.judge.rubric import Rubric
    from expound.judge.two_shot import TwoShot
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "court": "JudgeReport hold_court",
            "judge_audit": "audit_judge",
            "judge_checks": "JudgeCheck",
            "judge_items": "JudgeItem JudgeSide",
            "judge_page": "write_judge_page",
            "judge_request": "JudgeRequest",
            "judge_screen": "audit_table rows_table",
            "judge_run": "forecast_judge judge",
            "pairwise": "Pairwise",
            "rubric": "Rubric",
            "two_shot": "TwoShot",
        },
    )

__all__ = [
    "JudgeCheck",
    "JudgeItem",
    "JudgeReport",
    "JudgeRequest",
    "JudgeSide",
    "Pairwise",
    "Rubric",
    "TwoShot",
    "audit_judge",
    "audit_table",
    "forecast_judge",
    "hold_court",
    "judge",
    "rows_table",
    "write_judge_page",
]
