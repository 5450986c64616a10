"""Many runs side by side: a row a run, a column a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from expound.errors import BadInput, UnknownName, nearest
from expound.runs.folder import SCORES, Run, read_run


def runs_table(folder: Path, metrics: Sequence[str] = ()) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows: a row for each finished run below a folder, a column for each metric that any of them has."""
    files = folder.rglob(SCORES) if folder.is_dir() else ()
    # Oldest first, as a lab book is read.
    runs = sorted((read_run(file.parent) for file in files), key=_age)
    if not runs:
        raise BadInput(f"no finished run below {folder}; make one: expound run experiment.toml --out {folder}/NAME")
    values = [_values(run) for run in runs]
    # In the order in which runs brought them.
    known = list(dict.fromkeys(name for found in values for name in found))
    for name in metrics:
        if name not in known:
            raise UnknownName(f"no run below {folder} has the metric {name!r}; {nearest(name, known)}")
    wanted = list(metrics) or known
    # A column of zeros for what never happened would only take room.
    failed = [name for name in ("errors", "stand_ins") if any(run.record.get(name) for run in runs)]
    rows = [
        [
            *_tell_row(run),
            *(_count(run.record.get(name)) for name in failed),
            *(_show_value(found.get(name)) for name in wanted),
        ]
        for run, found in zip(runs, values, strict=True)
    ]
    return ["run", "dataset", "answer", "n", *failed, *wanted], rows


def _age(run: Run) -> tuple[float, str]:
    # Runs of an earlier version have no time.
    return float(run.record.get("finished") or 0), str(run.folder)


def _values(run: Run) -> Mapping[str, float | None]:
    try:
        return {str(result["metric"]): result["value"] for result in run.record["results"]}
    except (KeyError, TypeError) as error:
        raise BadInput(f"{run.folder / SCORES} is not the record of a run: its results cannot be read") from error


def _tell_row(run: Run) -> list[Any]:
    spec = run.record["spec"]
    return [run.name, spec.get("dataset", ""), spec.get("answer", ""), run.record.get("n", 0)]


def _count(found: Any) -> int:
    """How many; runs record their errors by question."""
    return found if isinstance(found, int) else len(found or ())


def _show_value(value: float | None) -> float | str:
    return "" if value is None else value
