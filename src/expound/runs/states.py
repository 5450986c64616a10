"""Runs of a folder in whatever state: finished, being answered this moment, or stopped on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from expound.datasets.predictions import PREDICTIONS
from expound.errors import BadInput
from expound.files import is_locked
from expound.records import read_json
from expound.runs.answers import count_file, lock_of, spec_file
from expound.runs.folder import SCORES, read_run

FINISHED, RUNNING, STOPPED, DAMAGED = "finished", "running", "stopped", "damaged"
_BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True)
class RunState:
    """A run as it stands: its path below the folder is its name."""

    name: str
    plan: str = ""
    """The name of its plan; written down when it has finished."""
    folder: Path
    state: str
    spec: Mapping[str, Any] = field(default_factory=dict)
    answered: int = 0
    questions: int = 0
    """How many there are in all; 0 where nobody wrote it down."""
    results: Mapping[str, float | None] = field(default_factory=dict)
    finished: float = 0.0
    problem: str = ""


def find_runs(folder: Path) -> list[RunState]:
    """Every run below a folder: those that are going on first, then the newest; one that is damaged says so."""
    # The file of answers is there as soon as a run has begun, and before the scores are.
    places = sorted({file.parent for name in (PREDICTIONS, SCORES) for file in folder.rglob(name)})
    found = [_state(place, folder) for place in places if _is_run(place)]
    return sorted(found, key=lambda run: (run.state != RUNNING, -run.finished, run.name))


def _is_run(place: Path) -> bool:
    """Whether a run made the folder, and nobody's own file of predictions lies there."""
    return (place / SCORES).exists() or spec_file(place / PREDICTIONS).exists()


def _state(place: Path, folder: Path) -> RunState:
    name = place.relative_to(folder).as_posix() if place != folder else place.resolve().name
    try:
        return _read_finished(name, place) if (place / SCORES).exists() else _unfinished(name, place)
    # One damaged run must not hide all others of the folder.
    except (BadInput, OSError, KeyError, TypeError, ValueError) as error:
        return RunState(name=name, folder=place, state=DAMAGED, problem=str(error))


def _read_finished(name: str, place: Path) -> RunState:
    record = read_run(place).record
    results = {str(one["metric"]): one["value"] for one in record["results"]}
    n = int(record.get("n") or 0)
    return RunState(
        name=name,
        plan=str(record["name"]),
        folder=place,
        state=FINISHED,
        spec=record["spec"],
        answered=n,
        questions=n,
        results=results,
        finished=float(record.get("finished") or 0),
    )


def _unfinished(name: str, place: Path) -> RunState:
    predictions = place / PREDICTIONS
    spec = read_json(spec_file(predictions))
    # While answers are scored only the second lock is held.
    is_running = is_locked(lock_of(predictions)) or is_locked(lock_of(place / SCORES))
    return RunState(
        name=name,
        folder=place,
        state=RUNNING if is_running else STOPPED,
        spec=spec,
        answered=sum(_line_ends(predictions)),
        questions=_count(predictions),
    )


def _line_ends(path: Path) -> Iterator[int]:
    """The lines that are whole, counted block by block: answers of a long run do not fit into memory twice."""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block.count(b"\n")


def _count(predictions: Path) -> int:
    file = count_file(predictions)
    return int(file.read_text(encoding="ascii")) if file.exists() else 0
