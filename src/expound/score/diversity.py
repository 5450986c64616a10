"""Diversity: how many of an answer's word sequences are new, and how many sentences it has."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from expound.errors import UserError
from expound.text.splitters import check_splitter, find_splitter, resources_of
from expound.types import Prediction, Question

# An apostrophe within a word belongs to it: "don't" said twice is one word repeated. Possessive, so that a line of
# apostrophes is read once.
_WORD = re.compile(r"\w+(?:['’]\w+)*+")


@dataclass(frozen=True)
class DistinctN:
    """Different n-grams of the answer over all its n-grams. 0 to 100; not a number for an answer of fewer than n words.

    After Li et al. 2016, who divide by words; with n-grams below the line an answer without repetition has 100. Words
    are lower-cased. Long answers score lower, so compare answers of similar length only.

    >>> from expound.types import Answer
    >>> prediction = Prediction("1", "?", "demo", Answer("The cat and the dog."))
    >>> DistinctN(n=1).count(Question("1", "?"), prediction)
    80.0
    """

    n: int = 1

    def __post_init__(self) -> None:
        _check_n(self.n)

    @property
    def name(self) -> str:
        """`distinct_1`, `distinct_2`."""
        return f"distinct_{self.n}"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's share in percent."""
        distinct, total = _ngrams(prediction.answer.text, self.n)
        return 100 * distinct / total if total else math.nan


@dataclass(frozen=True)
class Repetition:
    """Share of the answer's n-grams that repeat an earlier one. 0 to 100; not a number for fewer than n words.

    1 - different n-grams / n-grams of lower-cased words, for n = 4 the seq-rep-4 of Welleck et al. 2020: phrases of
    four words seldom come back by chance.

    >>> from expound.types import Answer
    >>> prediction = Prediction("1", "?", "demo", Answer("I do not know. I do not know."))
    >>> Repetition().count(Question("1", "?"), prediction)
    20.0
    """

    n: int = 4
    name = "repetition"

    def __post_init__(self) -> None:
        _check_n(self.n)

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"grams": str(self.n)}

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's share in percent."""
        distinct, total = _ngrams(prediction.answer.text, self.n)
        return 100 * (total - distinct) / total if total else math.nan


@dataclass(frozen=True)
class Sentences:
    """Sentences of the answer. 0 upwards.

    The `splitter` "rules" is expound's own, for which a line break ends a sentence; "punkt" is NLTK's, which needs the
    fetched file of that name.
    """

    splitter: str = "rules"
    name = "sentences"

    def __post_init__(self) -> None:
        check_splitter(self.splitter)

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"splitter": self.splitter}

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return resources_of(self.splitter)

    def count(self, question: Question, prediction: Prediction) -> float:
        """How many there are."""
        return float(len(find_splitter(self.splitter)(prediction.answer.text)))


def _ngrams(text: str, n: int) -> tuple[int, int]:
    """How many different n-grams a text has, and how many in all."""
    words = _WORD.findall(text.lower())
    ngrams = list(zip(*(words[start:] for start in range(n)), strict=False))
    return len(set(ngrams)), len(ngrams)


def _check_n(n: int) -> None:
    if n < 1:
        raise UserError(f"n is {n}; n-grams have at least one word")
