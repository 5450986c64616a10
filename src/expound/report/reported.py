"""What a report has found: the same for the page, the tables and the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from expound.stats.proportions import Figure
from expound.types import Comparison, Judgment, MetricResult, Prediction, Question

SURE = 0.05
"""A difference is called real where the corrected p-value is below it, as in the papers."""


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """What an audit found of a system: outcome, check and sentence of each of its checks."""

    metric: str = ""
    """The metric that the audit was about."""
    found: tuple[tuple[str, str, str], ...] = ()

    def failures(self) -> list[str]:
        """The sentences of the checks that failed."""
        return [sentence for outcome, _, sentence in self.found if outcome == "fail"]

    def about(self, metric: str) -> list[tuple[str, str, str]]:
        """Those that name a metric; their sentences have it in brackets."""
        return [one for one in self.found if f"({metric})" in one[2] or f"({metric}, " in one[2]]


@dataclass(frozen=True, kw_only=True)
class ReportedSystem:
    """A system of the report: its answers, its numbers and what else is known of it."""

    name: str
    letter: str
    """Stands for the system where others are said to be above it."""
    predictions: Mapping[str, Prediction]
    results: Mapping[str, MetricResult]
    errors: Mapping[str, str] = field(default_factory=dict)
    spec: Mapping[str, Any] = field(default_factory=dict)
    spent: Mapping[str, float] = field(default_factory=dict)
    verdicts: Verdicts | None = None

    @cached_property
    def words(self) -> float:
        """Of an answer, on average."""
        return _mean([len(one.answer.text.split()) for one in self.predictions.values()])

    @cached_property
    def seconds(self) -> float:
        """That an answer took, on average; 0 where nobody took the time."""
        return _mean([one.seconds for one in self.predictions.values()])


@dataclass(frozen=True, kw_only=True)
class PeopleSaid:
    """What the people of a study preferred, and how often each metric prefers the same."""

    judgments: tuple[Judgment, ...]
    points: Mapping[str, Mapping[str, Figure]]
    """By criterion and system: points in percent of comparisons, 1 for a win and 1/2 for a tie."""
    agreement: Mapping[str, Mapping[str, Figure]]
    """By criterion and metric: the share of people's choices that the metric shares."""

    @cached_property
    def by_question(self) -> dict[str, list[Judgment]]:
        """The judgments of every question that has any."""
        found: dict[str, list[Judgment]] = {}
        for one in self.judgments:
            found.setdefault(one.question_id, []).append(one)
        return found


@dataclass(frozen=True, kw_only=True)
class JudgeSaid:
    """A judge and a criterion: how often it chooses what people choose, and what its own audit says of it."""

    judge: str
    criterion: str
    judgments: int
    agrees: Figure
    verdict: str
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reported:
    """Everything that a report shows."""

    dataset: str
    questions: Sequence[Question]
    systems: Sequence[ReportedSystem]
    comparisons: Sequence[Comparison] = ()
    bounds: Mapping[str, Mapping[str, MetricResult]] = field(default_factory=dict)
    """Numbers of no system by name and metric: what trivial answers get, and what people get."""
    people: PeopleSaid | None = None
    judges: Sequence[JudgeSaid] = ()
    seed: int = 0
    samples: int = 0
    """Resamples and permutations of a comparison."""

    @property
    def metrics(self) -> list[str]:
        """Every metric that any system has a number of."""
        return list(dict.fromkeys(name for system in self.systems for name in system.results))

    def beaten(self, system: str, metric: str) -> list[str]:
        """The letters of the systems that this one is surely above, by a metric."""
        letters = {one.name: one.letter for one in self.systems}
        sure = [one for one in self.comparisons if one.metric == metric and one.p_holm < SURE]
        below = [one.b if one.difference > 0 else one.a for one in sure if system == _upper(one)]
        return [letters[name] for name in below]


_DOMAINS = ("domain", "category", "subreddit", "topic", "dataset")
"""Fields in which datasets say what a question is about."""


def domain_of(question: Question, reported: Reported) -> str:
    """The domain of a question: as its dataset has it, else as a judgment of it does; nothing where none does."""
    told = (question.meta.get(name) for name in _DOMAINS)
    judged = reported.people.by_question.get(question.id, ()) if reported.people else ()
    return next((str(one) for one in (*told, *(vote.domain for vote in judged)) if one), "")


def _upper(one: Comparison) -> str:
    return one.a if one.difference > 0 else one.b


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
