"""Correlations equal SciPy's."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.stats.correlation import kendall_b, kendall_c, pearson, spearman

REFERENCE = Path(__file__).resolve().parents[1] / "reference" / "agreement.json"
CASES = json.loads(REFERENCE.read_text(encoding="utf-8"))["packages"]["correlation"]
FUNCTIONS = {"pearson": pearson, "spearman": spearman, "kendall_tau_b": kendall_b, "kendall_tau_c": kendall_c}
pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=20)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_correlations_equal_scipys(case: dict[str, Any], name: str) -> None:
    assert FUNCTIONS[name](case["x"], case["y"]) == pytest.approx(case[name], abs=1e-9)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(found=pairs)
def test_correlations_lie_between_minus_one_and_one_and_turn_with_the_sign(
    name: str, found: list[tuple[int, int]]
) -> None:
    x, y = [float(a) for a, _ in found], [float(b) for _, b in found]
    value = FUNCTIONS[name](x, y)
    assert math.isnan(value) or abs(value) <= 1 + 1e-9
    assert FUNCTIONS[name](x, [-b for b in y]) == pytest.approx(-value, nan_ok=True)


@pytest.mark.parametrize("function", FUNCTIONS.values())
def test_what_never_changes_has_no_correlation(function: Any) -> None:
    assert math.isnan(function([1.0, 1.0], [1.0, 2.0]))


def test_both_sides_must_have_the_same_answers() -> None:
    with pytest.raises(UserError, match="same answers"):
        pearson([1.0], [1.0, 2.0])
