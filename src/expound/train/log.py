"""The log of a training run: a JSON line for the settings, the mean loss now and then, and the figures on dev."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any


class Log:
    """A file that only grows; a line that a killed run left half written is cut off first."""

    def __init__(self, path: Path, settings: Mapping[str, Any], *, every: int) -> None:
        self._path, self._every = path, every
        self._losses: list[float] = []
        self._pairs, self._start = 0, time.monotonic()
        _cut_half_line(path)
        # Also where a run goes on: what may be changed between two calls, such as the hours, holds from here.
        self.write({"settings": dict(settings)})

    def count(self, loss: float, pairs: int, *, step: int) -> None:
        """Note a finished step, and write the mean loss now and then."""
        self._losses.append(loss)
        self._pairs += pairs
        if step % self._every == 0:
            # Wall time, for people who look on; the budget counts CPU time.
            seconds = time.monotonic() - self._start
            self.write({"step": step, "loss": fmean(self._losses), "pairs": self._pairs, "seconds": seconds})
            self._losses = []

    def write(self, record: Mapping[str, Any]) -> None:
        """Append one record."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def _cut_half_line(path: Path) -> None:
    if not path.exists():
        return
    whole = path.read_bytes()
    kept = whole[: whole.rfind(b"\n") + 1]
    if kept != whole:
        path.write_bytes(kept)
