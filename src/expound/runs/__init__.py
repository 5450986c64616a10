"""Runs on disk: the plan of an experiment, its folder, and many of them side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.runs.folder import Run, read_run
    from expound.runs.paired import compare_runs, dataset_of
    from expound.runs.plan import Plan, read_plan
    from expound.runs.states import RunState, find_runs
    from expound.runs.table import runs_table
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "folder": "Run read_run",
            "paired": "compare_runs dataset_of",
            "plan": "Plan read_plan",
            "states": "RunState find_runs",
            "table": "runs_table",
        },
    )

__all__ = ["Plan", "Run", "RunState", "compare_runs", "dataset_of", "find_runs", "read_plan", "read_run", "runs_table"]
