"""Score predictions: a number per metric, with its interval, its value per question and its signature."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from expound import resources
from expound.datasets.predictions import predictions_from, read_predictions
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.protocols import AnyMetric, Reader
from expound.score.counts import Counts, Report, count_all
from expound.score.failures import Failures
from expound.score.looks_at import looks_at
from expound.score.pairs import Matcher
from expound.score.profile import Profile, profile_of
from expound.score.protocol import people, protocol_named
from expound.score.read_off import read_off
from expound.stats.bootstrap import intervals, mean
from expound.types import MetricResult, Prediction, Question
from expound.version import __version__

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from expound.protocols import Numbers
    from expound.stats.bootstrap import Pool

    Mask: TypeAlias = npt.NDArray[np.bool_]

Predictions: TypeAlias = str | Path | Mapping[str, object] | Iterable[Prediction]
Questions: TypeAlias = str | Iterable[Question]
Metrics: TypeAlias = str | Profile | Sequence[str | AnyMetric]

# Moves the ends of an interval by a few per cent of its width from seed to seed; more would make scoring slow.
SAMPLES = 1000
# Pairs by which a profile sees what a file has (readings, evidence); the others are streamed.
_LOOKED_AT = 100
_TOLD_IF_ANY = ("missing", "errors", "stand_ins", "unscored")


@dataclass(frozen=True, slots=True)
class Scores:
    """What scoring a set of predictions found."""

    n: int
    results: list[MetricResult]
    unanswered: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Metrics of the profile that could score nothing: what they need was not given."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """Why the system failed, by the ids of the questions that it failed on: these are not scored."""
    stand_ins: int = 0
    """Answers of another system, where the one that was asked failed."""

    @property
    def missing(self) -> int:
        """How many ids stand in the predictions only, or in the dataset only."""
        return len(self.unanswered) + len(self.unknown)


def score(
    predictions: Predictions,
    dataset: Questions,
    metrics: Metrics = "asqa",
    *,
    seed: int = 0,
    samples: int = SAMPLES,
    allow_missing: bool = False,
    protocol: str = "standard",
    jobs: int = 1,
    reader: Reader | None = None,
) -> list[MetricResult]:
    """Score predictions against a dataset.

    Predictions are a file in an official layout, a mapping of ids to answers, or records; the dataset a spec such as
    `asqa:dev.json`, or questions; metrics a profile's name, or metrics and their specs. Both sides must have the same
    ids unless `allow_missing`. With `jobs` above 1 (0: all cores) the calling script needs a `__main__` guard.
    """
    chosen = Scorer(metrics, seed, samples, allow_missing, protocol, jobs, reader=reader)
    return chosen.score(predictions, dataset).results


@dataclass(frozen=True)
class Scorer:
    """How to score: which metrics, by which protocol, with which resamples."""

    metrics: Metrics = "asqa"
    seed: int = 0
    samples: int = SAMPLES
    allow_missing: bool = False
    protocol: str = "standard"
    jobs: int = 1
    per_question: bool = True
    report: Report | None = None
    reader: Reader | None = None
    """Reads the short answers of ASQA's QA metrics and DR off the long ones."""

    def score(self, predictions: Predictions, dataset: Questions) -> Scores:
        """The numbers of one set of predictions."""
        matcher, table = self.count(predictions, dataset)
        results = list(table.results(self.seed, self.samples, per_question=self.per_question))
        # A profile's metrics that nothing was given for (a reader's answers, say) are left out, not shown as empty.
        kept = [result for result in results if result.n or not self.profile.name]
        shown = {result.metric for result in kept}
        left_out = [metric.name for metric in self.profile.metrics if metric.name not in shown]
        failures = table.failures
        return Scores(
            n=len(table.ids), results=kept, unanswered=matcher.unanswered, unknown=matcher.unknown, left_out=left_out,
            errors=failures.errors, stand_ins=failures.stand_ins,
        )  # fmt: skip

    def count(self, predictions: Predictions, dataset: Questions) -> tuple[Matcher, CountTable]:
        """The counts that every number is made of."""
        resources.require(self.resources)  # said before a reader reads anything
        # People have no predictions: each reference takes its turn.
        answers = people(as_questions(dataset)) if self.protocol == "human" else as_predictions(predictions)
        matcher = Matcher(as_questions(dataset), answers, named(predictions))
        failures = Failures()
        pairs = failures.left_out(self.profile.checked(matcher))
        if self.reader and any("reader" in looks_at(metric) for metric in self.profile.metrics):
            pairs = read_off(pairs, self.reader, protocol_named(self.protocol))
        # Read ahead and put back in front: pairs are a stream that cannot be read twice.
        first = list(islice(pairs, _LOOKED_AT))
        metrics = self.profile.fitted(first).metrics
        protocol = protocol_named(self.protocol)
        rows = count_all(chain(first, pairs), metrics, protocol=protocol, jobs=self.jobs, report=self.report)
        # After counting, because only then all ids have been seen.
        if not self.allow_missing:
            matcher.check()
        if not len(rows):
            raise UserError(f"nothing to score: {failures.why_none() or 'no prediction has the id of a question'}")
        return matcher, CountTable.of(metrics, rows, matcher, failures, about=self._unusual())

    @property
    def resources(self) -> list[str]:
        """The fetched files that the metrics cannot do without."""
        return resources.needed_by(self.profile.metrics)

    def _unusual(self) -> dict[str, str | int]:
        """The options that a signature tells when they are not the usual ones."""
        chosen: dict[str, str | int] = {"protocol": self.protocol, "samples": self.samples}
        usual = {"protocol": "standard", "samples": SAMPLES}
        return {name: value for name, value in chosen.items() if value != usual[name]}

    @cached_property
    def profile(self) -> Profile:
        """The metrics, as a profile; without a name when they were chosen one by one."""
        profile = self.metrics if isinstance(self.metrics, Profile) else profile_of(self.metrics)
        return profile.read_by(self.reader)


def reader_of(result: MetricResult) -> str:
    """The reader that a number depends on, if any."""
    parts = [part.partition(":") for part in result.signature.split("|")]
    return next((value for name, _, value in parts if name == "reader"), "")


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
        return cls(metrics, [matcher.ids[place] for place in places], tables, facts, len(matcher.ids), failures)

    def results(self, seed: int, samples: int, *, per_question: bool = True) -> Iterator[MetricResult]:
        """Every metric's number; metrics over the same questions share their resamples."""
        scored = [self.scored(place) for place in range(len(self.metrics))]
        found = self._intervals(scored, seed, samples)
        for place, metric in enumerate(self.metrics):
            mask, counts = scored[place], self.tables[place][scored[place]]
            # Per-question values of a million questions are not made where nobody asked for them.
            ids = [id for id, is_scored in zip(self.ids, mask, strict=True) if is_scored] if per_question else []
            values = each(metric, counts).tolist() if per_question else []
            yield MetricResult(
                metric.name,
                value_of(metric, counts),
                *found[place],
                len(counts),
                self.signature(metric, len(counts), seed),
                dict(zip(ids, values, strict=True)),
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


def as_predictions(given: Predictions) -> Iterable[Prediction]:
    """Predictions from a file, a mapping, or as they are."""
    if isinstance(given, str | Path):
        return read_predictions(Path(given))
    return predictions_from(given, "predictions") if isinstance(given, Mapping) else given


def named(given: Predictions) -> str:
    """What to call the predictions in a message: their file, if they are one."""
    return str(given) if isinstance(given, str | Path) else ""


def as_questions(given: Questions) -> Iterable[Question]:
    """Questions from a dataset spec, or as they are."""
    return open_dataset(given) if isinstance(given, str) else given
