"""The made-up town, indexed."""

from __future__ import annotations

import pytest

from expound.train.data.leak_guard import BLOCKED_SOURCES
from expound.train.data.passage_index import PassageIndex
from train.toytown import PASSAGES


@pytest.fixture
def index() -> PassageIndex:
    """The town's passages."""
    return PassageIndex(PASSAGES, skip_sources=BLOCKED_SOURCES)
