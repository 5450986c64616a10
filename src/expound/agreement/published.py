"""Published judgments as those of a finished study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from expound.agreement.bias import Lengths
from expound.datasets.item_ids import item_of, rated_item
from expound.types import Judgment, Preference, Rating


def judgments_from(judged: Iterable[Preference | Rating], *, study: str, form: str = "imported") -> Iterator[Judgment]:
    """A judgment for each preference or rating, and one by the criterion `difficult` where it is known whether it was.

    An item is two answers to a question, in the order in which they were shown; or one answer, or a piece of it.
    """
    for one in judged:
        judgment = _judgment(one, study, form) if isinstance(one, Preference) else _make_judgment(one, study, form)
        yield judgment
        if "is_difficult" in one.meta:
            # Of the pair and not of an answer: without systems, so that no table of systems counts it.
            yield replace(judgment, criterion="difficult", a="", b="", choice=None, value=one.meta["is_difficult"])


def lengths_of(preferences: Iterable[Preference]) -> Lengths:
    """The words of every answer, by item and system."""
    found = {}
    for one in preferences:
        # Where no systems are named the sides stand for them: both answers would have one key otherwise.
        found[item_of(one), one.a_system or "a"] = float(len(one.a.split()))
        found[item_of(one), one.b_system or "b"] = float(len(one.b.split()))
    return found


def _make_judgment(rating: Rating, study: str, form: str) -> Judgment:
    return Judgment(
        study=study,
        form=form,
        item=rated_item(rating),
        question_id=rating.question.id,
        # One name for all who have none: made-up raters would be counted as people who agree or differ.
        rater=rating.rater or "unknown",
        criterion=rating.criterion,
        a=rating.system or "a",
        value=rating.value,
        domain=rating.domain,
        comment=rating.comment,
    )


def _judgment(preference: Preference, study: str, form: str) -> Judgment:
    seconds = preference.meta.get("seconds")
    return Judgment(
        study=study,
        form=form,
        item=item_of(preference),
        question_id=preference.question.id,
        rater=preference.rater or "unknown",
        criterion=preference.criterion,
        a=preference.a_system or "a",
        b=preference.b_system or "b",
        choice=preference.choice,
        seconds=None if seconds is None else float(seconds),
        domain=preference.domain,
        comment=preference.comment,
    )
