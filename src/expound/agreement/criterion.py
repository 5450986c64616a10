"""One criterion of a study: everything that its judgments say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from expound.agreement.bias import LengthBias, Lengths, SideBias, length_bias, side_bias
from expound.agreement.disagreement import Disagreement, disagreements
from expound.agreement.labels import Labels, choice_labels, in_order, value_labels
from expound.agreement.preference import RANK, AnswerPair, bradley_terry, pairs, plackett_luce, points
from expound.agreement.reliability import Agreement, Reliability, agreement, reliabilities
from expound.agreement.values import Rated, answers_f1, collapse, collect_ratings, is_answers
from expound.stats.bradley_terry import Strengths
from expound.stats.proportions import Figure
from expound.types import Judgment

# What raters could choose from: chance depends on it, also where nobody chose a tie.
_TWO = ["a", "b"]
_THREE = ["a", "b", "tie"]


@dataclass(frozen=True)
class Settings:
    """What an analysis is told besides the judgments.

    `systems` says which come first: shares are those of the first of two. `lengths` are of answers, `collapse` says per
    criterion which values count as one, `columns` what a criterion is called in the table of percentages.
    """

    systems: Sequence[str] = ()
    lengths: Lengths | None = None
    collapse: Mapping[str, Mapping[float, Any]] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    has_ties: frozenset[str] = frozenset()
    seed: int = 0
    samples: int = 1000


@dataclass(frozen=True, slots=True)
class Choices:
    """A criterion by which two answers are compared.

    `agreement` is over the answers as an item lists them, which is how papers report it; `agreement_by_system` is over
    systems. The two differ, since kappa depends on what the categories are.
    """

    criterion: str
    judgments: int
    items: int
    pairs: tuple[AnswerPair, ...]
    points: dict[str, Figure]
    strengths: Strengths | None
    agreement: Agreement
    agreement_by_system: Agreement
    agreement_by_pair: dict[str, Agreement]
    raters: tuple[Reliability, ...]
    sides: SideBias
    lengths: LengthBias | None
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True, slots=True)
class Values:
    """A criterion by which answers are judged one by one; `f1_answer` is of lists of short answers, in percent.

    `strengths` are those of Plackett-Luce, where the values are ranks.
    """

    criterion: str
    judgments: int
    items: int
    systems: tuple[Rated, ...]
    agreement: Agreement
    collapsed: Agreement | None
    f1_answer: Figure | None
    strengths: Strengths | None
    raters: tuple[Reliability, ...]
    disagreements: tuple[Disagreement, ...]


def analyze_choices(judgments: Sequence[Judgment], settings: Settings) -> Choices:
    """The figures of one criterion of choices."""
    seed, samples = settings.seed, settings.samples
    ordered = in_order(judgments, settings.systems)
    # In the order of the settings, so that tables of two criteria have the same rows.
    compared = [name for name in settings.systems if any(name in (one.a, one.b) for one in ordered)]
    labels = choice_labels(judgments)
    found = _choice_agreement(labels, judgments[0].criterion, settings)
    return Choices(
        criterion=judgments[0].criterion,
        judgments=len(judgments),
        items=len({one.item for one in judgments}),
        pairs=tuple(pairs(ordered, seed=seed, samples=samples)),
        points=points(ordered, seed=seed, samples=samples),
        # Two systems have a share; a strength says no more.
        strengths=bradley_terry(ordered, compared, seed=seed, samples=samples) if len(compared) > 2 else None,
        agreement=found,
        agreement_by_system=_choice_agreement(choice_labels(ordered), judgments[0].criterion, settings),
        agreement_by_pair=_by_pair(judgments, settings),
        raters=tuple(reliabilities(labels, found, seed=seed, samples=samples)),
        sides=side_bias(judgments),
        lengths=length_bias(judgments, settings.lengths) if settings.lengths else None,
        disagreements=tuple(disagreements(judgments)),
    )


def analyze_values(judgments: Sequence[Judgment], settings: Settings) -> Values:
    """The figures of one criterion of values."""
    seed, samples = settings.seed, settings.samples
    labels = value_labels(judgments)
    groups = settings.collapse.get(judgments[0].criterion)
    found = agreement(labels, seed=seed, samples=samples)
    is_written = any(is_answers(one.value) for one in judgments)
    return Values(
        criterion=judgments[0].criterion,
        judgments=len(judgments),
        items=len({one.item for one in judgments}),
        systems=tuple(collect_ratings(judgments, seed=seed, samples=samples)),
        agreement=found,
        collapsed=agreement(collapse(labels, groups), seed=seed, samples=samples) if groups else None,
        f1_answer=answers_f1(judgments, seed=seed, samples=samples) if is_written else None,
        strengths=_strengths(judgments, settings),
        raters=tuple(reliabilities(labels, found, seed=seed, samples=samples)),
        disagreements=tuple(disagreements(judgments)),
    )


def _strengths(judgments: Sequence[Judgment], settings: Settings) -> Strengths | None:
    ranked = [name for name in settings.systems if any(one.a == name for one in judgments)]
    # By its name: a grade from 1 to 5 looks like a rank, and is no order of the answers.
    if judgments[0].criterion != RANK or len(ranked) < 2:
        return None
    return plackett_luce(judgments, ranked, seed=settings.seed, samples=settings.samples)


def _choice_agreement(labels: Labels, criterion: str, settings: Settings) -> Agreement:
    offered = _THREE if criterion in settings.has_ties else _TWO
    return agreement(labels, categories=offered, seed=settings.seed, samples=settings.samples)


def _by_pair(judgments: Sequence[Judgment], settings: Settings) -> dict[str, Agreement]:
    """Agreement on each pair of systems, where there are several."""
    groups: dict[str, list[Judgment]] = {}
    for given, ordered in zip(judgments, in_order(judgments, settings.systems), strict=True):
        # Grouped by the ordered names and kept as they were given: agreement is over the answers as an item lists them.
        groups.setdefault(f"{ordered.a} | {ordered.b}", []).append(given)
    # One pair is the whole criterion again.
    if len(groups) < 2:
        return {}
    return {
        name: _choice_agreement(choice_labels(group), group[0].criterion, settings)
        for name, group in sorted(groups.items())
    }
