"""A model of 49 weights with dropout, described for the loop: trains in milliseconds, resumes like a large one."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from expound.train.description import Loss, hash_of
from expound.train.loop import train
from expound.train.training_settings import TrainingSettings

Item = tuple[float, float, float, float, float]
SETTINGS = TrainingSettings(
    steps=12, learning_rate=0.05, batch=4, threads=1, checkpoint_every=5, measure_every=4, log_every=2, patience=0
)


def new_items(seed: int = 1) -> list[Item]:
    """Points, and what to say of them."""
    rng = random.Random(seed)
    points = [tuple(rng.uniform(-1, 1) for _ in range(4)) for _ in range(20)]
    return [(*point, sum(point)) for point in points]  # type: ignore[misc]  # mypy does not count a generator


@dataclass
class Toy:
    """Adds four numbers. `on_step` is called before each loss; `qualities` are what dev says, one a measurement."""

    items: Sequence[Item] = field(default_factory=new_items)
    on_step: Callable[[int], None] = lambda step: None
    qualities: Callable[[int], float] | None = None
    steps: int = 0
    measurements: int = 0

    name = "toy"
    head = "2."
    best_by = "quality"

    def identity(self) -> str:
        return hash_of(self.items)

    def counts(self) -> dict[str, int]:
        return {"train": len(self.items)}

    def new_model(self) -> Any:
        from torch import nn

        return nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Linear(8, 1))

    def draw(self, rng: random.Random) -> list[Item]:
        return list(self.items)

    def length(self, item: Item) -> float:
        return item[0]

    def loss(self, model: Any, batch: Sequence[Item]) -> Loss:
        import torch

        self.steps += 1
        self.on_step(self.steps)
        numbers = torch.tensor(batch)
        return Loss(((model(numbers[:, :4])[:, 0] - numbers[:, 4]) ** 2).mean(), len(batch))

    def measure(self, model: Any) -> dict[str, float]:
        self.measurements += 1
        return {"quality": self.qualities(self.measurements)} if self.qualities else {}

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        return {**figures, "weights": sum(weight.numel() for weight in model.parameters())}


def weights_of(model: Any) -> dict[str, list[Any]]:
    """Every weight to its last bit."""
    return {name: weight.double().flatten().tolist() for name, weight in model.state_dict().items()}


def kill_at(step: int) -> Callable[[int], None]:
    """End the process as a power cut would."""

    def kill(now: int) -> None:
        if now == step:
            os.kill(os.getpid(), signal.SIGKILL)

    return kill


if __name__ == "__main__":  # a process of its own, to be killed before the step that is named
    train(Toy(on_step=kill_at(int(sys.argv[2]))), SETTINGS, Path(sys.argv[1]))
