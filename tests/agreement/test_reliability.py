"""How far raters agree."""

from __future__ import annotations

import math

import pytest

from expound.agreement.labels import Labels
from expound.agreement.reliability import agreement, reliabilities

# r and s always agree, t never agrees with them; nobody shares the last unit.
LABELS: Labels = {
    ("1",): {"r": "a", "s": "a", "t": "b"},
    ("2",): {"r": "b", "s": "b", "t": "a"},
    ("3",): {"r": "a", "s": "a"},
    ("4",): {"r": "b", "t": "a"},
    ("5",): {"t": "a"},
}


def test_shares_are_counted_by_pairs_of_raters_and_by_units() -> None:
    found = agreement(LABELS, seed=0)
    assert (found.units, found.unanimous, found.split) == (4, 1, 1)
    assert found.pairwise.value == pytest.approx(3 / 8)
    assert found.observed.value == pytest.approx((1 / 3 + 1 / 3 + 1 + 0) / 4)


def test_cohens_kappa_is_of_every_two_raters() -> None:
    found = {(pair.one, pair.other): pair.kappa for pair in agreement(LABELS, seed=0).cohen}
    assert {raters: (one.value, one.n) for raters, one in found.items()} == {
        ("r", "s"): (1, 3),
        ("r", "t"): (pytest.approx(-0.8), 3),
        ("s", "t"): (-1, 2),
    }


def test_a_rater_who_differs_from_all_stands_out() -> None:
    found = {one.rater: one for one in reliabilities(LABELS, agreement(LABELS, seed=0), seed=0)}
    assert found["t"].agreement.value == 0
    assert found["t"].judgments == 4
    assert found["t"].alpha_without == 1
    assert found["r"].agreement.value == pytest.approx(3 / 6)
    assert found["s"].kappa == 0


def test_numbers_have_three_alphas_and_labels_one() -> None:
    numbers: Labels = {("1",): {"r": 1, "s": 2}, ("2",): {"r": 4, "s": 5}, ("3",): {"r": 5, "s": 5}}
    found = agreement(numbers, seed=0).alpha
    assert list(found) == ["nominal", "ordinal", "interval"]
    assert found["interval"].value > found["nominal"].value
    assert list(agreement(LABELS, seed=0).alpha) == ["nominal"]


def test_free_marginal_kappa_knows_the_categories_that_nobody_used() -> None:
    labels: Labels = {("1",): {"r": "a", "s": "a"}, ("2",): {"r": "a", "s": "b"}}
    two, three = (
        agreement(labels, categories=offered, seed=0).randolph.value for offered in (["a", "b"], ["a", "b", "tie"])
    )
    assert two == pytest.approx(0)
    assert three == pytest.approx(0.25)


def test_raters_without_common_units_have_no_figures() -> None:
    labels: Labels = {("1",): {"r": "a"}, ("2",): {"s": "b"}}
    found = agreement(labels, seed=0)
    assert (found.units, found.cohen) == (0, ())
    assert math.isnan(found.fleiss.value)
    assert all(math.isnan(one.agreement.value) for one in reliabilities(labels, found, seed=0))


def test_a_unit_that_nobody_rated_changes_no_figure() -> None:
    rated: Labels = {("1",): {"r": "a", "s": "a"}, ("2",): {"r": "a", "s": "b"}}
    assert agreement({**rated, ("3",): {}}, seed=1, samples=20) == agreement(rated, seed=1, samples=20)


def test_units_that_nobody_rated_have_no_figures_and_no_error() -> None:
    found = agreement({("1",): {}}, seed=1, samples=20)
    assert (found.units, found.unanimous, found.split) == (0, 0, 0)
