"""What a sentence with several answers says of each: "premiered in Berlin on 4 April and was released on 14 April"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from expound.text.normal import normalize_answer

_WORD = re.compile(r"[\w'’-]+")
_POSSESSIVE = re.compile(r"['’]s?$")
# Where one thing is said and the next begins.
_BREAK = re.compile(r"[;,()]|\b(?:and|but|while|whereas|though|although|before|after|when|which|who)\b")
# Characters that a break counts as: about a phrase, so that a word beyond one belongs to what is on its own side.
_BREAK_WIDTH = 40


def words_of_answer(sentence: str, answer: str, others: Sequence[str]) -> set[str]:
    """The words of a sentence that stand nearer to an answer than to the others that it gives; all if it gives none.

    >>> found = words_of_answer("It opened in Oslo in 1990 and in Rome in 1992.", "1990", ["1992"])
    >>> "oslo" in found, "rome" in found
    (True, False)
    """
    mine = _find_places(sentence, [answer])
    theirs = _find_places(sentence, [other for other in others if not _is_within(answer, other)])
    near = [
        word.group()
        for word in _WORD.finditer(sentence)
        # Ties go to nobody: what stands in the middle tells nothing apart.
        if not theirs or not mine or _distance(sentence, word.span(), mine) < _distance(sentence, word.span(), theirs)
    ]
    # "Disney's" says "Disney".
    return set(normalize_answer(" ".join([*near, *(_POSSESSIVE.sub("", word) for word in near)])).split())


def gap_between(sentence: str, one: tuple[int, int], other: tuple[int, int]) -> int:
    """Characters between two places of a sentence, with breaks in between counted as many."""
    start, end = (one[1], other[0]) if one[1] <= other[0] else (other[1], one[0])
    between = sentence[start:end] if start < end else ""
    return len(between) + _BREAK_WIDTH * len(_BREAK.findall(between))


def _is_within(one: str, other: str) -> bool:
    return bool(_find_places(one, [other]) or _find_places(other, [one]))


def _find_places(sentence: str, answers: Sequence[str]) -> list[tuple[int, int]]:
    # Whole words: "4 April" does not stand in "14 April".
    patterns = [rf"(?<!\w){re.escape(answer)}(?!\w)" for answer in answers if answer]
    return [found.span() for pattern in patterns for found in re.finditer(pattern, sentence)]


def _distance(sentence: str, word: tuple[int, int], places: Sequence[tuple[int, int]]) -> int:
    return min(gap_between(sentence, word, place) for place in places)
