"""Remarks for the user while a text model is asked: to whoever takes them, else to stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

Say: TypeAlias = Callable[[str], None]
"""Called with a remark for the user."""


def to_stderr(text: str) -> None:
    """A line on stderr."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
