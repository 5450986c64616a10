"""Which stretch of a passage a sentence of an answer stands on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from expound.text.sentences import sentence_spans
from expound.text.support import LexicalSupport

# A sentence of a passage is marked for an answer that does not quote it if so much of it is the answer's, or the other
# way round; lower would mark sentences that only share their subject. A round figure, not tuned.
_MARKED = 0.5


def stretches(text: str, quoted: str, sentence: str) -> list[tuple[int, int]]:
    """Where a passage has what is quoted; else its sentence that is nearest to what is said, if any is near."""
    start = text.find(quoted) if quoted else -1
    if start >= 0:
        return [(start, start + len(quoted))]
    judge = LexicalSupport()
    spans = _spans(text)
    scored = [(max(judge(text[a:b], sentence), judge(sentence, text[a:b])), (a, b)) for a, b in spans]
    best = max(scored, default=(0.0, (0, 0)), key=lambda one: one[0])
    return [best[1]] if best[0] >= _MARKED else []


def runs(text: str, marked: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is marked.

    >>> runs("It is blue. It is old.", [(0, 11)])
    [('It is blue.', True), (' It is old.', False)]
    """
    found: list[tuple[str, bool]] = []
    place = 0
    for start, end in sorted(marked):
        found += [(text[place:start], False), (text[start:end], True)]
        place = end
    return [(piece, is_marked) for piece, is_marked in (*found, (text[place:], False)) if piece]


# The systems of a report find the same passages.
@lru_cache(maxsize=4096)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentence_spans(text))
