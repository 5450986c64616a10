"""The English Punkt parameters, for tests of the splitter and of what is scored with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from expound.text.punkt import Punkt

# Read before any test clears it.
_OWN_FILE = os.environ.get("EXPOUND_PUNKT", "")


@pytest.fixture
def punkt(request: pytest.FixtureRequest) -> Punkt:
    """The real parameters: from EXPOUND_PUNKT, or fetched once per run; the test is skipped where neither works."""
    return Punkt.load(Path(_OWN_FILE) if _OWN_FILE else request.getfixturevalue("punkt_file"))
