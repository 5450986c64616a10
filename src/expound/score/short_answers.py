"""Exact match and token F1 of short answers, as SQuAD defines them; fractions, 0 to 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from expound.text.normal import normalize_answer


def exact(prediction: str, golds: Iterable[str]) -> bool:
    """Whether the prediction is one of the gold answers, all normalised (Rajpurkar et al. 2016).

    >>> exact("The U.S.", ["us", "America"])
    True
    """
    ours = normalize_answer(prediction)
    return any(ours == normalize_answer(gold) for gold in golds)


def token_f1(prediction: str, gold: str, *, both_empty: float = 1.0) -> float:
    """2 × common tokens / all tokens of both, normalised; a token is common as often as both have it.

    `both_empty` is the value of two answers without a token: 1 for SQuAD, 0 for KILT.

    >>> token_f1("the red fox", "a quick red fox")
    0.8
    """
    ours, theirs = _tokens(prediction), _tokens(gold)
    if not ours and not theirs:
        return both_empty
    common = sum([min(ours[token], theirs[token]) for token in ours.keys() & theirs.keys()])
    return 2 * common / (ours.total() + theirs.total())


def best_token_f1(prediction: str, golds: Iterable[str], *, both_empty: float = 1.0) -> float:
    """The token F1 with the closest gold answer; 0 without any."""
    return max((token_f1(prediction, gold, both_empty=both_empty) for gold in golds), default=0.0)


@lru_cache(maxsize=4096)
def _tokens(answer: str) -> Counter[str]:
    return Counter(normalize_answer(answer).split())
