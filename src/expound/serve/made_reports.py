"""Reports that visitors have made of runs: in a lane of their own, kept as files, made anew when a run changes."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from expound import resources
from expound.errors import ExpoundError, UnknownName
from expound.files import private_folder
from expound.report import ReportRequest, report, write_report
from expound.runs.folder import SCORES
from expound.runs.states import RunState
from expound.serve.lanes import Event, Failed, Lane, Tell, Told, Waiting

_NO_MORE = "This is a mistake of the server; its log says more."


@dataclass(frozen=True)
class Making:
    """How far a report is: what is being done, how much of it, or why there will be none."""

    title: str = "waiting"
    done: float = 0.0
    total: float = 0.0
    problem: str = ""


class MadeReports:
    """A folder of pages by id, and those that are being made."""

    def __init__(self, folder: Path, lane: Lane) -> None:
        self._folder, self._lane = folder, lane
        self._guard = threading.Lock()
        self._making: dict[str, Making] = {}

    def order(self, runs: Mapping[str, RunState], whose: str) -> str:
        """The id of the report that calls these runs so; it is made if it is not there already, or being made."""
        id = _id(runs)
        with self._guard:
            # One that failed is made again when it is asked for: what was missing may be there by now.
            going_on = id in self._making and not self._making[id].problem
            if going_on or self.file(id).exists():
                return id
            self._making[id] = Making()
        try:
            self._lane.submit(partial(self._make, id, runs), tell=partial(self._hear, id), whose=whose)
        except ExpoundError:
            with self._guard:
                # Else the page would wait for ever for a job that no lane took.
                self._making.pop(id, None)
            raise
        return id

    def file(self, id: str) -> Path:
        """Where the page of a report is, or will be."""
        return self._folder / f"{id}.html"

    def state(self, id: str) -> Making | None:
        """How far a report is; None when it is there."""
        if self.file(id).exists():
            return None
        with self._guard:
            if id not in self._making:
                raise UnknownName("there is no such report; choose the runs again")
            return self._making[id]

    def close(self) -> None:
        self._lane.close()

    def _make(self, id: str, runs: Mapping[str, RunState], tell: Tell) -> None:
        folders = [run.folder for run in runs.values()]
        request = ReportRequest(sources=folders, names=tuple(runs), allow_missing=True)
        # Nothing is fetched for a visitor: what is missing is told.
        resources.require(request.scoring_resources())
        found = report(request, progress=lambda title, done, total: tell(Told((title, done, total))))
        private_folder(self._folder)
        write_report(found, self.file(id))

    def _hear(self, id: str, event: Event) -> None:
        with self._guard:
            match event:
                case Waiting(ahead):
                    self._making[id] = Making(f"waiting for {ahead} others" if ahead else "waiting")
                case Told((str() as title, done, total)):
                    self._making[id] = Making(title, done, total)
                case Failed(error):
                    told = str(error) if isinstance(error, ExpoundError) else _NO_MORE
                    self._making[id] = replace(self._making[id], problem=told)


def _id(runs: Mapping[str, RunState]) -> str:
    """The same runs with the same names and scores have the same report."""
    # With the time of its scores: a run that was scored anew gets another report, and old links keep the old one.
    told = [f"{name} {run.folder.resolve()} {(run.folder / SCORES).stat().st_mtime_ns}" for name, run in runs.items()]
    return sha256("\n".join(told).encode()).hexdigest()[:16]
