"""The made-up town, indexed."""

from __future__ import annotations

import pytest
from toytown import PASSAGES

from expound.train.data.leak_guard import BLOCKED_SOURCES
from expound.train.data.passage_index import PassageIndex


@pytest.fixture
def index() -> PassageIndex:
    """The town's passages."""
    return PassageIndex(PASSAGES, skip_sources=BLOCKED_SOURCES)
