"""ROUGE (Lin 2004) with the numbers of rouge-score 0.1.2, and the way ASQA uses it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import NamedTuple, Protocol

from expound.errors import UserError
from expound.score.lcs import lcs_length, summary_hits
from expound.text.porter import stem
from expound.text.punkt import Punkt
from expound.types import Prediction, Question

PROFILES = ("rouge_score", "asqa")
_KIND = re.compile(r"[1-9]|l|lsum")
_TOKEN = re.compile("[a-z0-9]+")


class Splitter(Hashable, Protocol):
    """Anything that cuts a text into sentences."""

    def sentences(self, text: str) -> list[str]: ...


class Overlap(NamedTuple):
    """What answer and reference share: of the answer (precision), of the reference (recall), and F1. 0 to 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text becomes tokens and sentences; without a splitter a sentence is a line.

    A splitter alone is rouge-score's `split_summaries`. ASQA lower-cases before splitting, and for it newlines inside a
    sentence end one too.
    """

    stem: bool = True
    splitter: Splitter | None = None
    lower_first: bool = False
    newlines_too: bool = False


STEMMED = Reading()


@dataclass(frozen=True, repr=False)
class Rouge:
    """ROUGE F1 of the answer with its closest reference. 0 to 100; not a number without a reference.

    `kind` is an n-gram length, `l` or `lsum`. F1 = 2pr / (p + r), where p and r are the common n-grams (clipped), or
    the longest common subsequence, over the size of the answer and of the reference. Tokens are stemmed runs of a-z
    and 0-9.

    Profile `rouge_score` ends sentences at newlines and takes the best reference for each kind (rouge-score 0.1.2,
    `score_multi`). Profile `asqa` lower-cases, splits with Punkt, and reads every kind from the reference with the best
    `lsum` (Stelmakh et al. 2022, `scoring.py`).

    >>> from expound.types import Answer
    >>> question = Question("1", "Where is the cat?", references=("The cat sat on the mat.", "On the mat"))
    >>> prediction = Prediction("1", question.text, "demo", Answer("The cat was sitting on a mat."))
    >>> round(Rouge(kind="l").count(question, prediction), 1)
    61.5
    """

    profile: str = "rouge_score"
    kind: str = "lsum"
    sentences: Splitter | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise UserError(f"no ROUGE profile named {self.profile!r}; there are: {', '.join(PROFILES)}")
        if not _KIND.fullmatch(self.kind):
            raise UserError(f"no ROUGE kind named {self.kind!r}; there are: 1 to 9, l, lsum")

    def __repr__(self) -> str:
        shown = [item for item in fields(self) if item.repr and getattr(self, item.name) != item.default]
        return f"Rouge({', '.join(f'{item.name}={getattr(self, item.name)!r}' for item in shown)})"

    @property
    def name(self) -> str:
        """`rouge_1`, `rouge_l`, `rouge_lsum`."""
        return f"rouge_{self.kind}"

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        usual = self.sentences is None or isinstance(self.sentences, Punkt)
        return {"profile": self.profile} | ({} if usual else {"splitter": type(self.sentences).__name__})

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        if not question.references:
            return math.nan
        is_asqa = self.profile == "asqa"
        # ASQA keeps the second of two equally good references, hence the last one first.
        references = question.references[::-1] if is_asqa else question.references
        chosen_by = "lsum" if is_asqa else self.kind
        reading = _asqa_reading(self.sentences) if is_asqa else Reading(splitter=self.sentences)
        answer = prediction.answer.text
        return 100 * rouge(references, answer, kind=self.kind, reading=reading, chosen_by=chosen_by).f1


def rouge(
    references: Sequence[str], answer: str, *, kind: str = "lsum", reading: Reading = STEMMED, chosen_by: str = ""
) -> Overlap:
    """The overlap with the best reference, the first on a tie; best by `chosen_by`, otherwise by `kind` itself."""
    read = [_read(text, reading) for text in references]
    mine = _read(answer, reading)
    if len(read) == 1:
        return _overlap(read[0], mine, kind)
    best = max(read, key=lambda reference: _overlap(reference, mine, chosen_by or kind).f1)
    return _overlap(best, mine, kind)


@lru_cache(maxsize=8)
def _asqa_reading(splitter: Splitter | None) -> Reading:
    return Reading(splitter=splitter or _english_punkt(), lower_first=True, newlines_too=True)


@lru_cache(maxsize=1)
def _english_punkt() -> Punkt:
    from expound import resources  # only this profile needs a fetched file

    return Punkt.load(resources.path("punkt"))


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """A text as ROUGE sees it: tokens, and tokens by sentence. Hashed by identity, so caches find it at once."""

    tokens: list[str]
    lines: list[list[str]]


# One data set with two references a question fits, so comparing systems reads each reference once.
@lru_cache(maxsize=4096)
def _read(text: str, reading: Reading) -> _Text:
    pieces = _sentences(text.lower() if reading.lower_first else text, reading)
    lines = [_tokens(piece, stemmed=reading.stem) for piece in pieces]
    return _Text([token for line in lines for token in line], [line for line in lines if line])


def _sentences(text: str, reading: Reading) -> list[str]:
    if reading.splitter is None:
        return text.split("\n")
    sentences = reading.splitter.sentences(text)
    return "\n".join(sentences).split("\n") if reading.newlines_too else sentences


def _tokens(line: str, *, stemmed: bool) -> list[str]:
    tokens: list[str] = _TOKEN.findall(line.lower())
    return [stem(token) if len(token) > 3 else token for token in tokens] if stemmed else tokens


# Small: it serves the kinds and references of the question at hand.
@lru_cache(maxsize=64)
def _overlap(reference: _Text, answer: _Text, kind: str) -> Overlap:
    sizes = len(reference.tokens), len(answer.tokens)
    if not all(sizes):
        return Overlap(0.0, 0.0, 0.0)
    if kind == "lsum":
        return _shares(summary_hits(reference.lines, answer.lines), *sizes)
    if kind == "l":
        return _shares(lcs_length(reference.tokens, answer.tokens), *sizes)
    n = int(kind)
    hits = _common(_ngrams(reference, n), _ngrams(answer, n))
    return _shares(hits, *(max(size - n + 1, 1) for size in sizes))


@lru_cache(maxsize=64)
def _ngrams(text: _Text, n: int) -> Counter[Hashable]:
    return Counter(zip(*(text.tokens[start:] for start in range(n)), strict=False) if n > 1 else text.tokens)


def _common(one: Counter[Hashable], other: Counter[Hashable]) -> int:
    """How many n-grams two texts share, each as often as both have it."""
    return sum([min(one[ngram], other[ngram]) for ngram in one.keys() & other.keys()])


def _shares(hits: int, reference_size: int, answer_size: int) -> Overlap:
    precision, recall = hits / answer_size, hits / reference_size
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0)
