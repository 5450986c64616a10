"""How much of an answer stands in other texts, by n-grams of words, and where."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from expound.audit.section import Run
from expound.text.words import STOP_WORDS, WHOLE_WORD, lower_words

Gram: TypeAlias = tuple[str, ...]


def grams(words: Sequence[str], n: int) -> list[Gram]:
    """All n-grams in order."""
    return list(zip(*(words[start:] for start in range(n)), strict=False))


def overlap(text: str, others: Iterable[str], n: int) -> float:
    """Share of the text's n-grams that stand in one of the others, in percent; not a number where it has none."""
    own = grams(lower_words(text), n)
    if not own:
        return math.nan
    there = set().union(*(grams(lower_words(other), n) for other in others))
    return 100 * sum(gram in there for gram in own) / len(own)


def mark_copied(text: str, others: Iterable[str], n: int = 2) -> tuple[Run, ...]:
    """The text in runs, marked where an n-gram with a content word in it stands in one of the others."""
    matches = list(WHOLE_WORD.finditer(text))
    words = [match.group().lower() for match in matches]
    there = set().union(*(grams(lower_words(other), n) for other in others))
    hit = [False] * len(words)
    for place, gram in enumerate(grams(words, n)):
        # Two function words side by side are in every text.
        if gram in there and not STOP_WORDS.issuperset(gram):
            hit[place : place + n] = [True] * n
    return _runs(text, [(match.start(), match.end()) for match, is_hit in zip(matches, hit, strict=True) if is_hit])


def _runs(text: str, spans: Sequence[tuple[int, int]]) -> tuple[Run, ...]:
    """The text cut at the spans, neighbours with only space between them joined."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    runs: list[Run] = []
    at = 0
    for start, end in joined:
        runs += [(text[at:start], False), (text[start:end], True)]
        at = end
    return tuple(run for run in [*runs, (text[at:], False)] if run[0])
