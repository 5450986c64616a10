"""What the training tests share: the made-up town, indexed, and a tiny model to start from."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.train.data.leak_guard import BLOCKED_SOURCES
from expound.train.data.passage_index import PassageIndex
from train.tinybert import write_base
from train.toytown import PASSAGES


@pytest.fixture
def index() -> PassageIndex:
    """The town's passages."""
    return PassageIndex(PASSAGES, skip_sources=BLOCKED_SOURCES)


@pytest.fixture
def has_torch() -> None:
    """Skip the test where the libraries of training are not installed."""
    for library in ("torch", "transformers", "onnx"):
        pytest.importorskip(library)


@pytest.fixture
def base(has_torch: None, tmp_path: Path) -> Path:
    """A model of a few weights."""
    return write_base(tmp_path / "base")
