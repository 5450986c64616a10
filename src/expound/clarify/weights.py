"""What every sign counts: tables fitted on AmbigNQ's questions, kept in `weights.json` to be read.

`answer` has the signs of an answer (`answer_signs`), `first` and `reading` those by which the best answer and a further
one are believed (`weighing`), `phrase` those of an addition to the question (`phrases`). `tools/fit_readings.py` makes
them anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files


def weigh(table: str, signs: Mapping[str, float]) -> float:
    """The sum of a table's signs, each with its weight; a sign that was never seen in training counts nothing."""
    weights = tables()[table]
    return sum(weights.get(name, 0.0) * value for name, value in signs.items())


@lru_cache
def tables() -> Mapping[str, Mapping[str, float]]:
    """All weights by table and sign."""
    text = files("expound.clarify").joinpath("weights.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, float]] = json.loads(text)
    return found
