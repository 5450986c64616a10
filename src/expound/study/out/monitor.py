"""How a study is going: progress, speed, checks and pay, for the researcher's page and for `status`."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.agreement.labels import categories_of, choice_labels, counts_of, value_labels
from expound.stats import alpha, kappa
from expound.study.engine import raters as people
from expound.study.engine.assignment import CHECKS, DONE, MAIN, PARKED
from expound.study.engine.checking import first_answers, wrong_fields
from expound.study.engine.looks import planned_judgments
from expound.study.engine.opened import Study
from expound.study.engine.schema import assignments, raters
from expound.study.out.judgments import judgments_of
from expound.types import Judgment


@dataclass(frozen=True)
class RaterStatus:
    """One rater so far; `worker` and `paid_for` are a crowd platform's ids.

    `seconds` is the median active time of an item; `hours` are all of it.
    """

    rater: int
    name: str
    worker: str
    paid_for: str
    stage: str
    judged: int
    parked: int
    seconds: float
    hours: float
    pay: float
    checks: int
    checks_failed: int


@dataclass(frozen=True)
class Agreeing:
    """How far raters agree by a criterion: the share of pairs of raters, and Krippendorff's alpha if it is defined."""

    criterion: str
    observed: float
    alpha: float | None


@dataclass(frozen=True)
class Status:
    """A study so far."""

    name: str
    form: str
    items: int
    overlap: int
    judgments: int
    wanted: int
    complete_items: int
    raters: tuple[RaterStatus, ...]
    currency: str
    agreement: tuple[Agreeing, ...] = ()

    @property
    def has_workers(self) -> bool:
        """Whether anyone came from a crowd platform."""
        return any(rater.worker for rater in self.raters)

    @property
    def pay(self) -> float:
        return round(sum(rater.pay for rater in self.raters), 2)


def look_at(study: Study) -> Status:
    """How a study is going now."""
    with study.store.reading() as connection:
        return status_of(study, connection)


def status_of(study: Study, connection: Connection) -> Status:
    """Everything the monitor shows, from one look at the database."""
    main = [one.number for one in study.items.values() if one.item.kind == MAIN]
    done = Counter(
        row.item
        for row in connection.execute(sa.select(assignments.c.item).where(assignments.c.state == DONE))
        if study.items[row.item].item.kind == MAIN
    )
    return Status(
        name=study.plan.name,
        form=study.form.name,
        items=len(main),
        overlap=study.plan.overlap,
        judgments=done.total(),
        wanted=planned_judgments(study, connection),
        # More are possible: whose place was given away may still judge the item.
        complete_items=sum(count >= study.plan.overlap for count in done.values()),
        raters=tuple(_rater_status(study, connection, row) for row in _raters(connection)),
        currency=study.plan.currency,
        agreement=tuple(_agreement(study)),
    )


def _agreement(study: Study) -> Iterator[Agreeing]:
    """By every criterion that two raters have judged an item by; without intervals, to be quick."""
    import numpy as np

    groups: dict[str, list[Judgment]] = {}
    for judgment in judgments_of(study):
        groups.setdefault(judgment.criterion, []).append(judgment)
    for criterion, group in groups.items():
        labels = choice_labels(group) or value_labels(group)
        counts = counts_of(labels, categories_of(labels))
        if len(counts):
            # Each unit once: the figures are written for bootstrap weights, and this is the sample as it is.
            weights = np.ones((1, len(counts)))
            found = float(alpha.nominal(counts, weights)[0])
            # Where everybody always says the same, alpha is not defined.
            is_defined = math.isfinite(found)
            yield Agreeing(criterion, float(kappa.observe_agreement(counts, weights)[0]), found if is_defined else None)


def _raters(connection: Connection) -> list[sa.Row[Any]]:
    return list(connection.execute(sa.select(raters).where(raters.c.stage != people.INVITED).order_by(raters.c.id)))


def _rater_status(study: Study, connection: Connection, rater: sa.Row[Any]) -> RaterStatus:
    rows = list(connection.execute(sa.select(assignments).where(assignments.c.rater == rater.id)))
    done = [row for row in rows if row.state == DONE]
    checks = _checks(study, connection, rater.id)
    # All work, also on items that were put aside: it was time, too.
    hours = sum(row.seconds for row in rows) / 3600
    return RaterStatus(
        rater=rater.id,
        name=people.pseudonym(rater.id),
        worker=people.worker_id(rater.external),
        paid_for=rater.paid_for,
        stage=rater.stage,
        judged=sum(study.items[row.item].item.kind == MAIN for row in done),
        parked=sum(row.state == PARKED for row in rows),
        seconds=round(statistics.median(row.seconds for row in done), 1) if done else 0.0,
        hours=round(hours, 2),
        pay=round(hours * study.plan.pay_per_hour, 2),
        checks=len(checks),
        checks_failed=sum(checks),
    )


def _checks(study: Study, connection: Connection, rater: int) -> list[bool]:
    """Whether each gold or attention item was failed."""
    return [bool(wrong_fields(study, *pair)) for pair in first_answers(study, connection, rater, CHECKS)]
