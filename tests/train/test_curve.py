"""The curve of a training run."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.train.curve import draw_curve

LOG = """{"settings": {"steps": 4}}
{"step": 2, "loss": 3.0}
{"step": 2, "dev_f1": 40.0}
{"step": 4, "loss": 1.0}
{"step": 4, "dev_f1": 60.0}
"""


def test_loss_and_figures_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "log.jsonl").write_text(LOG)
    draw_curve(tmp_path / "log.jsonl", tmp_path / "curve.svg", figure="dev_f1")
    assert "<svg" in (tmp_path / "curve.svg").read_text()
