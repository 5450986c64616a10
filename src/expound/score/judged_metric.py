"""What a judge said of an answer, as a number: so that a judge can be held against people like any other metric."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import fmean

from expound.datasets.judgment_lines import JudgmentLines, items_beside
from expound.errors import BadInput
from expound.files import user_path
from expound.plugins import spec_text
from expound.records import read_judgments
from expound.types import Prediction, Question

_POINTS = {"a": 1.0, "tie": 0.5, "b": 0.0}


@dataclass(frozen=True, repr=False)
class JudgedBy:
    """The points of an answer in a file that `expound judge` wrote: 1 for a win, 1/2 for a tie. 0 to 1.

    By question and text where the items are beside the judgments, else by question and system; not a number where the
    judge said nothing of it.
    """

    lacking = "no judgments of these answers"
    is_looked_up = True

    file: str
    criterion: str = "overall"

    def __repr__(self) -> str:
        return spec_text(self, always=("file",))

    @property
    def name(self) -> str:
        """Told with the criterion."""
        return f"judged_{self.criterion}"

    @property
    def warning(self) -> str:
        """What the judge fails, by its audit: it stands beside its numbers."""
        return _verdict(user_path(self.file))

    def count(self, question: Question, prediction: Prediction) -> float:
        """The mean over the answers that it was compared with."""
        path = user_path(self.file)
        points = _points(path, self.criterion, _stamp(path))
        by_text = points.get((question.id, prediction.answer.text))
        return points.get((question.id, prediction.system), math.nan) if by_text is None else by_text


def _stamp(path: Path) -> int:
    """When a file was written: one that was written anew is read anew."""
    return path.stat().st_mtime_ns if path.is_file() else 0


@lru_cache(maxsize=8)
def _points(path: Path, criterion: str, _written: int) -> Mapping[tuple[str, str], float]:
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for question, sides, choice in _choices(path, criterion):
        for side, points in zip(sides, (_POINTS[choice], 1 - _POINTS[choice]), strict=True):
            found[question, side].append(points)
    if not found:
        raise BadInput(f"{path} has no choices by {criterion!r}")
    return {key: fmean(points) for key, points in found.items()}


def _choices(path: Path, criterion: str) -> Iterator[tuple[str, tuple[str, str], str]]:
    """The question, the two texts or systems, and the choice of every judgment by a criterion."""
    if path.is_file() and items_beside(path):
        # Not by system: a file may not say who wrote what, or have two answers of one system.
        chosen = (one for one in JudgmentLines(path) if one.criterion == criterion)
        return ((one.question.id, (one.a, one.b), one.choice) for one in chosen)
    judged = (one for one in read_judgments(path) if one.criterion == criterion and one.choice is not None)
    return ((one.question_id, (one.a, one.b), str(one.choice)) for one in judged)


def _verdict(path: Path) -> str:
    audit = path.with_name(f"{path.name.removesuffix('.jsonl')}.audit.json")
    try:
        said = json.loads(audit.read_text(encoding="utf-8"))["verdict"]
    # Judgments of people have no audit, nor have those of a judge that is not ours.
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return str(said)
