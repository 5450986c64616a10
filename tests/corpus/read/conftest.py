"""Fixtures of the reader tests: write a file, read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.read.read_helpers import Read, ReadPassages, Write, all_of
from expound.corpus.read.document import Document
from expound.corpus.read.formats import read_here
from expound.types import Passage


@pytest.fixture
def read(write: Write) -> Read:
    """Write a file of that name and give every document that is read from it."""
    return lambda name, content: all_of(Document, read_here(write(name, content)))


@pytest.fixture
def read_passages(write: Write) -> ReadPassages:
    """Write a file of that name and give every ready passage that is read from it."""
    return lambda name, content: all_of(Passage, read_here(write(name, content)))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file of that name and give its path."""

    def write_it(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_it
