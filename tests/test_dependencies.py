"""What an installation brings: no more than the core needs, and no later major version than was tried."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


@pytest.mark.parametrize("dependency", [*PROJECT["dependencies"], *EXTRAS["hub"], *EXTRAS["llm"]])
def test_a_dependency_of_users_has_an_upper_bound(dependency: str) -> None:
    assert re.search(r"==|<", dependency), dependency


def test_what_reads_parquet_comes_with_the_hub_and_not_with_the_core() -> None:
    assert not [name for name in PROJECT["dependencies"] if name.startswith("duckdb")]
    assert [name for name in EXTRAS["hub"] if name.startswith("duckdb")]
