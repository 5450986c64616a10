"""BLEU (Papineni et al. 2002) of one text, the way two packages count it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import accumulate, chain
from operator import mul, or_
from typing import TypeAlias

_NGrams: TypeAlias = Counter[tuple[str, ...]]
_COCO_ORDERS = 4  # pycocoevalcap always counts four
_TINY = 1e-15  # pycocoevalcap's, so that an order without a match has a product
_SMALL = 1e-9  # pycocoevalcap's, so that an empty text divides
_SMOOTHING = 0.1  # NLTK's smoothing method 1 puts this in place of no match


def coco_bleu(references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> tuple[float, float, float, float]:
    """BLEU-1 to BLEU-4 as pycocoevalcap counts them. 0 to 1.

    BLEU-n is the geometric mean of the clipped precisions (matches + 1e-15) / (n-grams + 1e-9) up to n, times
    exp(1 - 1/ratio) where ratio, the length over that of the closest reference, is below 1.

    >>> [round(value, 3) for value in coco_bleu([["who", "sang", "it", "first"]], ["who", "sang", "it"])]
    [0.717, 0.717, 0.717, 0.023]
    """
    size = len(hypothesis)
    allowed = _most([_coco_ngrams(tuple(words)) for words in references])
    matches = _matches(_coco_ngrams(tuple(hypothesis)), allowed)
    shares = [(hits + _TINY) / (max(size - n, 0) + _SMALL) for n, hits in enumerate(matches)]
    ratio = (size + _TINY) / (_closest([len(words) for words in references], size) + _SMALL)
    brevity = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
    one, two, three, four = accumulate(shares, mul)
    return one * brevity, two ** (1 / 2) * brevity, three ** (1 / 3) * brevity, four ** (1 / 4) * brevity


def self_bleu(texts: Sequence[Sequence[str]], orders: int = 5) -> list[tuple[float, ...]]:
    """BLEU-1 to BLEU-`orders` of each text against all the others, as NLTK's smoothing method 1 gives it. 0 to 1.

    The geometric mean of the clipped precisions, where one without a match has 0.1 matches, times
    exp(1 - reference length / length) when shorter than the closest other; all 0 when no word matches.

    >>> self_bleu([["a", "b"], ["a", "b"]], orders=2)
    [(1.0, 1.0), (1.0, 1.0)]
    """
    sizes = Counter(len(words) for words in texts)
    matches = _matches_with_others([_ngrams(words, orders) for words in texts], orders)
    return [
        # The other texts' lengths: one's own counts only if another text is as long.
        _smooth_counts(matched, len(words), [size for size in sizes if size != len(words) or sizes[size] > 1])
        for words, matched in zip(texts, matches, strict=True)
    ]


def _ngrams(words: Sequence[str], orders: int) -> _NGrams:
    """How often each n-gram occurs, of all lengths from 1 to `orders`."""
    shifted = [words[start:] for start in range(orders)]
    return Counter(chain.from_iterable(zip(*shifted[:n], strict=False) for n in range(1, orders + 1)))


# A question is compared with every reading of it that has the same answer.
@lru_cache(maxsize=1024)
def _coco_ngrams(words: tuple[str, ...]) -> _NGrams:
    return _ngrams(words, _COCO_ORDERS)


def _most(texts: Sequence[_NGrams]) -> _NGrams:
    """How often each n-gram occurs in the text that has most of it."""
    return reduce(or_, texts) if texts else Counter()


def _matches(mine: _NGrams, allowed: _NGrams) -> list[int]:
    """How many n-grams of each length are allowed, each as often as that."""
    matches = [0] * _COCO_ORDERS
    for ngram in mine.keys() & allowed.keys():
        matches[len(ngram) - 1] += min(mine[ngram], allowed[ngram])
    return matches


def _matches_with_others(texts: Sequence[_NGrams], orders: int) -> Iterator[list[int]]:
    """For each text, how many of its n-grams of each length all the others allow."""
    # Two counts of an n-gram are enough: a text that has it most often is held to the second.
    first: dict[tuple[str, ...], int] = {}
    second: dict[tuple[str, ...], int] = {}
    for text in texts:
        for ngram, count in text.items():
            most = first.get(ngram, 0)
            if count > most:
                first[ngram] = count
            # The second highest count so far is either the former first one or this one.
            if most:
                second[ngram] = max(second.get(ngram, 0), min(count, most))
    for text in texts:
        matches = [0] * orders
        # An n-gram that no other text has is not in `second`.
        for ngram in text.keys() & second.keys():
            count = text[ngram]
            matches[len(ngram) - 1] += second[ngram] if count == first[ngram] else count
        yield matches


def _smooth_counts(matches: Sequence[int], size: int, reference_sizes: Collection[int]) -> tuple[float, ...]:
    # NLTK gives 0 without a common word, whatever the smoothing.
    if not matches or not matches[0]:
        return (0.0,) * len(matches)
    logs = accumulate(math.log((hits or _SMOOTHING) / max(size - n, 1)) for n, hits in enumerate(matches))
    # Below 0 for a short text only: longer ones are not punished.
    brevity = min(1 - _closest(reference_sizes, size) / size, 0.0)
    return tuple(math.exp(total / n + brevity) for n, total in enumerate(logs, start=1))


def _closest(sizes: Collection[int], size: int) -> int:
    """The reference length nearest to a length, the shorter on a tie."""
    return min(sizes, key=lambda other: (abs(other - size), other))
