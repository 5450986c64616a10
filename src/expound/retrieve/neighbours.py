"""The training questions nearest to every evaluation question: by words first, then by meaning among these.

The training file is read as a stream, three times, and its questions stand in an index on disk: memory grows with the
evaluation questions, and with the different words of the training questions.
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from expound.index.lexical import LexicalIndex
from expound.protocols import Embedder
from expound.text.paraphrase import ParaphraseScorer, load_scorer
from expound.text.words import lower_words
from expound.types import Question

Hits: TypeAlias = list[tuple[int, float]]
Report: TypeAlias = Callable[[str, float, float], None]

# Paraphrases with few common words come late in BM25's order; embedding three times what is shown is still quick.
CANDIDATES = 20
NEAREST = 7
"""As many as the paper looks at."""

# Questions between two lines of progress.
_EMBED_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A training question near an evaluation question: how near by words (TF-IDF), and as a paraphrase."""

    id: str
    text: str
    tfidf: float
    paraphrase: float


@dataclass
class Frequencies:
    """In how many training questions each word stands, for TF-IDF."""

    counts: Counter[str] = field(default_factory=Counter)
    size: int = 0

    def add(self, text: str) -> None:
        self.counts.update(set(lower_words(text)))
        self.size += 1

    def cosine(self, first: str, second: str) -> float:
        """TF-IDF similarity of two questions, as ELI5 looked for overlap (Fan et al. 2019)."""
        a, b = self._vector(first), self._vector(second)
        scale = math.sqrt(math.fsum(v * v for v in a.values()) * math.fsum(v * v for v in b.values()))
        return math.fsum(value * b[word] for word, value in a.items() if word in b) / scale if scale else 0.0

    def _vector(self, text: str) -> dict[str, float]:
        words = Counter(lower_words(text))
        # Smoothed as scikit-learn does, so that numbers can be compared with those of others.
        return {word: n * (1 + math.log((1 + self.size) / (1 + self.counts[word]))) for word, n in words.items()}


def near_each_other(
    questions: Sequence[Question], embedder: Embedder | None, report: Report | None = None
) -> list[list[Neighbour]]:
    """Every question's nearest other questions."""
    with tempfile.TemporaryDirectory(prefix="expound-split-") as folder:
        index, frequencies = index_questions(questions, Path(folder), report)
        found = candidates(index, questions, report=report)
    hits = [[hit for hit in row if hit[0] != place] for place, row in enumerate(found)]
    texts = {number: (question.id, question.text) for number, question in enumerate(questions)}
    return score_neighbours(questions, hits, texts, frequencies, embedder=embedder, report=report)


def index_questions(
    train: Iterable[Question], folder: Path, report: Report | None = None
) -> tuple[LexicalIndex, Frequencies]:
    """An index of the training questions in a folder, and the frequencies of their words."""
    frequencies = Frequencies()

    def texts() -> Iterator[tuple[int, str, str]]:
        for number, question in enumerate(train):
            frequencies.add(question.text)
            if report and number % 1000 == 0:
                report("indexing training questions", number, 0)
            yield number, "", question.text

    # In a temporary folder: it is needed for one audit.
    index = LexicalIndex(folder)
    index.update(texts(), ())
    return index, frequencies


def candidates(
    index: LexicalIndex, questions: Sequence[Question], *, k: int = CANDIDATES, report: Report | None = None
) -> list[Hits]:
    """The `k` nearest training questions by words, as numbers, for every question."""
    found = []
    for number, question in enumerate(questions):
        if report and number % 100 == 0:
            report("searching training questions", number, len(questions))
        found.append(index.search(question.text, k=k))
    return found


def choose_questions(train: Iterable[Question], numbers: Iterable[int]) -> Iterator[tuple[int, Question]]:
    """The training questions of these numbers, read as a stream."""
    wanted = set(numbers)
    # By number: the file is read again rather than kept in memory.
    return ((number, question) for number, question in enumerate(train) if number in wanted)


def score_neighbours(
    questions: Sequence[Question],
    hits: Sequence[Hits],
    found: Mapping[int, tuple[str, str]],
    frequencies: Frequencies,
    *,
    embedder: Embedder | None,
    nearest: int = NEAREST,
    report: Report | None = None,
) -> list[list[Neighbour]]:
    """Every question's candidates with their scores, the `nearest` best by meaning, or by words without an embedder."""
    cosines = _cosines(questions, hits, found, embedder=embedder, report=report)
    scorer = load_scorer(with_cosine=embedder is not None)
    rows = []
    for question, row, near in zip(questions, hits, cosines, strict=True):
        ranked = [(number, cosine) for (number, _), cosine in zip(row, near, strict=True)]
        # Without vectors BM25's order stands.
        if embedder:
            ranked.sort(key=lambda item: -item[1])
        rows.append([_neighbour(question, *found[n], frequencies, cosine, scorer) for n, cosine in ranked[:nearest]])
    return rows


def _neighbour(
    question: Question, id: str, text: str, frequencies: Frequencies, cosine: float, scorer: ParaphraseScorer
) -> Neighbour:
    similarity = frequencies.cosine(question.text, text)
    return Neighbour(id, text, similarity, scorer.score(question.text, text, cosine))


def _cosines(
    questions: Sequence[Question],
    hits: Sequence[Hits],
    found: Mapping[int, tuple[str, str]],
    embedder: Embedder | None,
    report: Report | None,
) -> list[list[float]]:
    if embedder is None:
        return [[math.nan] * len(row) for row in hits]
    cosines = []
    for start in range(0, len(questions), _EMBED_AT_ONCE):
        block = slice(start, start + _EMBED_AT_ONCE)
        if report:
            report("vectors of questions", start, len(questions))
        cosines += _block_cosines([q.text for q in questions[block]], hits[block], found, embedder)
    return cosines


def _block_cosines(
    asked: Sequence[str], hits: Sequence[Hits], found: Mapping[int, tuple[str, str]], embedder: Embedder
) -> list[list[float]]:
    # A training question is mostly near to several questions.
    numbers = list(dict.fromkeys(number for row in hits for number, _ in row))
    vectors = embedder.embed([*asked, *(found[number][1] for number in numbers)])
    place = {number: len(asked) + position for position, number in enumerate(numbers)}
    return [
        [float(vectors[position] @ vectors[place[number]]) for number, _ in row] for position, row in enumerate(hits)
    ]
