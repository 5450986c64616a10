"""The folder of a run: predictions, their manifest, and the scores with the plan they belong to."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.predictions import PREDICTIONS
from expound.errors import BadInput
from expound.files import write_whole
from expound.records import read_json
from expound.runs.plan import Plan
from expound.score.results import Scores
from expound.types import MetricResult
from expound.version import __version__

SCORES = "scores.json"
_NEEDED = {"name", "spec", "results"}
SPENT = ".spent.sqlite"
"""What the run's text models took, while it goes on; the scores have it in the end."""


@dataclass(frozen=True)
class Run:
    """A finished run."""

    folder: Path
    record: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.record["name"])

    @property
    def errors(self) -> Mapping[str, str]:
        """Why the system failed, by question."""
        found: Mapping[str, str] = self.record.get("errors") or {}
        return found

    @property
    def predictions(self) -> Path:
        return self.folder / PREDICTIONS


def write_scores(
    out: Path, plan: Plan, spec: Mapping[str, Any], scores: Iterable[Scores], *, spent: Mapping[str, float]
) -> Run:
    """Write what a run found and, if it asked text models, what they took; its presence means that it is finished."""
    found = list(scores)
    results = [result for item in found for result in item.results]
    errors = {id: reason for item in found for id, reason in item.errors.items()}
    record = {
        "name": plan.name,
        "spec": dict(spec),
        # A profile may leave out what it cannot score: the most that any metric has scored.
        "n": max((result.n for result in results), default=0),
        "errors": errors,
        "stand_ins": max((item.stand_ins for item in found), default=0),
        "results": [_result_record(result) for result in results],
        "expound": __version__,
        "finished": round(time.time(), 3),
        # Only where text models were asked: a run without them has nothing to say about money.
        **({"spent": dict(spent)} if spent else {}),
    }
    with write_whole(out / SCORES) as file:
        json.dump(record, file, ensure_ascii=False, indent=1)
        file.write("\n")
    return Run(out, record)


def read_run(folder: Path) -> Run:
    """The run in a folder."""
    if not (folder / SCORES).is_file():
        raise BadInput(f"{folder} is not the folder of a finished run: it has no {SCORES}")
    record = read_json(folder / SCORES)
    # Other programs call their files `scores.json` too.
    if not isinstance(record, dict) or not isinstance(record.get("spec"), dict) or not record.keys() >= _NEEDED:
        raise BadInput(f"{folder / SCORES} is not the record of a run")
    return Run(folder, record)


def _result_record(result: MetricResult) -> dict[str, Any]:
    numbers = {"value": result.value, "low": result.low, "high": result.high}
    # JSON has no "not a number".
    shown = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
    return {"metric": result.metric, **shown, "n": result.n, "signature": result.signature}
