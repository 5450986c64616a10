"""A metric's number for every answer that people judged, each text scored once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

from expound import plugins, resources
from expound.errors import IncompleteSpec, UserError
from expound.meta.judged import JudgedAnswer
from expound.protocols import AnyMetric
from expound.score.counting import count_answer
from expound.score.counts import Report
from expound.score.looks_at import looks_at
from expound.score.profile import KIND as PROFILE
from expound.score.profile import profile_of
from expound.score.unavailable import Unavailable
from expound.types import Answer, Evidence, Prediction

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

Scores: TypeAlias = Mapping[tuple[str, ...], float]
"""By the key of an answer; what cannot be scored is not a number."""

_LOWER = "-"
# Of a double's 15 to 17: what the order of a sum leaves behind stands after the twelfth.
_DIGITS = 12
_THOUSAND = 1000  # answers: what a user has of them, and a number that people can read
_NOT_HERE = frozenset({"reader", "side file", "readings", "rewrites"})


@dataclass(frozen=True)
class Scored:
    """A metric's numbers of a source's answers, and what they took."""

    scores: Scores
    cost: float
    """CPU-seconds that a thousand answers take; not a number without any."""
    missing: float = math.nan
    """What stands for no number beside an answer that has one, where the metric says so."""


@dataclass(frozen=True)
class Believed:
    """A metric, and whether a higher or (`-` before its spec) a lower number is taken for better."""

    metric: AnyMetric
    sign: int = 1

    @property
    def label(self) -> str:
        """Its spec, as in tables."""
        return f"{_LOWER if self.sign < 0 else ''}{self.metric!r}"

    @property
    def warning(self) -> str:
        """What the metric itself says against its numbers: a judge that fails its audit."""
        return str(getattr(self.metric, "warning", ""))

    @property
    def lacking(self) -> str:
        """What the metric says that a source lacks for which it has no number at all."""
        return str(getattr(self.metric, "lacking", ""))

    def score(self, answers: Sequence[JudgedAnswer], report: Report | None = None) -> Scored:
        """The metric's number of every answer, turned so that higher is better."""
        found, seconds = {}, list[float]()
        # An empty answer among others is one: it has no words, and people preferred something to it. In a file without
        # texts nobody knows what was said.
        has_texts = any(answer.text for answer in answers)
        for number, answer in enumerate(answers):
            value, took = _value(self.metric, answer) if has_texts else (math.nan, math.nan)
            # Turned once, here: nothing behind this has to know which way a metric is better.
            found[answer.key] = _drop_rounding(self.sign * value)
            seconds += [] if math.isnan(took) else [took]
            if report:
                report(f"scoring {self.label}", number + 1, len(answers))
        # What stands in a file was paid for elsewhere: what reading it takes is not its price.
        is_paid = seconds and not getattr(self.metric, "is_looked_up", False)
        cost = _THOUSAND * fmean(seconds) if is_paid else math.nan
        missing = self.sign * float(getattr(self.metric, "missing_counts", math.nan))
        return Scored(found, cost, missing)


def choose_metrics(specs: Sequence[str | AnyMetric]) -> list[Believed]:
    """The metrics of some specs, and of profiles by name; one that needs more than texts is refused."""
    chosen = []
    for spec in specs:
        is_lower = isinstance(spec, str) and spec.startswith(_LOWER)
        wanted = spec.removeprefix(_LOWER) if isinstance(spec, str) else spec
        # Of a profile's metrics each says itself which way it is better; one that is named alone is taken as written.
        signs = _own_sign if isinstance(spec, str) and spec in plugins.names(PROFILE) else lambda _: 1
        metrics = _open_metrics(wanted)
        chosen += [_check_scores(Believed(metric, -1 if is_lower else signs(metric))) for metric in metrics]
    had = {one.metric.name for one in chosen if not isinstance(one.metric, Unavailable)}
    # Whoever brings weights beside a profile has the metric that the profile only has a reason for.
    kept = [one for one in chosen if not (isinstance(one.metric, Unavailable) and one.metric.name in had)]
    return list({one.label: one for one in kept}.values())


def metric_resources(specs: Sequence[str | AnyMetric]) -> list[str]:
    """The fetched files that the metrics cannot do without."""
    return list(resources.list_needed([one.metric for one in choose_metrics(specs)]))


def _open_metrics(wanted: str | AnyMetric) -> Sequence[AnyMetric]:
    try:
        return profile_of([wanted]).metrics
    except IncompleteSpec as error:
        # Only where the part says that nothing can be given to it as it comes: the rest is a mistake of the user's.
        if not error.hint:
            raise
        return [Unavailable(str(wanted), error.hint)]


def _own_sign(metric: AnyMetric) -> int:
    return -1 if getattr(metric, "lower_is_better", False) else 1


def _check_scores(chosen: Believed) -> Believed:
    if needed := sorted(looks_at(chosen.metric) & _NOT_HERE):
        raise UserError(f"{chosen.label} looks at {needed[0]}, and judged answers are texts alone: leave it out")
    return chosen


def _value(metric: AnyMetric, answer: JudgedAnswer) -> tuple[float, float]:
    """The number of an answer, and the CPU-seconds that it took."""
    evidence = tuple(Evidence(passage, number, 0.0) for number, passage in enumerate(answer.question.evidence, start=1))
    prediction = Prediction(
        id=answer.question.id,
        question=answer.question.text,
        system=answer.system,
        answer=Answer(answer.text),
        evidence=evidence,
        meta={"scores": answer.scores},
    )
    counted = count_answer(metric, answer.question, prediction)
    value = _alone(metric, counted.row) if hasattr(metric, "each") else counted.row[0]
    return value, counted.cpu_seconds


def _drop_rounding(value: float) -> float:
    """A number without its last digits: two that are equal but for rounding are a tie, on every machine."""
    return float(f"{value:.{_DIGITS}g}")


def _alone(metric: AnyMetric, counts: tuple[float, ...]) -> float:
    """The value of one answer by a metric that divides last."""
    import numpy as np

    each: Numbers = metric.each(np.array([counts]))  # type: ignore[union-attr] # it counts several numbers
    return float(each[0])
