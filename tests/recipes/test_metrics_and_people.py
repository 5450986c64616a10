"""Recipes that hold metrics against people: ASQA's printed correlations, and the experts of Xu et al. 2023."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from datasets.test_preferences import QA, XU, write
from expound.recipes.catalogue import find_recipe
from expound.recipes.findings import WithInterval
from expound.recipes.shape import Ingredients, Measurement, measure
from golden import SHARED

DATA = SHARED / "data" / "human_judgments"


def value(found: Measurement, row: str, name: str) -> WithInterval:
    [number] = [finding.values[name] for finding in found.findings if finding.row.name == row]
    assert isinstance(number, WithInterval)
    return number


def test_the_printed_correlations_of_asqa_follow_from_its_printed_tables() -> None:
    found = measure(find_recipe("asqa-table5"), Ingredients())
    for finding in found.findings:
        for name, published in finding.row.published.items():
            number = value(found, finding.row.name, name)
            assert number.value == pytest.approx(published, abs=0.3)
            assert number.n == 6


@pytest.mark.parametrize("name", ["critical-table4", "critical-figure3"])
def test_every_row_is_measured_or_has_a_reason(name: str, use_resources: Callable[..., object], tmp_path: Path) -> None:
    use_resources("punkt")
    files = (write(tmp_path, [XU], "xu.jsonl"), write(tmp_path, [QA], "qa.jsonl"))
    found = measure(find_recipe(name), Ingredients(files=files))
    assert all(finding.values or finding.row.why for finding in found.findings)
    assert any(finding.values for finding in found.findings)


def test_the_experts_column_is_that_of_the_golden_file(use_resources: Callable[..., object]) -> None:
    files = (
        DATA / "xu2023_expert_pairwise_130.jsonl.gz",
        DATA / "qa_feedback_preferences_and_errors_250.jsonl.gz",
    )
    if not files[0].exists():
        pytest.skip("needs ../shared/data")
    use_resources("punkt")
    found = measure(find_recipe("critical-table4"), Ingredients(files=files))
    assert value(found, "Length", "accuracy").value == pytest.approx(100 * 45 / 64)
    assert value(found, "Self-BLEU, lower is better", "accuracy").value == pytest.approx(100 * 20 / 64)
    assert value(found, "Human", "accuracy").value == pytest.approx(77.5)
    assert value(found, "ROUGE-L, QA-Feedback", "accuracy").n > 1000
