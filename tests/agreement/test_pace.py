"""Time statistics."""

from __future__ import annotations

from agreement.judged import judged
from expound.agreement.pace import pace, pace_by_rater


def test_the_judgments_of_one_visit_share_its_time() -> None:
    found = pace([judged("1", "r", "a", seconds=30.0), judged("1", "r", "b", seconds=30.0, criterion="fluency")])
    assert found is not None
    assert (found.visits, found.total, found.median) == (1, 30, 30)


def test_what_was_saved_at_one_moment_is_one_visit() -> None:
    both = [judged(item, "r", "a", question_id="q", seconds=30.0, at="2026-01-01T10:00:00") for item in ("1", "1/x/0")]
    found = pace(both)
    assert found is not None
    assert (found.visits, found.total) == (1, 30)


def test_quartiles_are_of_visits() -> None:
    found = pace(judged(str(n), "r", "a", seconds=float(n)) for n in range(1, 6))
    assert found is not None
    assert (found.shortest, found.lower_quartile, found.median, found.upper_quartile, found.longest) == (1, 2, 3, 4, 5)


def test_without_times_there_is_no_pace() -> None:
    assert pace([judged("1", "r", "a")]) is None


def test_raters_have_a_pace_of_their_own() -> None:
    found = pace_by_rater([judged("1", "r", "a", seconds=10.0), judged("1", "s", "a", seconds=50.0)])
    assert {rater: one.mean for rater, one in found.items()} == {"r": 10, "s": 50}
