"""Conditions that choose passages."""

from __future__ import annotations

import pytest

from expound.corpus.where import parse_where
from expound.errors import UserError
from expound.types import Passage

PASSAGE = Passage("p1", "The text.", "A Title", meta={"source": "wiki"})


@pytest.mark.parametrize(
    ("clause", "holds"),
    [
        ("meta.source != wiki", False),
        ("meta.source = wiki", True),
        ("meta.source == 'wiki'", True),
        ("meta.other != wiki", True),
        ("title ~ Title", True),
        ("text !~ text", False),
    ],
)
def test_a_condition_holds_or_not(clause: str, holds: bool) -> None:
    assert parse_where([clause])(PASSAGE) is holds


def test_all_conditions_must_hold() -> None:
    assert not parse_where(["meta.source = wiki", "title = other"])(PASSAGE)


def test_a_condition_that_cannot_be_read_says_how_to_write_one() -> None:
    with pytest.raises(UserError, match=r"meta\.source != wikipedia"):
        parse_where(["source is wiki"])
