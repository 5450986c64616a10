"""Fixtures of the reader tests: write a file, read it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.read.read_helpers import Read, ReadPassages
from expound.corpus.read.document import Document
from expound.corpus.read.formats import read_here
from expound.types import Passage


@pytest.fixture
def read(write: Callable[[str, str | bytes], Path]) -> Read:
    """Write a file of that name and give every document that is read from it."""

    def write_and_read(name: str, content: str | bytes) -> list[Document]:
        found = list(read_here(write(name, content)))
        documents = [item for item in found if isinstance(item, Document)]
        assert len(documents) == len(found)
        return documents

    return write_and_read


@pytest.fixture
def read_passages(write: Callable[[str, str | bytes], Path]) -> ReadPassages:
    """Write a file of that name and give every ready passage that is read from it."""

    def write_and_read(name: str, content: str | bytes) -> list[Passage]:
        found = list(read_here(write(name, content)))
        passages = [item for item in found if isinstance(item, Passage)]
        assert len(passages) == len(found)
        return passages

    return write_and_read


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file of that name and give its path."""

    def write_it(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_it
