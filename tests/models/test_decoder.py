"""Decoding: what is forbidden to be said twice is what was written, not what was read."""

from __future__ import annotations

import pytest

from expound.models.decoder import _forbid_repeats


@pytest.mark.parametrize(
    ("row", "first", "is_allowed"),
    [
        ([1, 2, 7, 1], 3, True),  # read once, written never
        ([1, 2, 7, 1, 2, 1], 3, False),  # written once
        ([1, 2, 7, 1], 0, False),  # a decoder has read nothing
        ([1, 2, 7], 3, True),
    ],
)
def test_a_run_of_tokens_that_was_read_may_be_written_once(row: list[int], first: int, is_allowed: bool) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    scores = _forbid_repeats(2, first)(torch.tensor([row]), torch.zeros(1, 9))
    assert bool(torch.isfinite(scores[0, 2])) is is_allowed


def test_nothing_is_forbidden_where_repeats_are_allowed() -> None:
    pytest.importorskip("transformers")
    assert not _forbid_repeats(0, 0)
