"""What a report is made of: folders of runs and files of predictions, and the questions that all of them answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from expound.datasets.predictions import PREDICTIONS
from expound.errors import BadInput, UserError
from expound.runs.folder import Run, read_run
from expound.runs.paired import dataset_of
from expound.runs.run_names import name_runs


@dataclass(frozen=True, kw_only=True)
class Found:
    """A folder or file that was named, opened."""

    name: str
    folder: Path
    predictions: Path
    record: Mapping[str, Any] = field(default_factory=dict)


def find_sources(paths: Sequence[Path], names: Sequence[str] = ()) -> list[Found]:
    """What was named, called as the caller does, else by the shortest names that tell all of it apart."""
    if not paths:
        raise UserError("which runs? Name their folders, or files of predictions")
    found = [_find_sources(path) for path in paths]
    plans = [one.name for one in found]
    last_parts, whole = [path.name for path in paths], [str(path) for path in paths]
    for called in (names, name_runs(plans, last_parts), name_runs(plans, whole)):
        if len(set(called)) == len(found):
            return [replace(one, name=name) for one, name in zip(found, called, strict=True)]
    raise UserError("the same run is named twice")


def other_names(found: Sequence[Found]) -> dict[str, str]:
    """The names in a report by what a study may have called the same systems: a run's folder, a path of answers."""
    called = [(other, one.name) for one in found for other in _called(one)]
    counts = Counter(other for other, _ in called)
    ours = {one.name for one in found}
    return {other: name for other, name in called if counts[other] == 1 and other not in ours}


def _called(one: Found) -> set[str]:
    is_of_run = one.predictions.name == PREDICTIONS
    return {str(one.predictions), *((str(one.folder), one.folder.name) if is_of_run else ())}


def common_dataset(found: Sequence[Found], named: str = "") -> tuple[str, int]:
    """The one dataset that all of them answered, and how many of its questions were asked; 0 for all."""
    runs = [Run(one.folder, one.record) for one in found if one.record]
    known = {(dataset_of(run), int(run.record["spec"].get("limit") or 0)) for run in runs}
    if named:
        known = {(named, limit) for _, limit in known} or {(named, 0)}
    if not known:
        raise UserError("which questions? Write --dataset LAYOUT:PATH; only the folder of a run knows its own")
    if len(known) > 1:
        raise UserError("these runs answered different questions: " + ", ".join(sorted(spec for spec, _ in known)))
    [(spec, limit)] = known
    return spec, limit


def _find_sources(path: Path) -> Found:
    if path.is_dir():
        run = read_run(path)
        return Found(name=run.name, folder=path, predictions=run.predictions, record=run.record)
    if not path.is_file():
        raise BadInput(f"no such file or folder: {path}")
    return Found(name=path.name.partition(".")[0], folder=path.parent, predictions=path)
