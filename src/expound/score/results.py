"""Numbers of predictions: one a metric, with its interval, its value per question and its signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

from expound import resources
from expound.datasets.predictions import predictions_from, read_predictions
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.protocols import AnyMetric, Reader
from expound.score.count_table import CountTable
from expound.score.counting import asks_model
from expound.score.counts import Report, count_all
from expound.score.failures import Failures
from expound.score.looks_at import looks_at
from expound.score.pairs import Matcher
from expound.score.profile import Profile, profile_of
from expound.score.protocol import find_protocol, people
from expound.score.read_off import read_off
from expound.score.unavailable import Unavailable
from expound.types import MetricResult, Prediction, Question

Predictions: TypeAlias = str | Path | Mapping[str, object] | Iterable[Prediction]
Questions: TypeAlias = str | Iterable[Question]
Metrics: TypeAlias = str | Profile | Sequence[str | AnyMetric]

# Moves the ends of an interval by a few per cent of its width from seed to seed; more would make scoring slow.
SAMPLES = 1000
# Pairs by which a profile sees what a file has (readings, evidence); the others are streamed.
_LOOKED_AT = 100


@dataclass(frozen=True, slots=True)
class Scores:
    """What scoring a set of predictions found: a sequence of results, and what was left out of them."""

    n: int
    results: list[MetricResult]
    unanswered: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Metrics of the profile that could score nothing: what they need was not given."""
    cannot_be_had: Mapping[str, str] = field(default_factory=dict)
    """Metrics of the profile that nobody has weights for, and why."""
    note: str = ""
    """What the profile says of all its numbers."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """Why the system failed, by the ids of the questions that it failed on: these are not scored."""
    stand_ins: int = 0
    """Answers of another system, where the one that was asked failed."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """CPU-seconds that a thousand answers take by each metric, where one of them asks a model."""

    def __iter__(self) -> Iterator[MetricResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, place: int) -> MetricResult:
        return self.results[place]

    @property
    def missing(self) -> int:
        """How many ids stand in the predictions only, or in the dataset only."""
        return len(self.unanswered) + len(self.unknown)


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
        cannot = {one.name: one.lacking for one in self.profile.metrics if isinstance(one, Unavailable)}
        left_out = [one.name for one in self.profile.metrics if one.name not in shown and one.name not in cannot]
        failures = table.failures
        return Scores(
            n=len(table.ids), results=kept, unanswered=matcher.unanswered, unknown=matcher.unknown, left_out=left_out,
            errors=failures.errors, stand_ins=failures.stand_ins,
            cannot_be_had=cannot, note=self.profile.note,
            costs=table.costs if any(map(asks_model, self.profile.metrics)) else {},
        )  # fmt: skip

    def count(self, predictions: Predictions, dataset: Questions) -> tuple[Matcher, CountTable]:
        """The counts that every number is made of."""
        resources.require(self.resources)  # said before a reader reads anything
        # People have no predictions: each reference takes its turn.
        answers = people(as_questions(dataset)) if self.protocol == "human" else as_predictions(predictions)
        matcher = Matcher(as_questions(dataset), answers, name_of(predictions))
        failures = Failures()
        pairs = failures.left_out(self.profile.check_pairs(matcher))
        if self.reader and any("reader" in looks_at(metric) for metric in self.profile.metrics):
            pairs = read_off(pairs, self.reader, find_protocol(self.protocol))
        # Read ahead and put back in front: pairs are a stream that cannot be read twice.
        first = list(islice(pairs, _LOOKED_AT))
        metrics = self.profile.fit_to(first).metrics
        protocol = find_protocol(self.protocol)
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
        return resources.list_needed(self.profile.metrics)

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


def as_predictions(given: Predictions) -> Iterable[Prediction]:
    """Predictions from a file, a mapping, or as they are."""
    if isinstance(given, str | Path):
        return read_predictions(Path(given))
    return predictions_from(given, "predictions") if isinstance(given, Mapping) else given


def name_of(given: Predictions) -> str:
    """What to call the predictions in a message: their file, if they are one."""
    return str(given) if isinstance(given, str | Path) else ""


def as_questions(given: Questions) -> Iterable[Question]:
    """Questions from a dataset spec, or as they are."""
    return open_dataset(given) if isinstance(given, str) else given
