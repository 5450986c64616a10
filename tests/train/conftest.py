"""The made-up town, indexed."""

from __future__ import annotations

import pytest
from toytown import PASSAGES

from expound.train.candidates import PassageIndex
from expound.train.leaks import BLOCKED_SOURCES


@pytest.fixture
def index() -> PassageIndex:
    """The town's passages."""
    return PassageIndex(PASSAGES, skip_sources=BLOCKED_SOURCES)
