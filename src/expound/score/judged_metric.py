"""What a judge said of an answer, as a number: so that a judge can be held against people like any other metric."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import fmean

from expound.errors import BadInput
from expound.files import user_path
from expound.plugins import spec_text
from expound.records import read_judgments
from expound.types import Prediction, Question

_POINTS = {"a": 1.0, "tie": 0.5, "b": 0.0}


@dataclass(frozen=True, repr=False)
class JudgedBy:
    """The points of an answer in a file that `expound judge` wrote: 1 for a win, 1/2 for a tie. 0 to 1.

    By question and system; not a number where the judge said nothing of it.
    """

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
        return points.get((question.id, prediction.system), math.nan)


def _stamp(path: Path) -> int:
    """When a file was written: one that was written anew is read anew."""
    return path.stat().st_mtime_ns if path.is_file() else 0


@lru_cache(maxsize=8)
def _points(path: Path, criterion: str, _written: int) -> Mapping[tuple[str, str], float]:
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one in read_judgments(path):
        if one.criterion == criterion and one.choice is not None:
            found[one.question_id, one.a].append(_POINTS[one.choice])
            found[one.question_id, one.b].append(1 - _POINTS[one.choice])
    if not found:
        raise BadInput(f"{path} has no choices by {criterion!r}")
    return {key: fmean(points) for key, points in found.items()}


def _verdict(path: Path) -> str:
    audit = path.with_name(f"{path.name.removesuffix('.jsonl')}.audit.json")
    try:
        said = json.loads(audit.read_text(encoding="utf-8"))["verdict"]
    # Judgments of people have no audit, nor have those of a judge that is not ours.
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return str(said)
