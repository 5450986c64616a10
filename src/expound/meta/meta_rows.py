"""The rows of a meta-evaluation: each metric on each source, cut by who is compared, by domain and by aspect."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from expound.meta.judged import GradedAnswer, JudgedPair, People
from expound.meta.preferred import accuracy, compare, pairs_for_chance, pairs_for_difference, points_of, questions_of
from expound.meta.scored import Scores
from expound.stats.clusters import (
    NORMAL_95,
    clustered_correlation,
    correlation_of_few,
    group_numbers,
    jackknife_error,
    kendall_without,
    pearson_without,
    spearman_without,
)
from expound.stats.proportions import Figure

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers
    from expound.stats.clusters import Groups

ALL = "all"
ACCURACY, DIFFERENCE, P_VALUE, HOLM = "accuracy", "accuracy - Length", "p to Length", "p to Length, Holm"
TO_CHANCE, TO_LENGTH = "pairs to tell from chance", "pairs to tell from Length"
UNSCORED = "pairs without a number"
COST = "CPU-seconds per thousand answers"
KENDALL, SYSTEMS = "kendall_b", "pearson of systems"
_CORRELATIONS = {KENDALL: kendall_without, "spearman": spearman_without, "pearson": pearson_without}


@dataclass(frozen=True)
class MetaRow:
    """One number of one metric on one source; `ties` are pairs to whose answers the metric gives the same number."""

    metric: str
    source: str
    setting: str
    measure: str
    value: float
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    ties: int = 0

    def record(self) -> dict[str, Any]:
        """The row as JSON has it: nothing in place of what is not a number."""
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in asdict(self).items()
        }


def slices(people: People) -> dict[str, tuple[str, Callable[[JudgedPair | GradedAnswer], bool]]]:
    """The cuts of a source by name: the criterion of each, and what belongs to it."""
    first, *others = people.criteria
    cuts: dict[str, tuple[str, Callable[[JudgedPair | GradedAnswer], bool]]] = {ALL: (first, lambda one: True)}
    settings = sorted({pair.setting for pair in people.pairs if pair.criterion == first and pair.setting})
    both: tuple[JudgedPair | GradedAnswer, ...] = (*people.pairs, *people.graded)
    domains = sorted({one.domain for one in both if one.criterion == first and one.domain})
    cuts |= {setting: (first, partial(_has_setting, setting)) for setting in settings}
    # One domain would be the whole source again.
    cuts |= {f"domain {domain}": (first, partial(_has_domain, domain)) for domain in domains if len(domains) > 1}
    return cuts | {f"aspect {aspect}": (aspect, lambda one: True) for aspect in ([first, *others] if others else [])}


def pair_rows(
    metric: str, people: People, lean: Numbers, length: Numbers, *, ties: str, is_baseline: bool
) -> Iterator[MetaRow]:
    """Accuracy in every cut; on the whole source also the difference to Length, and pairs that a claim would need."""
    for setting, (criterion, belongs) in slices(people).items():
        chosen = [place for place, pair in enumerate(people.pairs) if pair.criterion == criterion and belongs(pair)]
        if chosen:
            pairs = [people.pairs[place] for place in chosen]
            row = partial(MetaRow, metric, people.source, setting)
            yield from _cut_rows(row, pairs, lean[chosen], length[chosen], ties=ties, is_baseline=is_baseline)


def _cut_rows(
    row: partial[MetaRow], pairs: Sequence[JudgedPair], lean: Numbers, length: Numbers, *, ties: str,
    is_baseline: bool,
) -> Iterator[MetaRow]:  # fmt: skip
    points, groups = points_of(lean, pairs, ties), questions_of(pairs)
    figure = accuracy(points, groups)
    equal = sum(1 for value, pair in zip(lean.tolist(), pairs, strict=True) if value == 0 and pair.choice)
    yield row(ACCURACY, **_of(figure), ties=equal)
    # A baseline is not held against Length: it is what others are held against.
    if is_baseline or not figure.n:
        return
    compared = compare(points, points_of(length, pairs, ties), groups)
    yield row(DIFFERENCE, **_of(compared.difference), ties=equal)
    yield row(P_VALUE, compared.p_value, n=compared.difference.n, ties=equal)
    # Of whole sources alone: cuts are looked at for ideas, and a claim needs a study of its own.
    if row.args[-1] == ALL:
        yield row(UNSCORED, float(count_unscored(lean, pairs)), n=sum(1 for pair in pairs if pair.choice))
        yield row(TO_CHANCE, pairs_for_chance(figure), n=figure.n, ties=equal)
        yield row(TO_LENGTH, pairs_for_difference(compared), n=compared.difference.n, ties=equal)


def count_unscored(lean: Numbers, pairs: Sequence[JudgedPair]) -> int:
    """Pairs on which people agree, and of which the metric has no number for one answer or for both."""
    return sum(1 for value, pair in zip(lean.tolist(), pairs, strict=True) if math.isnan(value) and pair.choice)


def graded_rows(metric: str, people: People, scores: Scores, length: Scores, *, is_baseline: bool) -> Iterator[MetaRow]:
    """How well the metric's numbers go with people's grades in every cut."""
    for setting, (criterion, belongs) in slices(people).items():
        chosen = [one for one in people.graded if one.criterion == criterion and belongs(one)]
        if chosen:
            row = partial(MetaRow, metric, people.source, setting)
            yield from _correlation_rows(row, chosen, scores, length, is_baseline=is_baseline)


def _correlation_rows(
    row: partial[MetaRow], graded: Sequence[GradedAnswer], scores: Scores, length: Scores, *, is_baseline: bool
) -> Iterator[MetaRow]:
    import numpy as np

    known = [one for one in graded if not math.isnan(scores[one.answer.key])]
    values = np.array([scores[one.answer.key] for one in known])
    grades = np.array([one.grade for one in known])
    groups = group_numbers([one.answer.question.id for one in known])
    for name, leave_out in _CORRELATIONS.items():
        yield row(name, **_of(clustered_correlation(values, grades, groups, leave_out)))
    yield row(SYSTEMS, **_of(_of_systems(known, values, grades)))
    # Of two answers every correlation is 1 or -1.
    if not is_baseline and len(known) > 2:
        words = np.array([length[one.answer.key] for one in known])
        yield row(f"{KENDALL} - Length", **_of(_kendall_difference(values, words, grades, groups)))


def _of_systems(known: Sequence[GradedAnswer], values: Numbers, grades: Numbers) -> Figure:
    """Pearson's r of the systems' means, over so many systems."""
    import numpy as np

    # Answers whose writer the file does not name are no system of their own.
    is_named = np.array([bool(one.answer.system) for one in known], dtype=bool)
    values, grades = values[is_named], grades[is_named]
    systems = group_numbers([one.answer.system for one in known if one.answer.system])
    # Two means always lie on a line.
    if len(set(systems.tolist())) < 3:
        return Figure(math.nan, math.nan, math.nan, len(set(systems.tolist())))
    counts = np.bincount(systems)
    means = [np.bincount(systems, weights=side) / counts for side in (values, grades)]
    return correlation_of_few(means[0], means[1])


def _kendall_difference(values: Numbers, words: Numbers, grades: Numbers, groups: Groups) -> Figure:
    # Left out in both at once: they are of the same grades and go up and down together, so that two errors added up
    # would be too wide.
    ours, left = kendall_without(values, grades, groups)
    theirs, left_theirs = kendall_without(words, grades, groups)
    half = NORMAL_95 * jackknife_error(left - left_theirs)
    return Figure(ours - theirs, ours - theirs - half, ours - theirs + half, len(values))


def _of(figure: Figure) -> Mapping[str, Any]:
    return {"value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n}


def _has_setting(setting: str, one: JudgedPair | GradedAnswer) -> bool:
    return isinstance(one, JudgedPair) and one.setting == setting


def _has_domain(domain: str, one: JudgedPair | GradedAnswer) -> bool:
    return one.domain == domain
