"""What the machine has to spare."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound import machine


def test_linux_says_what_is_available(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "meminfo").write_text("MemTotal:       2000 kB\nMemAvailable:   1000 kB\n")
    monkeypatch.setattr(machine, "_MEMORY", tmp_path / "meminfo")
    assert machine.free_memory_bytes() == 1_024_000


def test_elsewhere_all_the_memory_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_MEMORY", tmp_path / "nowhere")
    assert machine.free_memory_bytes() > 10_000_000


def test_the_disk_of_a_folder_that_is_not_made_yet(tmp_path: Path) -> None:
    assert machine.free_disk_bytes(tmp_path / "a" / "b") > 0
