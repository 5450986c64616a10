"""Counts by question and metric, and the numbers that are made of them: values, intervals, signatures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from expound.protocols import AnyMetric
from expound.score.counts import Counts
from expound.score.failures import Failures
from expound.score.pairs import Matcher
from expound.stats.bootstrap import intervals, mean
from expound.types import MetricResult
from expound.version import __version__

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from expound.protocols import Numbers
    from expound.stats.bootstrap import Pool

    Mask: TypeAlias = npt.NDArray[np.bool_]


_THOUSAND = 1000  # answers: what a user has of them, and a number that people can read
_TOLD_IF_ANY = ("missing", "errors", "stand_ins", "unscored")


@dataclass(frozen=True)
class CountTable:
    """Counts by question and metric, in the order of the dataset, and the facts that signatures tell."""

    metrics: Sequence[AnyMetric]
    ids: list[str]
    tables: list[Numbers]
    facts: Mapping[str, str | int]
    asked: int
    """How many questions the dataset has."""
    failures: Failures
    costs: Mapping[str, float]
    """CPU-seconds that a thousand answers take, by the metric's name."""

    @classmethod
    def of(
        cls,
        metrics: Sequence[AnyMetric],
        counts: Counts,
        matcher: Matcher,
        failures: Failures,
        *,
        about: Mapping[str, str | int],
    ) -> CountTable:
        places, tables = counts.in_order()
        references = sorted(counts.references)
        # Questions may have different numbers of references; a score over them says which.
        span = f"{references[0]}-{references[-1]}" if len(references) > 1 else str(references[0])
        left_out = {"missing": matcher.missing, "errors": len(failures.errors), "stand_ins": failures.stand_ins}
        facts = {**about, "refs": span, **left_out}
        return cls(
            metrics=metrics,
            ids=[matcher.ids[place] for place in places],
            tables=tables,
            facts=facts,
            asked=len(matcher.ids),
            failures=failures,
            costs={
                metric.name: _THOUSAND * seconds / counts.answers
                for metric, seconds in zip(metrics, counts.cpu_seconds, strict=True)
            },
        )

    def results(self, seed: int, samples: int, *, per_question: bool = True) -> Iterator[MetricResult]:
        """Every metric's number; metrics over the same questions share their resamples."""
        scored = [self.scored(place) for place in range(len(self.metrics))]
        found = self._intervals(scored, seed, samples)
        for place, metric in enumerate(self.metrics):
            mask, counts = scored[place], self.tables[place][scored[place]]
            # Per-question values of a million questions are not made where nobody asked for them.
            ids = [id for id, is_scored in zip(self.ids, mask, strict=True) if is_scored] if per_question else []
            values = each(metric, counts).tolist() if per_question else []
            low, high = found[place]
            yield MetricResult(
                metric=metric.name,
                value=value_of(metric, counts),
                low=low,
                high=high,
                n=len(counts),
                signature=self.signature(metric, len(counts), seed),
                per_question=dict(zip(ids, values, strict=True)),
            )

    def scored(self, place: int) -> Mask:
        """Which questions a metric could score."""
        import numpy as np

        # A metric that counts several numbers has scored a question only if it has them all.
        return np.atleast_1d(~np.isnan(self.tables[place]).any(axis=1))

    def signature(self, metric: AnyMetric, n: int, seed: int) -> str:
        """`rouge_lsum|profile:asqa|refs:2|n:748|seed:0|v:0.1.0`; what was left out is told when there is any."""
        options: dict[str, str | int] = getattr(metric, "options", {})
        about = {**self.facts, "unscored": len(self.ids) - n, "n": n, "seed": seed, "v": __version__}
        # Zero of these is the usual case and goes without saying.
        told = {name: value for name, value in about.items() if value or name not in _TOLD_IF_ANY}
        return "|".join([metric.name, *(f"{name}:{value}" for name, value in (options | told).items())])

    def _intervals(self, scored: Sequence[Mask], seed: int, samples: int) -> list[tuple[float, float]]:
        groups: dict[bytes, list[int]] = {}
        for place, mask in enumerate(scored):
            # Metrics that scored the same questions share their draws, so that their intervals can be compared.
            groups.setdefault(mask.tobytes(), []).append(place)
        found = [(math.nan, math.nan)] * len(scored)
        for places in groups.values():
            pooled = [(self.tables[place][scored[place]], pool_of(self.metrics[place])) for place in places]
            for place, bounds in zip(places, intervals(pooled, seed=seed, samples=samples), strict=True):
                found[place] = bounds
        return found


def pool_of(metric: AnyMetric) -> Pool:
    """How a metric's counts become its number."""
    pool: Pool = getattr(metric, "pool", mean)
    return pool


def value_of(metric: AnyMetric, counts: Numbers) -> float:
    """A metric's number over all questions."""
    import numpy as np

    if not len(counts):
        return math.nan
    if pool_of(metric) is mean:
        return math.fsum(counts[:, 0]) / len(counts)  # exact, so that the order of questions does not show
    return float(pool_of(metric)(counts, np.ones((1, len(counts))))[0])


def each(metric: AnyMetric, counts: Numbers) -> Numbers:
    """A metric's value of every question by itself."""
    values: Numbers = metric.each(counts) if hasattr(metric, "each") else counts[:, 0]
    return values
