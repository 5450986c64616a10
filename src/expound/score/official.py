"""The number ASQA's scorer prints for ROUGE: not the mean of the questions, but the median of bootstrap means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from expound.errors import UserError
from expound.score.results import Scores
from expound.types import MetricResult

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    import numpy as np

    from expound.protocols import Numbers

_SAMPLES = 1000  # the default of the official scorer's BootstrapAggregator


def official_aggregate(values: Sequence[Sequence[float]], seed: int) -> list[float]:
    """Per metric (a row of one value per question), the median of 1,000 bootstrap means (ASQA, `scoring.py`).

    The official code never seeds NumPy's generator, so its numbers move from run to run; `seed` picks one of the runs.
    Several metrics depend on each other through the generator: all are resampled once for each of them, and a metric's
    value is that of the repetition with its own number. Same unit as the values.

    >>> official_aggregate([[10.0, 20.0, 60.0], [1.0, 1.0, 1.0]], seed=0)
    [30.0, 1.0]
    """
    import numpy as np

    sizes = {len(row) for row in values}
    if len(sizes) != 1 or 0 in sizes:
        raise UserError(f"the official aggregate needs as many values of every metric, got {sorted(sizes)}")
    # The generator of the original, whose draws differ from those of today's.
    random = np.random.RandomState(seed)
    table = np.asarray(values, dtype=np.float64)
    repetitions = range(len(table))
    # In the order in which the script draws: a metric's number depends on those before it.
    medians = [[_median_of_means(row, random) for row in table] for _ in repetitions]
    return [medians[place][place] for place in repetitions]


def _median_of_means(row: Numbers, random: np.random.RandomState) -> float:
    import numpy as np

    size = len(row)
    return float(np.median([row[random.randint(0, size, size)].mean() for _ in range(_SAMPLES)]))


def with_official_aggregate(scores: Scores, seed: int, *, alone: bool = True) -> Scores:
    """Scores with ROUGE, and the DR made of it, as ASQA's script would print them in a run with this seed.

    All kinds of ROUGE are resampled as in one run of the script. ROUGE-Lsum is by default resampled `alone`, since the
    script asks for no other kind unless told to. Intervals stay those of the plain bootstrap.
    """
    by_name = {result.metric: result for result in scores.results}
    kinds = [result for result in scores.results if result.metric.startswith("rouge_") and _is_asqa(result)]
    if not kinds:
        raise UserError("the official aggregate is a way of averaging ASQA's ROUGE, and there is none")
    together = official_aggregate([list(result.per_question.values()) for result in kinds], seed)
    values = {result.metric: value for result, value in zip(kinds, together, strict=True)}
    # Alone, it is the first to draw.
    if alone and "rouge_lsum" in values:
        values["rouge_lsum"] = official_aggregate([list(by_name["rouge_lsum"].per_question.values())], seed)[0]
    # Made of other numbers, it cannot be resampled by itself.
    if "dr" in by_name and "qa_f1" not in by_name:
        raise UserError("the official DR is made of qa_f1 and rouge_lsum; ask for qa_f1 too")
    if "dr" in by_name:
        values["dr"] = math.sqrt(by_name["qa_f1"].value * values["rouge_lsum"])
    how = f"official-{seed}-{'alone' if alone else 'together'}"
    results = [_replace_value(result, values, how) for result in scores.results]
    return replace(scores, results=results)


def _is_asqa(result: MetricResult) -> bool:
    return "profile:asqa" in result.signature.split("|")


def _replace_value(result: MetricResult, values: Mapping[str, float], how: str) -> MetricResult:
    if result.metric not in values:
        return result
    signature = f"{result.signature}|aggregate:{how}"
    return replace(result, value=values[result.metric], signature=signature)
