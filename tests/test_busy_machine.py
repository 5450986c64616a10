"""No verdict depends on how busy the machine is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

OTHERS = [file for file in sorted(Path(__file__).parent.rglob("*.py")) if file != Path(__file__)]
# An upper bound on wall time: `time.monotonic() - began < 3`.
WALL_TIME_BOUND = re.compile(r"time\.(?:time|monotonic|perf_counter)\(\) - \w+\)? <=? \d")
OWN_SETTINGS = re.compile(r"@settings\(|suppress_health_check=")


@pytest.mark.parametrize("name", ["default", "steady"])
def test_no_profile_counts_the_time_of_an_example(name: str) -> None:
    profile = settings.get_profile(name)
    assert profile.deadline is None
    assert HealthCheck.too_slow in profile.suppress_health_check


def test_the_profile_at_work_counts_none() -> None:
    assert settings().deadline is None


def test_no_test_bounds_wall_time() -> None:
    assert not [file.name for file in OTHERS if WALL_TIME_BOUND.search(file.read_text(encoding="utf-8"))]


def test_no_property_has_settings_of_its_own() -> None:
    """They would bring back what the profiles leave out."""
    tests = [file for file in OTHERS if file.name != "conftest.py"]
    assert not [file.name for file in tests if OWN_SETTINGS.search(file.read_text(encoding="utf-8"))]
