"""Count every pair by every metric, on one core or on several; only numbers are kept."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from expound.parallel import in_order
from expound.protocols import AnyMetric
from expound.score.pairs import Pair
from expound.score.protocol import Protocol, standard

if TYPE_CHECKING:
    from expound.protocols import Numbers

Row: TypeAlias = tuple[float, ...]
Report: TypeAlias = Callable[[str, float, float], None]

# Pairs a task. A round figure: few enough that cores share evenly, enough that sending them costs little.
_CHUNK = 128


@dataclass
class Counts:
    """A row of counts per pair and metric, in the order in which pairs came."""

    # Arrays of numbers: a million questions with forty metrics stay in memory, a million lists do not.
    positions: array[int] = field(default_factory=lambda: array("q"))
    references: set[int] = field(default_factory=set)
    columns: list[array[float]] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.positions)

    def add(self, position: int, references: int, rows: Sequence[Row]) -> None:
        if not self.columns:
            # How many numbers a metric counts is known from its first row.
            self.columns, self.widths = [array("d") for _ in rows], [len(row) for row in rows]
        self.positions.append(position)
        self.references.add(references)
        for column, row in zip(self.columns, rows, strict=True):
            column.extend(row)

    def in_order(self) -> tuple[list[int], list[Numbers]]:
        """Positions, rising, and for each metric its rows in that order: the same whatever order pairs came in."""
        import numpy as np

        # By place in the dataset: two processes, or files in another order, give the same bytes.
        order = np.argsort(np.frombuffer(self.positions, dtype=np.int64), kind="stable")
        tables = (
            np.frombuffer(column, dtype=np.float64).reshape(-1, width)
            for column, width in zip(self.columns, self.widths, strict=True)
        )
        return [self.positions[place] for place in order], [table[order] for table in tables]


def count_all(
    pairs: Iterable[Pair],
    metrics: Sequence[AnyMetric],
    *,
    protocol: Protocol = standard,
    jobs: int = 1,
    report: Report | None = None,
) -> Counts:
    """Count all pairs; `jobs` processes share the work (0: one per core), and pairs are read as they are needed."""
    counts = Counts()
    counter = _Counter(tuple(metrics), protocol)
    for chunk in in_order(counter, _chunks(pairs), jobs=jobs):
        for position, references, rows in chunk:
            counts.add(position, references, rows)
        if report:
            report("scoring", len(counts), 0)
    return counts


@dataclass(frozen=True)
class _Counter:
    """What a worker does with a chunk of pairs."""

    metrics: tuple[AnyMetric, ...]
    protocol: Protocol

    def __call__(self, chunk: Sequence[Pair]) -> list[tuple[int, int, list[Row]]]:
        # Pair by pair, so that metrics that look at the same texts find them read.
        return [self._counted(pair) for pair in chunk]

    def _counted(self, pair: Pair) -> tuple[int, int, list[Row]]:
        cases = self.protocol(pair.question, pair.prediction)
        rows = [_averaged([_row(metric.count(*case)) for case in cases]) for metric in self.metrics]
        return pair.position, len(cases[0][0].references), rows


def _row(count: float | Row) -> Row:
    return count if isinstance(count, tuple) else (count,)


def _averaged(rows: Sequence[Row]) -> Row:
    # Without the division, counts stay exactly what the metric gave.
    if len(rows) == 1:
        return rows[0]
    # `fsum` does not depend on the order of the cases.
    return tuple(math.fsum(values) / len(rows) for values in zip(*rows, strict=True))


def _chunks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    remaining = iter(pairs)
    while chunk := list(islice(remaining, _CHUNK)):
        yield chunk
