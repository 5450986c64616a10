"""Did the system read the right pages? KILT's retrieval metrics (Petroni et al. 2021), by Wikipedia page.

Gold pages are `question.meta["provenance"]`: for every gold output that has a provenance the list of its page ids, None
for an entry without one. Guessed pages are the `wikipedia_id` of the evidence's passages, best first. All metrics are 0
to 100, and not a number for a question without `provenance`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from expound.errors import UserError
from expound.types import Prediction, Question


@dataclass(frozen=True)
class RPrecision:
    """Share of an output's R gold pages that are among the first R guessed pages, for the best output.

    >>> from expound.types import Answer, Evidence, Passage
    >>> question = Question("1", "Who?", meta={"provenance": [["12", "34"], ["56"]]})
    >>> pages = tuple(Evidence(Passage(page, "", meta={"wikipedia_id": page}), 1, 1.0) for page in ("34", "56"))
    >>> RPrecision().count(question, Prediction("1", question.text, "demo", Answer(), evidence=pages))
    50.0
    """

    looks_at = ("evidence",)
    name = "r_precision"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's share in percent."""
        if "provenance" not in question.meta:
            return math.nan
        guessed = _guess_pages(prediction)
        # Several outputs may each have a provenance of their own; reading one of them is enough.
        return 100 * max((_measure_found(output, guessed) for output in question.meta["provenance"]), default=0.0)


@dataclass(frozen=True)
class Recall:
    """Share of the distinct gold evidence sets that are found as a whole in the first k places."""

    looks_at = ("evidence",)
    k: int = 5

    def __post_init__(self) -> None:
        _check_place(self.k)

    @property
    def name(self) -> str:
        """`recall@5`."""
        return f"recall@{self.k}"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's share in percent."""
        # Of nothing to find, nothing is found: 0, as in KILT.
        return 100 * _hits(question, prediction, self.k) / max(1, len(_evidence_sets(question)))


@dataclass(frozen=True)
class Precision:
    """Evidence sets found as a whole in the first k places, over k."""

    looks_at = ("evidence",)
    k: int = 5

    def __post_init__(self) -> None:
        _check_place(self.k)

    @property
    def name(self) -> str:
        """`precision@5`."""
        return f"precision@{self.k}"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's share in percent."""
        return 100 * _hits(question, prediction, self.k) / self.k


@dataclass(frozen=True)
class Success:
    """Whether any evidence set is found as a whole in the first k places: 0 or 100."""

    looks_at = ("evidence",)
    k: int = 5

    def __post_init__(self) -> None:
        _check_place(self.k)

    @property
    def name(self) -> str:
        """`success@5`."""
        return f"success@{self.k}"

    def count(self, question: Question, prediction: Prediction) -> float:
        """100 if there is one."""
        hits = _hits(question, prediction, self.k)
        return hits if math.isnan(hits) else 100.0 * (hits > 0)


def _check_place(k: int) -> None:
    if k < 1:
        raise UserError(f"k is {k}, and a ranking has no such place; give k=1 or more")


def _guess_pages(prediction: Prediction) -> list[str]:
    pages = [item.passage.meta.get("wikipedia_id") for item in prediction.evidence]
    # A page counts once, at its best place: passages of one page are one guess.
    return list(dict.fromkeys([str(page).strip() for page in pages if page is not None]))


def _measure_found(output: Sequence[str | None], guessed: Sequence[str]) -> float:
    gold = set(output) - {None}
    return len(gold.intersection(guessed[: len(gold)])) / len(gold) if gold else 0.0


def _hits(question: Question, prediction: Prediction, k: int) -> float:
    """How many of the first k places hold an evidence set that is found as a whole."""
    if "provenance" not in question.meta:
        return math.nan
    return sum(_ranking(_evidence_sets(question), _guess_pages(prediction))[:k])


def _evidence_sets(question: Question) -> list[frozenset[str]]:
    """The distinct sets of gold pages; an entry without a page is the page with the empty name, as in KILT."""
    outputs = question.meta.get("provenance", ())
    return list(dict.fromkeys([frozenset(page or "" for page in output) for output in outputs]))


def _ranking(evidence: Sequence[frozenset[str]], guessed: Sequence[str]) -> list[bool]:
    """Whether each place is a hit: a set whose pages are all found.

    A set takes one place, that of its last found page; a page of two sets takes two places, a page of none takes one.
    """
    missing = [set(pages) for pages in evidence]
    # Misses are known by their page, sets by their number; taking a set out and in again moves it to the end.
    places: dict[int | str, None] = {}
    for page in guessed:
        owners = [number for number, pages in enumerate(missing) if page in pages]
        for number in owners:
            missing[number].remove(page)
            places.pop(number, None)
            places[number] = None
        if not owners:
            places[page] = None
    return [isinstance(place, int) and not missing[place] for place in places]
