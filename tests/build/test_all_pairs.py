"""The nearest other text by words: exact, whatever is left out on the way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.answer.tfidf import table_of
from expound.build import all_pairs
from expound.build.all_pairs import nearest_by_words
from expound.errors import UserError

WORDS = st.sampled_from("the sea is salt why do waves break on rocks and herrings swim in shoals".split())
TEXTS = st.lists(st.lists(WORDS, max_size=9).map(" ".join), min_size=1, max_size=12)


def all_cosines(texts: list[str]) -> np.ndarray:
    """Every pair, one by one."""
    table = table_of(texts)
    rows = np.stack([table.row_vector(row) for row in range(len(texts))])
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    cosines: np.ndarray = units @ units.T
    return cosines


@given(TEXTS, st.sampled_from([0.1, 0.3, 0.5, 0.8, 1.0]))
def test_it_finds_what_comparing_all_pairs_finds(texts: list[str], threshold: float) -> None:
    wanted = all_cosines(texts)
    np.fill_diagonal(wanted, 0)
    found = nearest_by_words(texts, threshold=threshold)
    best = wanted.max(axis=1)
    clear = abs(best - threshold) > 1e-5  # at the threshold itself the last digits decide
    assert ((found.places >= 0) == (best >= threshold))[clear].all()
    near = found.places >= 0
    assert np.allclose(found.similarities[near], best[near], atol=1e-5)
    assert np.allclose(wanted[near, found.places[near]], best[near], atol=1e-5)


@given(TEXTS, TEXTS)
def test_the_same_between_two_lists(texts: list[str], others: list[str]) -> None:
    wanted = all_cosines([*texts, *others])[: len(texts), len(texts) :].max(axis=1)
    found = nearest_by_words(texts, others, threshold=0.4)
    clear = abs(wanted - 0.4) > 1e-5
    assert ((found.places >= 0) == (wanted >= 0.4))[clear].all()


def test_small_blocks_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"why do {thing} swim in the {place}" for thing in ("eels", "cod", "seals") for place in ("sea", "lake")]
    whole = nearest_by_words(texts, threshold=0.2)
    monkeypatch.setattr(all_pairs, "_MOST_PRODUCTS", 2)
    monkeypatch.setattr(all_pairs, "_PAIRS", 3)
    parts = nearest_by_words(texts, threshold=0.2)
    assert (whole.places == parts.places).all()
    assert np.allclose(whole.similarities, parts.similarities)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    nearest_by_words(["a sea", "a lake"], threshold=0.5, report=lambda done, total: told.append((done, total)))
    assert told == [(0, 2)]


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.5])
def test_a_threshold_that_is_no_cosine_is_refused(threshold: float) -> None:
    with pytest.raises(UserError, match="threshold"):
        nearest_by_words(["a sea"], threshold=threshold)
