"""The page about agreement: its examples run, and it names every figure."""

from __future__ import annotations

import doctest
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from expound.agreement.bias import LengthBias
from expound.agreement.criterion import Settings
from expound.agreement.preference import Pair
from expound.agreement.reliability import Agreement

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "agreement.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COUNTS = {"a", "b", "judgments", "items", "units", "equal_judgments", "equal_items", "p_value"}


def test_examples_print_what_the_page_shows() -> None:
    example = doctest.DocTestParser().get_doctest("\n".join(BLOCK.findall(PAGE)), {}, "agreement.md", None, 0)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert example.examples
    assert not report, "".join(report)


@pytest.mark.parametrize("record", [Pair, Agreement, LengthBias, Settings])
def test_every_figure_and_setting_is_explained(record: Any) -> None:
    assert [field.name for field in fields(record) if field.name not in COUNTS and f"{field.name}`" not in PAGE] == []
