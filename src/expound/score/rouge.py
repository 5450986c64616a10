"""ROUGE (Lin 2004) with the numbers of rouge-score 0.1.2, and the way ASQA uses it."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import chain, pairwise
from sys import intern
from typing import NamedTuple, Protocol, TypeVar

from expound.errors import UserError
from expound.score.lcs import Shared, lcs_length, share
from expound.text import punkt
from expound.text.porter import stem
from expound.text.punkt import Punkt
from expound.text.sentences import split_sentences
from expound.text.splitters import check_splitter, resources_of
from expound.types import Prediction, Question

Gram = TypeVar("Gram", bound=Hashable)

PROFILES = ("rouge_score", "asqa", "lfqa")
_KIND = re.compile(r"[1-9]|l|lsum")
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789\n")
# One translation in place of a regular expression: anything else is a space, as for rouge-score.
_TO_SPACES = bytes(byte if byte in _KEPT else ord(" ") for byte in range(256))


class Splitter(Hashable, Protocol):
    """Anything that cuts a text into sentences."""

    def sentences(self, text: str) -> list[str]: ...


class ByRules:
    """`split_sentences` as a splitter."""

    def sentences(self, text: str) -> list[str]:
        return split_sentences(text)


class Overlap(NamedTuple):
    """What answer and reference share: of the answer (precision), of the reference (recall), and F1. 0 to 1."""

    precision: float
    recall: float
    f1: float


class Reading(NamedTuple):
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
    `lsum` (Stelmakh et al. 2022, `scoring.py`). Its `splitter` "rules" needs no fetched file; scores then differ a bit
    from the official ones, and the signature says so. `sentences` takes a splitter of your own. Profile `lfqa` is
    rouge-score's ROUGE-L with the best reference (Xu et al. 2023, appendix A.4).

    >>> from expound.types import Answer
    >>> question = Question("1", "Where is the cat?", references=("The cat sat on the mat.", "On the mat"))
    >>> prediction = Prediction("1", question.text, "demo", Answer("The cat was sitting on a mat."))
    >>> round(Rouge(kind="l").count(question, prediction), 1)
    61.5
    """

    profile: str = "rouge_score"
    kind: str = "lsum"
    sentences: Splitter | None = field(default=None, repr=False)
    splitter: str = "punkt"

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise UserError(f"no ROUGE profile named {self.profile!r}; there are: {', '.join(PROFILES)}")
        if not _KIND.fullmatch(self.kind):
            raise UserError(f"no ROUGE kind named {self.kind!r}; there are: 1 to 9, l, lsum")
        check_splitter(self.splitter)
        if self.profile == "lfqa" and self.kind != "l":
            # The paper has no other: whoever names the profile alone means ROUGE-L.
            object.__setattr__(self, "kind", "l")
        if self.splitter != "punkt" and self.profile != "asqa":
            raise UserError(f"only the profile asqa has a splitter; write Rouge('asqa', splitter={self.splitter!r})")

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
        splitter = self.splitter if self.sentences is None else type(self.sentences).__name__
        usual = splitter == "punkt" or isinstance(self.sentences, Punkt)
        return {"profile": self.profile} | ({} if usual else {"splitter": splitter})

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return resources_of(self.splitter) if self.profile == "asqa" and self.sentences is None else ()

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        if not question.references:
            return math.nan
        is_asqa = self.profile == "asqa"
        # ASQA keeps the second of two equally good references, hence the last one first.
        references = question.references[::-1] if is_asqa else question.references
        chosen_by = "lsum" if is_asqa else self.kind
        reading = _asqa_reading(self.sentences, self.splitter) if is_asqa else Reading(splitter=self.sentences)
        answer = prediction.answer.text
        return 100 * rouge(references, answer, kind=self.kind, reading=reading, chosen_by=chosen_by).f1


def rouge(
    references: Sequence[str], answer: str, *, kind: str = "lsum", reading: Reading = STEMMED, chosen_by: str = ""
) -> Overlap:
    """The overlap with the best reference, the first on a tie; best by `chosen_by`, otherwise by `kind` itself."""
    # Nothing to choose from: the texts are compared once.
    if len(references) == 1:
        return _compare(references[0], answer, reading, kind)
    best = max(references, key=lambda reference: _overlap(reference, answer, reading, chosen_by or kind).f1)
    return _overlap(best, answer, reading, kind)


@lru_cache(maxsize=8)
def _asqa_reading(sentences: Splitter | None, splitter: str) -> Reading:
    if splitter == "rules" and sentences is None:
        # The rules go by capital letters, so lower-casing has to wait.
        return Reading(splitter=ByRules(), newlines_too=True)
    return Reading(splitter=sentences or punkt.english(), lower_first=True, newlines_too=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """A text as ROUGE sees it: tokens, and tokens by sentence. Hashed by identity, so caches find it at once."""

    tokens: list[str]
    lines: list[list[str]]


# One data set with two references a question fits, so comparing systems reads each reference once.
@lru_cache(maxsize=4096)
def _read(text: str, reading: Reading) -> _Text:
    lines = [words for line in _plain("\n".join(_sentences(text, reading))).split("\n") if (words := line.split())]
    if reading.stem:
        # After the split, so that sentences are cut by the words as they are written.
        lines = [list(map(_STEMS.__getitem__, line)) for line in lines]
    return _Text(list(chain.from_iterable(lines)), lines)


def _sentences(text: str, reading: Reading) -> list[str]:
    if reading.splitter is None:
        return [text]
    sentences = reading.splitter.sentences(text.lower() if reading.lower_first else text)
    is_joined = "\n" in text and not reading.newlines_too
    return [sentence.replace("\n", " ") for sentence in sentences] if is_joined else sentences


def _plain(text: str) -> str:
    """The text lower-cased, with spaces for all but a-z, 0-9 and newlines; bytes do this faster than expressions."""
    # "?" stands for every letter beyond ASCII and becomes a space, as rouge-score's expression does with it.
    return text.lower().encode("ascii", "replace").translate(_TO_SPACES).decode("ascii")


class _Stems(dict[str, str]):
    """Every token's stem, made when first asked for: a look-up is half the price of a cached call."""

    def __missing__(self, token: str) -> str:
        if len(self) >= _STEMS_KEPT:
            self.clear()
        # rouge-score stems only words of more than three letters. Interned, equal stems are one object: found at once.
        self[token] = stemmed = intern(stem(token) if len(token) > 3 else token)
        return stemmed


# Words of a large vocabulary; forgetting all now and then is cheaper than knowing which are old.
_STEMS_KEPT = 1 << 16
_STEMS = _Stems()


def _compare(reference: str, answer: str, reading: Reading, kind: str) -> Overlap:
    target, mine = _read(reference, reading), _read(answer, reading)
    sizes = len(target.tokens), len(mine.tokens)
    if not all(sizes):
        return Overlap(0.0, 0.0, 0.0)
    if kind == "lsum":
        return _shares(_share(target, mine).in_order(), *sizes)
    if kind == "l":
        return _shares(lcs_length(target.tokens, mine.tokens), *sizes)
    if kind == "1":
        return _shares(_share(target, mine).in_any_order(), *sizes)
    n = int(kind)
    hits = _common(_ngrams(target.tokens, n), _ngrams(mine.tokens, n))
    # A text shorter than the n-gram has none; rouge-score divides by 1.
    return _shares(hits, *[max(size - n + 1, 1) for size in sizes])


# Small: they serve the kinds and references of the question at hand.
_overlap = lru_cache(maxsize=64)(_compare)


@lru_cache(maxsize=64)
def _share(target: _Text, mine: _Text) -> Shared:
    return share(target.lines, mine.lines)


def _ngrams(tokens: list[str], n: int) -> Iterable[tuple[str, ...]]:
    return pairwise(tokens) if n == 2 else zip(*(tokens[start:] for start in range(n)), strict=False)


def _common(reference: Iterable[Gram], answer: Iterable[Gram]) -> int:
    """How many n-grams both sides have, each as often as both have it."""
    # Plain loops: two Counters take half as long again on texts of a paragraph.
    left: dict[Gram, int] = {}
    count_of = left.get
    for gram in reference:
        left[gram] = count_of(gram, 0) + 1
    hits = 0
    for gram in answer:
        if count := count_of(gram):
            left[gram] = count - 1
            hits += 1
    return hits


def _shares(hits: int, reference_size: int, answer_size: int) -> Overlap:
    precision, recall = hits / answer_size, hits / reference_size
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0)
