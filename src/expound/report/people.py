"""What people preferred, and which metric prefers the same."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from expound.agreement.preference import points
from expound.errors import UserError
from expound.report.reported import PeopleSaid, ReportedSystem
from expound.stats.proportions import Figure, share
from expound.types import Judgment


def call_as_reported(judgments: Iterable[Judgment], names: Mapping[str, str]) -> list[Judgment]:
    """The judgments with the report's names for its systems, where the study had others for them."""
    return [replace(one, a=names.get(one.a, one.a), b=names.get(one.b, one.b)) for one in judgments]


def hear_people(judgments: Sequence[Judgment], systems: Sequence[ReportedSystem], *, seed: int) -> PeopleSaid:
    """The preferences of a study; its systems have to be among those of the report."""
    known = {system.name: system for system in systems}
    ours = [one for one in judgments if one.a in known and (not one.b or one.b in known)]
    if not ours:
        judged = sorted({name for one in judgments for name in (one.a, one.b) if name})
        raise UserError(
            f"people judged {', '.join(judged)}; this report has {', '.join(known)}: their names must agree"
        )
    chosen = [one for one in ours if one.b and one.choice is not None]
    criteria = list(dict.fromkeys(one.criterion for one in chosen))
    by_criterion = {name: [one for one in chosen if one.criterion == name] for name in criteria}
    return PeopleSaid(
        judgments=tuple(ours),
        points={name: points(group, seed=seed) for name, group in by_criterion.items()},
        agreement={name: _agreement(group, known) for name, group in by_criterion.items()},
    )


def _agreement(judgments: Sequence[Judgment], systems: Mapping[str, ReportedSystem]) -> dict[str, Figure]:
    metrics = dict.fromkeys(name for system in systems.values() for name in system.results)
    told = {name: [_agrees(one, name, systems) for one in judgments] for name in metrics}
    decided = {name: [one for one in found if one is not None] for name, found in told.items()}
    return {name: share(sum(found), len(found)) for name, found in decided.items() if found}


def _agrees(one: Judgment, metric: str, systems: Mapping[str, ReportedSystem]) -> bool | None:
    """Whether the metric prefers what the person does; None where one of them prefers nothing."""
    a, b = (_value(systems[name], metric, one.question_id) for name in (one.a, one.b))
    # Left out on both sides: a metric must be neither praised nor blamed for pairs that have no winner.
    if one.choice == "tie" or a is None or b is None or a == b:
        return None
    return (a > b) == (one.choice == "a")


def _value(system: ReportedSystem, metric: str, question: str) -> float | None:
    result = system.results.get(metric)
    value = result.per_question.get(question) if result else None
    # Not a number is smaller than nothing: it would be right wherever the person prefers the other answer.
    return None if value is None or math.isnan(value) else value
