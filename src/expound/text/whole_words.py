"""Readers see pieces of words, and an answer is never a piece: "272" of "272K" is another number."""

from __future__ import annotations


def take_whole_words(text: str, start: int, end: int) -> str:
    """A stretch of a text with the rest of the words that it cuts.

    >>> take_whole_words("some 272K questions", 5, 8)
    '272K'
    """
    while start > 0 and text[start - 1].isalnum() and text[start : start + 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return text[start:end]
