"""Tables of textbooks and values of other packages for figures of agreement, each with its source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from expound.protocols import Numbers


REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "reference" / "agreement.json").read_text(encoding="utf-8")
)
TEXTBOOK, PACKAGES = REFERENCE["textbook"], REFERENCE["packages"]
TOLERANCE = 1e-9


def value_of(pool: Any, counts: Numbers | Sequence[Any]) -> float:
    """A pool with every item taken once."""
    table = np.asarray(counts, dtype=np.float64)
    return float(pool(table, np.ones((1, len(table))))[0])
