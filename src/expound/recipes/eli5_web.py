"""What ELI5's figures and its table over web documents share: systems run like a table, then their answers counted."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from expound.experiment import Report
from expound.recipes.table import Inputs, Measured, Recipe
from expound.stats.bootstrap import interval
from expound.types import MetricResult
from expound.version import __version__

SEED = 0


class Measure(Protocol):
    """From the data to the rows; answers are kept in `out`, and an interrupted recipe goes on there."""

    def __call__(self, inputs: Inputs, out: Path, *, jobs: int = 1, report: Report | None = None) -> list[Measured]: ...


@dataclass(frozen=True)
class WebRecipe:
    """A table or figure over questions with web documents: the systems it runs, and how they become its rows."""

    recipe: Recipe
    measure: Measure = field(repr=False)


def point(line: str, values: Iterable[float], *, over: str) -> MetricResult:
    """The mean of a value per question, with its interval; `over` says what the value is, for the signature."""
    known = [value for value in values if not math.isnan(value)]
    low, high = interval(known, seed=SEED)
    mean = sum(known) / len(known) if known else math.nan
    signature = f"{line}|{over}|n:{len(known)}|seed:{SEED}|expound:{__version__}"
    return MetricResult(line, mean, low, high, len(known), signature)
