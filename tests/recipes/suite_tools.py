"""What the tests of the suites share: a script of `tools` as a module, and what keys must be."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def load_tool(name: str) -> ModuleType:
    """The script as a module; it is a tool, so it is not installed."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


def check_keys(question: dict[str, Any]) -> None:
    """Keys are patterns, at most four, and only answerable questions have them."""
    assert bool(question["keys"]) == question["answerable"]
    assert len(question["keys"]) <= 4
    for key in question["keys"]:
        assert re.compile(key, re.IGNORECASE).search("") is None, "a key that the empty answer holds proves nothing"
