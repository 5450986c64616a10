"""What raters said, as the exports of a form and the studies that continue another one are given it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from expound.study.design.items import Placed


@dataclass(frozen=True)
class Collected:
    """One version of a rater's answers to an item; the rater is a pseudonym, `at` seconds since 1970.

    `worker` is the id that a crowd platform gave the rater.
    """

    placed: Placed
    rater: str
    assignment: int
    version: int
    answers: Mapping[str, Any]
    seconds: float
    at: float
    worker: str = ""


@dataclass(frozen=True)
class Earlier:
    """A study that another one continues: the answers that count, and the passages that were read for each item.

    `viewed` has, for the number of an item, the ids of passages of `corpus` with their titles.
    """

    path: Path
    form: str
    corpus: str = ""
    collected: tuple[Collected, ...] = ()
    viewed: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
