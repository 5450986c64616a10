"""Compare systems on the same questions: paired differences, intervals, p-values, wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from expound.errors import UserError
from expound.models.readers import open_reader
from expound.protocols import AnyMetric, Reader
from expound.score.beside import NO_SIDE_FILES, SideFiles, with_side_files
from expound.score.count_table import CountTable, each, pool_of, value_of
from expound.score.counts import Report
from expound.score.results import Metrics, Predictions, Questions, Scorer
from expound.stats.bootstrap import paired_difference
from expound.stats.holm import holm
from expound.types import Comparison

if TYPE_CHECKING:
    from expound.protocols import Numbers

# Ten times a score's: p-values near .05 are told to two digits with these, and pairs are few.
SAMPLES = 10_000


def compare(
    systems: Mapping[str, Predictions],
    dataset: Questions,
    metrics: Metrics = "asqa",
    *,
    side_files: Sequence[SideFiles] = (),
    reader: Reader | str | None = None,
    allow_missing: bool = False,
    seed: int = 0,
    samples: int = SAMPLES,
    jobs: int = 1,
    report: Report | None = None,
) -> list[Comparison]:
    """Every pair of systems by every metric, on the questions that both answer.

    The interval is a paired bootstrap, the p-value a two-sided paired permutation test, corrected after Holm for the
    pairs of systems (per metric). Ties and wins are counted by question. Side files are one for each system, in the
    systems' order; the rest is as for `score`.
    """
    beside = side_files or [NO_SIDE_FILES] * len(systems)
    answers = {
        name: with_side_files(predictions, files, allow_missing=allow_missing)
        for (name, predictions), files in zip(systems.items(), beside, strict=True)
    }
    scorer = Scorer(
        metrics,
        seed=seed,
        samples=samples,
        allow_missing=allow_missing,
        jobs=jobs,
        report=report,
        reader=open_reader(reader) if isinstance(reader, str) else reader,
    )
    return compare_with(scorer, answers, dataset)


def compare_with(scorer: Scorer, systems: Mapping[str, Predictions], dataset: Questions) -> list[Comparison]:
    """Compare as a scorer says."""
    if len(systems) < 2:
        raise UserError("a comparison needs two or more systems")
    # Counted once for each system, however many pairs it is in.
    return compare_counted(scorer, {name: scorer.count(given, dataset)[1] for name, given in systems.items()})


def compare_counted(scorer: Scorer, tables: Mapping[str, CountTable]) -> list[Comparison]:
    """Compare systems whose answers are counted already."""
    _check_any(scorer, tables)
    # A metric that one of the systems gave nothing for cannot be compared.
    named = [metric.name for metric in scorer.profile.metrics]
    names = [name for name in named if all(name in _metrics(table) for table in tables.values())]
    found: list[Comparison] = []
    for number, name in enumerate(names):
        if scorer.report:
            scorer.report("comparing", number, len(names))
        found += _compare_all(name, tables, scorer)
    return found


def _compare_all(metric: str, tables: Mapping[str, CountTable], scorer: Scorer) -> list[Comparison]:
    pairs = [_pair(metric, a, b, tables=tables, scorer=scorer) for a, b in combinations(tables, 2)]
    found = [pair for pair in pairs if pair is not None]
    # Per metric: the pairs of systems are what one looks through for a difference, metrics are asked for by name.
    adjusted = holm([pair.p_value for pair in found])
    return [replace(pair, p_holm=p_holm) for pair, p_holm in zip(found, adjusted, strict=True)]


def _pair(metric: str, a: str, b: str, tables: Mapping[str, CountTable], scorer: Scorer) -> Comparison | None:
    """Two systems by one metric; None when no question is scored for both."""
    place = _metrics(tables[a]).index(metric)
    chosen = tables[a].metrics[place]
    ours, theirs = _common(tables[a], tables[b], metric)
    if not len(ours):
        return None
    test = paired_difference(ours, theirs, seed=scorer.seed, samples=scorer.samples, pool=pool_of(chosen))
    wins, ties, losses = _wins(chosen, ours, theirs)
    return Comparison(
        metric=metric, a=a, b=b, a_value=value_of(chosen, ours), b_value=value_of(chosen, theirs),
        # p_holm is a placeholder until all pairs are known.
        difference=test.difference, low=test.low, high=test.high, p_value=test.p_value, p_holm=test.p_value,
        wins=wins, ties=ties, losses=losses, n=len(ours), missing=_missing(tables[a], tables[b]),
        signature=_signature(tables[a], tables[b], chosen, n=len(ours), seed=scorer.seed),
        errors=len(_failed(tables[a], tables[b])),
    )  # fmt: skip


def _common(a: CountTable, b: CountTable, metric: str) -> tuple[Numbers, Numbers]:
    """The counts of both systems for the questions that the metric scores for both, in one order."""
    sides = []
    for table in (a, b):
        place = _metrics(table).index(metric)
        rows = zip(table.ids, table.scored(place), table.tables[place], strict=True)
        sides.append({id: row for id, is_scored, row in rows if is_scored})
    # In the order of the first system, which is the dataset's: the seed then gives the same resamples.
    ids = [id for id in sides[0] if id in sides[1]]
    ours, theirs = (_stack_values([side[id] for id in ids]) for side in sides)
    return ours, theirs


def _signature(a: CountTable, b: CountTable, metric: AnyMetric, n: int, seed: int) -> str:
    """That of the questions both systems have: what only one of them has is missing, not unscored."""
    others = set(b.ids)
    common = [id for id in a.ids if id in others]
    stand_ins = a.failures.stand_ins + b.failures.stand_ins
    left_out = {"missing": _missing(a, b), "errors": len(_failed(a, b)), "stand_ins": stand_ins}
    return replace(a, ids=common, facts={**a.facts, **left_out}).signature(metric, n, seed)


def _missing(a: CountTable, b: CountTable) -> int:
    """Questions of the dataset that one of the systems has no prediction for, though neither failed on them."""
    both = len(set(a.ids) & set(b.ids))
    return max(a.asked, b.asked) - both - len(_failed(a, b))


def _failed(a: CountTable, b: CountTable) -> set[str]:
    """Questions that one of the systems failed on."""
    return {*a.failures.errors, *b.failures.errors}


def _check_any(scorer: Scorer, tables: Mapping[str, CountTable]) -> None:
    """Refuse to print an empty table: some metric has to have scored something for every system."""
    for name, table in tables.items():
        if not any(table.scored(place).any() for place in range(len(table.metrics))):
            names = ", ".join(metric.name for metric in scorer.profile.metrics)
            raise UserError(f"nothing in {name} could be scored by {names}: what they need was not given")


def _stack_values(rows: Sequence[Numbers]) -> Numbers:
    import numpy as np

    # An empty table still needs a column, so that its shape fits.
    return np.stack(rows) if rows else np.empty((0, 1))


def _wins(metric: AnyMetric, ours: Numbers, theirs: Numbers) -> tuple[int, int, int]:
    import numpy as np

    # Two ways of summing the same overlaps may differ in the last digit.
    difference = each(metric, ours) - each(metric, theirs)
    wins, losses = (int(np.count_nonzero(sign * difference > 1e-9)) for sign in (1, -1))
    return wins, len(difference) - wins - losses, losses


def _metrics(table: CountTable) -> list[str]:
    return [metric.name for metric in table.metrics]
