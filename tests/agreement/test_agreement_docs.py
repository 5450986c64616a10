"""The page about agreement names every figure."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from expound.agreement.bias import LengthBias
from expound.agreement.criterion import Settings
from expound.agreement.preference import AnswerPair
from expound.agreement.reliability import Agreement

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "agreement.md").read_text(encoding="utf-8")
COUNTS = {"a", "b", "judgments", "items", "units", "equal_judgments", "equal_items", "p_value"}


@pytest.mark.parametrize("record", [AnswerPair, Agreement, LengthBias, Settings])
def test_every_figure_and_setting_is_explained(record: Any) -> None:
    assert [field.name for field in fields(record) if field.name not in COUNTS and f"{field.name}`" not in PAGE] == []
