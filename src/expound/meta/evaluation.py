"""Does this number prefer what people prefer? Every metric on every source of judgments, beside trivial baselines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from expound.errors import UserError
from expound.meta.alike import Alike, alike, alike_rows
from expound.meta.judged import WITHOUT_ORDER, JudgedPair, People, read_judged
from expound.meta.meta_rows import ACCURACY, ALL, COST, HOLM, KENDALL, P_VALUE, MetaRow, graded_rows, pair_rows
from expound.meta.preferred import TIES, human_lean, lean_of
from expound.meta.scored import Believed, Scored, Scores, choose_metrics
from expound.protocols import AnyMetric
from expound.score.counts import Report
from expound.score.length import Length
from expound.stats.holm import holm

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

RANDOM, HUMAN, LENGTH = "Random", "Always human", "Length"
BASELINES = (RANDOM, HUMAN, LENGTH)
_BASELINE_SPECS = ("Random()", "AlwaysHuman()", "Length()")


@dataclass(frozen=True)
class Judged:
    """A source with what every metric prefers in it, baselines included."""

    people: People
    leans: dict[str, Numbers]
    unscored: Mapping[str, str]
    """Metrics that have no number for any answer of the source, with what they say that it lacks, if anything."""
    warnings: Mapping[str, str] = field(default_factory=dict)
    """What metrics say against themselves, by their label."""


@dataclass(frozen=True)
class Meta:
    """The rows, the sources, and how often two metrics prefer the same answer."""

    rows: tuple[MetaRow, ...]
    sources: tuple[Judged, ...]
    alike: Alike
    ties: str
    unordered: tuple[str, ...] = ()
    """Sources whose values have no order: they have no rows."""

    def best_baseline(self, source: str) -> MetaRow | None:
        """The baseline that is hardest to beat on a source: by accuracy."""
        found = self.of(source, ACCURACY)
        return max((row for row in found if row.metric in BASELINES), key=lambda row: row.value, default=None)

    def highest(self, source: str) -> MetaRow | None:
        """The metric, baselines aside, with the highest accuracy on a source, however low that is."""
        found = self.of(source, ACCURACY)
        return max((row for row in found if row.metric not in BASELINES), key=lambda row: row.value, default=None)

    def best(self, source: str) -> MetaRow | None:
        """The metric with the highest accuracy on a source, if that is above every baseline."""
        ahead, baseline = self.highest(source), self.best_baseline(source)
        # Above it: a metric that is only level with a baseline is not called the best.
        return ahead if ahead and baseline and ahead.value > baseline.value else None

    def of(self, source: str, measure: str, setting: str = ALL) -> list[MetaRow]:
        """Rows of a source that have a number."""
        wanted = (source, measure, setting)
        rows = (row for row in self.rows if (row.source, row.measure, row.setting) == wanted)
        return [row for row in rows if not math.isnan(row.value)]


def meta(
    people: Sequence[str | People],
    metrics: Sequence[str | AnyMetric],
    *,
    ties: str = "half",
    report: Report | None = None,
) -> Meta:
    """Hold metrics against people, by specs of judgments such as `xu2023:FILE` and specs of metrics.

    A metric with `-` before its spec is better when lower. `ties` is what a metric gets for a pair to whose answers it
    gives one number: half a point, none (`wrong`), or the pair is left `out`. Pairs on which people are split, or see
    no difference, are left out.
    """
    if ties not in TIES:
        raise UserError(f"no rule for ties named {ties!r}; there are: {', '.join(TIES)}")
    chosen = choose_metrics(metrics)
    # By identity: two sources at hand may be equal, and one handed over twice is one.
    read = {id(one): one for one in people if isinstance(one, People)}
    sources = [*read.values(), *read_judged([one for one in people if isinstance(one, str)])]
    if not sources or not chosen:
        raise UserError("name judgments and metrics: meta needs at least one of each")
    unordered = tuple(source.source for source in sources if not source.has_order)
    if len(unordered) == len(sources):
        raise UserError(f"{unordered[0]} {WITHOUT_ORDER}")
    found = [_judge(source, chosen, ties, report) for source in sources if source.has_order]
    judged = tuple(one for one, _ in found)
    rows = _with_holm([row for _, rows in found for row in rows])
    together = alike(judged)
    return Meta((*rows, *alike_rows(together)), judged, together, ties, unordered)


def _judge(
    people: People, chosen: Sequence[Believed], ties: str, report: Report | None
) -> tuple[Judged, list[MetaRow]]:
    answers = people.answers
    # Also where nobody asks for it: every other metric is held against it.
    scored = {LENGTH: Believed(Length()).score(answers)}
    # Baselines are always there: named among the metrics they would only stand there twice.
    scored |= {one.label: one.score(answers, report) for one in chosen if one.label not in _BASELINE_SPECS}
    scores = {name: found.scores for name, found in scored.items()}
    leans = {name: lean_of(found.scores, people.pairs, missing=found.missing) for name, found in scored.items()}
    lacking = {one.label: one.lacking for one in chosen}
    unscored = {name: lacking.get(name, "") for name, found in scores.items() if all(map(math.isnan, found.values()))}
    # Elsewhere the baseline has nothing to prefer, and would stand there with half of every point.
    if any(pair.setting == "human/model" for pair in people.pairs):
        leans = {HUMAN: human_lean(people.pairs), **leans}
    rows = [*_random_rows(people), *_rows(people, scores, leans, ties), *_cost_rows(people, scored)]
    return Judged(people, leans, unscored, {one.label: one.warning for one in chosen if one.warning}), rows


def _rows(people: People, scores: dict[str, Scores], leans: dict[str, Numbers], ties: str) -> Iterator[MetaRow]:
    for name, lean in leans.items():
        is_baseline = name in BASELINES
        yield from pair_rows(name, people, lean, leans[LENGTH], ties=ties, is_baseline=is_baseline)
        if people.graded and name in scores:
            yield from graded_rows(name, people, scores[name], scores[LENGTH], is_baseline=is_baseline)


def _cost_rows(people: People, scored: dict[str, Scored]) -> Iterator[MetaRow]:
    """What each metric took, whether it asks a model or not: a number is worth what it says at its price."""
    for name, found in scored.items():
        # What gives no number is not cheap: it was not asked.
        if not math.isnan(found.cost) and not all(map(math.isnan, found.scores.values())):
            yield _row(name, people, COST, value=found.cost, n=len(found.scores))


def _random_rows(people: People) -> Iterator[MetaRow]:
    """What a coin gets: known without throwing it."""
    decided = _list_decided(people)
    if decided:
        yield _row(RANDOM, people, ACCURACY, value=0.5, low=0.5, high=0.5, n=len(decided))
    if people.graded:
        graded = [one for one in people.graded if one.criterion == people.criteria[0]]
        yield _row(RANDOM, people, KENDALL, value=0.0, low=0.0, high=0.0, n=len(graded))


def _row(metric: str, people: People, measure: str, **numbers: Any) -> MetaRow:
    """A row of a whole source."""
    return MetaRow(metric=metric, source=people.source, setting=ALL, measure=measure, **numbers)


def _list_decided(people: People) -> list[JudgedPair]:
    return [pair for pair in people.pairs if pair.choice and pair.criterion == people.criteria[0]]


def _with_holm(rows: Sequence[MetaRow]) -> list[MetaRow]:
    """The rows, and Holm's correction for all metrics and sources, on whole sources."""
    tested = [row for row in rows if row.measure == P_VALUE and row.setting == ALL and not math.isnan(row.value)]
    # Over all metrics and all sources at once: whoever asks twenty questions finds one answer by chance.
    adjusted = holm([row.value for row in tested])
    return [
        *rows,
        *(replace(row, measure=HOLM, value=p_value) for row, p_value in zip(tested, adjusted, strict=True)),
    ]
