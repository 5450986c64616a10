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
from expound.score.counting import Counted, Row, count_answer
from expound.score.pairs import Pair
from expound.score.protocol import Protocol, standard

if TYPE_CHECKING:
    from expound.protocols import Numbers

Report: TypeAlias = Callable[[str, float, float], None]

# Pairs a task. A round figure: few enough that cores share evenly, enough that sending them costs little.
_CHUNK = 128


@dataclass(frozen=True, slots=True)
class CountedPair:
    """A pair's place in the dataset, and what every metric counts of it at what price."""

    position: int
    references: int
    cases: int
    rows: list[Row]
    cpu_seconds: list[float]


@dataclass
class Counts:
    """A row of counts per pair and metric, in the order in which pairs came."""

    # Arrays of numbers: a million questions with forty metrics stay in memory, a million lists do not.
    positions: array[int] = field(default_factory=lambda: array("q"))
    references: set[int] = field(default_factory=set)
    columns: list[array[float]] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    """Of each metric, for all answers together."""
    answers: int = 0
    """How many were counted: where people are scored, several for a pair."""

    def __len__(self) -> int:
        return len(self.positions)

    def add(self, pair: CountedPair) -> None:
        if not self.columns:
            # How many numbers a metric counts is known from its first row.
            self.columns, self.widths = [array("d") for _ in pair.rows], [len(row) for row in pair.rows]
            self.cpu_seconds = [0.0] * len(pair.rows)
        self.positions.append(pair.position)
        self.references.add(pair.references)
        self.answers += pair.cases
        for column, row in zip(self.columns, pair.rows, strict=True):
            column.extend(row)
        for place, seconds in enumerate(pair.cpu_seconds):
            self.cpu_seconds[place] += seconds

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
        for pair in chunk:
            counts.add(pair)
        if report:
            report("scoring", len(counts), 0)
    return counts


@dataclass(frozen=True)
class _Counter:
    """What a worker does with a chunk of pairs."""

    metrics: tuple[AnyMetric, ...]
    protocol: Protocol

    def __call__(self, chunk: Sequence[Pair]) -> list[CountedPair]:
        # Pair by pair, so that metrics that look at the same texts find them read.
        return [self._count_pair(pair) for pair in chunk]

    def _count_pair(self, pair: Pair) -> CountedPair:
        cases = self.protocol(pair.question, pair.prediction)
        counted = [[count_answer(metric, *case) for case in cases] for metric in self.metrics]
        return CountedPair(
            position=pair.position,
            references=len(cases[0][0].references),
            cases=len(cases),
            rows=[_average_rows([one.row for one in each]) for each in counted],
            cpu_seconds=[_sum_counts(each) for each in counted],
        )


def _sum_counts(counted: Sequence[Counted]) -> float:
    return sum(one.cpu_seconds for one in counted)


def _average_rows(rows: Sequence[Row]) -> Row:
    # Without the division, counts stay exactly what the metric gave.
    if len(rows) == 1:
        return rows[0]
    # `fsum` does not depend on the order of the cases.
    return tuple(math.fsum(values) / len(rows) for values in zip(*rows, strict=True))


def _chunks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    remaining = iter(pairs)
    while chunk := list(islice(remaining, _CHUNK)):
        yield chunk
