"""How long people took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, quantiles

from expound.types import Judgment


@dataclass(frozen=True, slots=True)
class RaterPace:
    """Seconds of active time on an item: quartiles, mean, extremes and total over visits (a rater on an item)."""

    visits: int
    total: float
    mean: float
    shortest: float
    lower_quartile: float
    median: float
    upper_quartile: float
    longest: float


def pace(judgments: Iterable[Judgment]) -> RaterPace | None:
    """The pace of all visits; none where no time is known. Several judgments of one visit share its time."""
    visits: dict[tuple[str, ...], float] = {}
    for one in judgments:
        if one.seconds is not None:
            key = visit_of(one)
            # The most and not the sum: each judgment of a visit carries the time of the whole page.
            visits[key] = max(visits.get(key, 0.0), one.seconds)
    return _pace(sorted(visits.values())) if visits else None


def visit_of(one: Judgment) -> tuple[str, ...]:
    """What a rater said to an item at one moment is one visit, whatever it was judged by."""
    # A part of an item that is judged by itself is named after the item; it was saved together with the others.
    item = one.item.partition("/")[0] if one.at else one.item
    return one.rater, one.question_id, one.at, item


def pace_by_rater(judgments: Sequence[Judgment]) -> dict[str, RaterPace]:
    """The pace of each rater whose times are known."""
    raters = sorted({one.rater for one in judgments})
    found = {rater: pace(one for one in judgments if one.rater == rater) for rater in raters}
    return {rater: times for rater, times in found.items() if times}


def _pace(seconds: Sequence[float]) -> RaterPace:
    # A single visit has no quartiles of its own.
    lower, median, upper = quantiles(seconds if len(seconds) > 1 else [*seconds] * 2, n=4, method="inclusive")
    return RaterPace(
        visits=len(seconds),
        total=sum(seconds),
        mean=mean(seconds),
        shortest=seconds[0],
        lower_quartile=lower,
        median=median,
        upper_quartile=upper,
        longest=seconds[-1],
    )
