"""The seam between the loop and what it trains: a description says what, the loop does the rest."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

Item = TypeVar("Item")
Report: TypeAlias = Callable[[str, int, int], None]
"""Called with what is happening, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class TrainingFiles:
    """Files to learn from, and files to measure on."""

    train: tuple[Path, ...]
    dev: tuple[Path, ...]


@dataclass(frozen=True)
class Loss:
    """The loss of a batch, a tensor, and how many texts or pairs went through the model for it."""

    value: Any
    pairs: int
    counted: int | None = None
    """What the value is a mean of where it is not the items, such as tokens: by it shares of a batch are weighed."""


class Description(Protocol[Item]):
    """What is trained: how a batch is made, what its loss is, how good the model is on dev, how it is exported.

    Nothing here speaks of encoders: whatever has weights, a loss and something to export can be described.
    """

    @property
    def name(self) -> str:
        """The word of the command."""
        ...

    @property
    def head(self) -> str:
        """How the names of the new weights begin, which learn at a rate of their own; empty if there are none."""
        ...

    @property
    def best_by(self) -> str:
        """The figure of `measure` that says which weights are kept; higher is better."""
        ...

    def identity(self) -> str:
        """A hash of data, base and choices: a run goes on only with the same."""
        ...

    def counts(self) -> dict[str, int]:
        """How much there is to learn from and to measure on."""
        ...

    def new_model(self) -> Any:
        """The model before the first step; random weights follow from torch's seed."""
        ...

    def draw(self, rng: random.Random) -> list[Item]:
        """The items of one pass over the data."""
        ...

    def length(self, item: Item) -> float:
        """What items are put into batches by: those of like length need less padding."""
        ...

    def loss(self, model: Any, batch: Sequence[Item]) -> Loss:
        """The loss of a few items."""
        ...

    def measure(self, model: Any) -> dict[str, float]:
        """Figures on dev; none where there is no dev."""
        ...

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """Write what the product loads; `figures` are what `measure` says of the model, and come back with more."""
        ...


def hash_of(*parts: Iterable[object]) -> str:
    """A hash of records by what they print as."""
    digest = sha256()
    for part in parts:
        # By `repr`: records are dataclasses, so that a field that is added or renamed begins a new run.
        for record in part:
            digest.update(f"{record!r}\n".encode())
        # A separator: what ends one part must not look like the beginning of the next.
        digest.update(b"\0")
    return digest.hexdigest()
