"""The official scorers' values, kept beside the checkout (`../shared/golden`); tests that want them skip without."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
GOLDEN = SHARED / "golden"
TOLERANCE = 1e-9


def golden(name: str) -> Any:
    """One file of the folder, by its path without `.json.gz`."""
    path = GOLDEN / f"{name}.json.gz"
    if not path.exists():
        pytest.skip("needs ../shared/golden")
    return json.loads(gzip.decompress(path.read_bytes()))


def golden_names(folder: str) -> list[str]:
    """The files of one folder; none where there is no golden folder."""
    return [f"{folder}/{path.name.removesuffix('.json.gz')}" for path in sorted((GOLDEN / folder).glob("*.json.gz"))]
