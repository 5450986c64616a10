"""What the reader tests share: write a file, read it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from expound.corpus.read.formats import read_here


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str, str | bytes], list[Any]]:
    """Write a file of that name and give everything that is read from it."""

    def write_and_read(name: str, content: str | bytes) -> list[Any]:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return list(read_here(path))

    return write_and_read
