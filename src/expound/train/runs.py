"""What a training run leaves on disk: a checkpoint to go on from, and a log."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any


def save_checkpoint(out: Path, model: Any, optimizer: Any, schedule: Any, step: int) -> None:
    """Write weights and optimiser state so that an interrupted write leaves the old file."""
    import torch

    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "schedule": schedule.state_dict(),
        "step": step,
    }
    torch.save(state, out / "checkpoint.part")
    (out / "checkpoint.part").replace(out / "checkpoint.pt")


def load_checkpoint(out: Path, model: Any, optimizer: Any = None, schedule: Any = None) -> int:
    """Restore the last checkpoint if there is one, and return the number of finished steps."""
    import torch

    if not (out / "checkpoint.pt").exists():
        return 0
    state = torch.load(out / "checkpoint.pt", weights_only=True)
    model.load_state_dict(state["model"])
    if optimizer is not None:
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
    return int(state["step"])


class Log:
    """A JSONL file of settings, mean loss and dev figures."""

    def __init__(self, path: Path, settings: Mapping[str, Any], *, every: int = 20) -> None:
        self._path, self._every = path, every
        self._losses: list[float] = []
        self._pairs, self._start = 0, time.monotonic()
        self.write({"settings": dict(settings)})

    def count(self, result: tuple[float, int], *, step: int) -> None:
        """Note one step, and write the mean loss now and then."""
        self._losses.append(result[0])
        self._pairs += result[1]
        if len(self._losses) == self._every:
            loss, seconds = fmean(self._losses), time.monotonic() - self._start
            self.write({"step": step + 1, "loss": loss, "pairs": self._pairs, "seconds": seconds})
            self._losses = []

    def write(self, record: dict[str, Any]) -> None:
        """Append one record."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
