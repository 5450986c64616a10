"""Judgments made up for tests."""

from __future__ import annotations

from typing import Any

from expound.types import Judgment


def judged(item: str, rater: str, choice: str | None = None, **fields: Any) -> Judgment:
    """A choice between the systems x and y, unless the fields say otherwise."""
    named = {"study": "toy", "form": "pairs", "question_id": f"q-{item}", "criterion": "overall", "a": "x", "b": "y"}
    return Judgment(item=item, rater=rater, choice=choice, **{**named, **fields})


def rated_as(item: str, rater: str, value: Any, **fields: Any) -> Judgment:
    """A value for the system x, unless the fields say otherwise."""
    return judged(item, rater, value=value, **{"b": "", "criterion": "fluency", **fields})
