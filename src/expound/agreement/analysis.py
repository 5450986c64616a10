"""A finished study in figures: preferences, agreement, bias, time and disagreement, over all and by domain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from expound.agreement.criterion import Choices, Settings, Values, analyze_choices, analyze_values
from expound.agreement.labels import system_order
from expound.agreement.marked_spans import SpanAgreement, is_marked, span_agreement
from expound.agreement.pace import RaterPace, pace, pace_by_rater, visit_of
from expound.agreement.values import percent
from expound.errors import UserError
from expound.stats.interim import Look
from expound.stats.proportions import Figure
from expound.types import Judgment
from expound.version import __version__


@dataclass(frozen=True, slots=True)
class AnalysisSection:
    """The figures of a study or of one of its domains.

    A judgment is what one rater said to one item, by however many criteria. `left_open` counts what was not answered,
    by criterion; `percentages` are by system and column: points of comparisons, or the mean of yes / no and of boxes.
    """

    judgments: int
    left_open: dict[str, int]
    items: int
    questions: int
    raters: tuple[str, ...]
    choices: tuple[Choices, ...]
    values: tuple[Values, ...]
    spans: tuple[SpanAgreement, ...]
    percentages: dict[str, dict[str, Figure]]
    pace: RaterPace | None
    pace_by_rater: dict[str, RaterPace]


@dataclass(frozen=True, slots=True)
class DomainMean:
    """The share of one system against another, by a criterion: the plain mean of the domains' shares."""

    criterion: str
    a: str
    b: str
    share: float
    domains: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """A study's figures, over all and by domain. Intervals are of 95 %; `look` is known of a study that is served."""

    studies: tuple[str, ...]
    forms: tuple[str, ...]
    systems: tuple[str, ...]
    overall: AnalysisSection
    domains: dict[str, AnalysisSection]
    domain_means: tuple[DomainMean, ...]
    seed: int
    samples: int
    version: str
    look: Look | None = None


def analyze(judgments: Iterable[Judgment], settings: Settings | None = None) -> Analysis:
    """Everything that the judgments of a study say."""
    judgments, settings = list(judgments), settings or Settings()
    if not judgments:
        raise UserError("there are no judgments to analyze yet")
    systems = system_order(judgments, settings.systems)
    # A tie that was chosen was offered, whatever the form says.
    ties = frozenset(one.criterion for one in judgments if one.choice == "tie")
    # Before the sections: a domain without a tie still had the choice.
    settings = replace(settings, systems=systems, has_ties=settings.has_ties | ties)
    sections = {name: _section(group, settings) for name, group in _domains(judgments).items()}
    return Analysis(
        studies=tuple(sorted({one.study for one in judgments})),
        forms=tuple(sorted({one.form for one in judgments})),
        systems=tuple(systems),
        overall=_section(judgments, settings),
        domains=sections,
        domain_means=tuple(_domain_means(sections)),
        seed=settings.seed,
        samples=settings.samples,
        version=__version__,
    )


def analysis_record(analysis: Analysis) -> dict[str, Any]:
    """The analysis as JSON; what is not a number becomes null."""
    record: dict[str, Any] = _plain(asdict(analysis))
    return record


def _section(judgments: Sequence[Judgment], settings: Settings) -> AnalysisSection:
    criteria = dict.fromkeys(one.criterion for one in judgments)
    chosen = {name: [one for one in judgments if one.criterion == name and one.choice] for name in criteria}
    marked = {name: [one for one in judgments if one.criterion == name and is_marked(one)] for name in criteria}
    valued = {
        name: [one for one in judgments if one.criterion == name and one.value is not None and not is_marked(one)]
        for name in criteria
    }
    choices = tuple(analyze_choices(group, settings) for group in chosen.values() if group)
    values = tuple(analyze_values(group, settings) for group in valued.values() if group)
    answered = {name: len(chosen[name]) + len(valued[name]) + len(marked[name]) for name in criteria}
    return AnalysisSection(
        judgments=len({visit_of(one) for one in judgments if one.choice or one.value is not None}),
        left_open={name: sum(one.criterion == name for one in judgments) - answered[name] for name in criteria},
        items=len({one.item for one in judgments}),
        questions=len({one.question_id for one in judgments}),
        raters=tuple(sorted({one.rater for one in judgments})),
        choices=choices,
        values=values,
        spans=tuple(
            span_agreement(group, seed=settings.seed, samples=settings.samples) for group in marked.values() if group
        ),
        percentages=_percentages(choices, values, settings),
        pace=pace(judgments),
        pace_by_rater=pace_by_rater(judgments),
    )


def _percentages(
    choices: Sequence[Choices], values: Sequence[Values], settings: Settings
) -> dict[str, dict[str, Figure]]:
    """Per system, a percentage for each criterion that has one."""
    table: dict[str, dict[str, Figure]] = {system: {} for system in settings.systems}
    for compared in choices:
        for system, figure in compared.points.items():
            table[system][settings.columns.get(compared.criterion, compared.criterion)] = figure
    for judged in values:
        for one in judged.systems:
            # Means of grades are no percentages.
            if one.system in table and one.is_share:
                table[one.system][settings.columns.get(judged.criterion, judged.criterion)] = percent(one.mean)
    return {system: row for system, row in table.items() if row}


def _domains(judgments: Sequence[Judgment]) -> dict[str, list[Judgment]]:
    """The judgments of each domain; none where there is only one."""
    names = sorted({one.domain for one in judgments})
    # One domain is the whole study again.
    return {name: [one for one in judgments if one.domain == name] for name in names} if len(names) > 1 else {}


def _domain_means(sections: Mapping[str, AnalysisSection]) -> list[DomainMean]:
    shares: dict[tuple[str, str, str], list[float]] = {}
    for section in sections.values():
        for compared in section.choices:
            for pair in compared.pairs:
                # Plain means of domains, each counting as much as any other, beside the pooled share in which large
                # ones decide.
                shares.setdefault((compared.criterion, pair.a, pair.b), []).append(pair.share.value)
    return [DomainMean(*key, sum(found) / len(found), len(found)) for key, found in sorted(shares.items())]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    # JSON has no such numbers.
    return None if isinstance(value, float) and not math.isfinite(value) else value
