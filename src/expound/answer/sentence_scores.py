"""Score the sentences of the evidence: how well does each one answer the question?"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from expound.protocols import Embedder, Ranker
from expound.text.sentences import split_sentences
from expound.text.titled import add_title, titled_passage
from expound.text.words import centralities, coverage
from expound.types import Evidence, ScoredSentence

if TYPE_CHECKING:
    from expound.protocols import Vectors

FEWEST_WORDS = 4
"""Fewer words are a label or a heading."""
MOST_WORDS = 60  # longer ones cannot be quoted in an answer of 80 words beside any other
MOST_CHARACTERS = 800
"""More is a table or a list that was taken for a sentence."""
# A sentence on the subject opens with so much of the title: "Louis Philippe I" is mostly "Louis Philippe".
_OPENING = 12


@dataclass(frozen=True)
class SentenceWeights:
    """How much each sign counts; chosen on one half of the ASQA dev questions (recipes/LOG.md)."""

    passage: float = 1.0
    """Similarity of the whole passage."""
    lead: float = 0.1
    """The sentence opens its passage."""
    subject: float = 0.1
    """The sentence opens with the passage's title."""
    place: float = 0.03
    """Lost with every sentence before it, up to five."""
    length: float = 0.05
    """Lost with every 20 words more or less than 22."""
    central: float = 2.0
    """How many of its words it shares with the other sentences, on average (0 to 1, usually below 0.1)."""
    ranker: float = 0.4
    """The ranker's probability that the sentence answers the question."""


class SignScorer:
    """Sentence scores from the embedder, the ranker, or words alone, whichever are at hand."""

    def __init__(
        self,
        embedder: Embedder | None = None,
        ranker: Ranker | None = None,
        *,
        static: Embedder | None = None,
        passages: int = 10,
        seen: int = 24,
        ranked: int = 24,
        weights: SentenceWeights | None = None,
    ) -> None:
        self.embedder, self.ranker, self.static = embedder, ranker, static
        self.passages, self.seen, self.ranked = passages, seen, ranked
        self.weights = weights or SentenceWeights()
        self._memory: dict[tuple[str, tuple[str, ...]], list[ScoredSentence]] = {}

    def score(self, question: str, evidence: Sequence[Evidence]) -> list[ScoredSentence]:
        """Every whole sentence of the best passages with its score, best first."""
        key = (question, tuple(item.passage.id for item in evidence))
        if key not in self._memory:
            # Only the last one is kept: clarifier, check and answerer ask for the same question in a row.
            self._memory = {key: self._score(question, evidence[: self.passages])}
        return self._memory[key]

    def _score(self, question: str, evidence: Sequence[Evidence]) -> list[ScoredSentence]:
        places = [
            (item, position, text)
            for item in evidence
            for position, text in enumerate(split_sentences(item.passage.text))
            if is_whole(text)
        ]
        if not places:
            return []
        scored = self._by_similarity(question, evidence, places)
        scored.sort(key=lambda sentence: -sentence.score)
        return self._rank_promising(question, evidence, scored)

    def _by_similarity(
        self, question: str, evidence: Sequence[Evidence], places: Sequence[_Place]
    ) -> list[ScoredSentence]:
        """The promising sentences, each with the sum of the signs that need no ranker."""
        passages = [titled_passage(item.passage) for item in evidence]
        # Computed once a passage, and with the headings: a sentence
        # profits from a passage that is all about the question.
        of = {
            item.number: self.weights.passage * value
            for item, value in zip(evidence, self.similarities(question, passages), strict=True)
        }
        shared = centralities([text for _, _, text in places])
        signs = [
            of[item.number] + self.weights.central * central + self._form(item.passage.title, position, text)
            for (item, position, text), central in zip(places, shared, strict=True)
        ]
        # The embedder is slow: it only sees what could still win (recipes/LOG.md, "Speed").
        kept = self._promising(question, places, signs)
        similarities = self.similarities(question, [_with_title(places[number]) for number in kept])
        return [
            # Until the ranker is heard, nearness is the best guess of confidence; without a ranker it stays so.
            ScoredSentence(
                text=text,
                number=item.number,
                position=position,
                score=signs[number] + similarity,
                similarity=similarity,
                confidence=similarity,
            )
            for number, similarity in zip(kept, similarities, strict=True)
            for item, position, text in [places[number]]
        ]

    def _promising(self, question: str, places: Sequence[_Place], signs: Sequence[float]) -> list[int]:
        """Which sentences the embedder sees: with static vectors, those that are best by them and the other signs."""
        if self.static is None or self.embedder is None or len(places) <= self.seen:
            return list(range(len(places)))
        vectors = self.static.embed([question, *map(_with_title, places)])
        values = [float(value) + sign for value, sign in zip(vectors[1:] @ vectors[0], signs, strict=True)]
        best = sorted(range(len(places)), key=lambda number: (-values[number], number))[: self.seen]
        # In reading order, so that equal scores are ordered as without static vectors.
        return sorted(best)

    def _form(self, title: str, position: int, text: str) -> float:
        """What place, opening and length say about a sentence, whatever the question."""
        weights = self.weights
        value = weights.lead if position == 0 else -weights.place * min(position, 5)
        if title and text.startswith(title[:_OPENING]):
            value += weights.subject
        return value - weights.length * abs(len(text.split()) - 22) / 20

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        """Cosines with the question, or the share of its content words when there is no embedder."""
        if self.embedder is None:
            return [coverage(question, text) for text in texts]
        vectors: Vectors = self.embedder.embed([question, *texts])
        return [float(value) for value in vectors[1:] @ vectors[0]]

    def _rank_promising(
        self, question: str, evidence: Sequence[Evidence], scored: list[ScoredSentence]
    ) -> list[ScoredSentence]:
        """Let the ranker have its say on the most promising sentences."""
        if self.ranker is None:
            return scored
        titles = {item.number: item.passage.title for item in evidence}
        head, tail = scored[: self.ranked], scored[self.ranked :]
        logits = self.ranker.rank(question, [add_title(titles[sentence.number], sentence.text) for sentence in head])
        head = [
            replace(sentence, score=sentence.score + self.weights.ranker * chance, confidence=chance)
            for sentence, chance in zip(head, map(_sigmoid, logits), strict=True)
        ]
        # What the ranker has not read founds no reading: a cosine is no probability.
        tail = [replace(sentence, confidence=0.0) for sentence in tail]
        return sorted([*head, *tail], key=lambda sentence: -sentence.score)


def is_whole(sentence: str) -> bool:
    """Whether a string is a sentence that can stand in an answer: no fragment, no list, no stump."""
    words = sentence.count(" ") + 1
    if not FEWEST_WORDS <= words <= MOST_WORDS or len(sentence) > MOST_CHARACTERS:
        return False
    # An odd quotation mark or bracket means that the sentence began or goes on elsewhere.
    # Only straight marks: they are counted by parity, where curly ones say which side they are.
    is_closed = sentence.count('"') % 2 == 0 and sentence.count("(") == sentence.count(")")
    first = sentence.lstrip("\"'“‘([")[:1]
    starts = first.isupper() or first.isdigit() or bool(_BRAND.match(sentence))
    has_form = starts and _ENDS.search(sentence) and not _MARKUP.search(sentence)
    # Four semicolons are an enumeration that ends like a sentence.
    return bool(has_form) and is_closed and sentence.count(";") < 4


_Place = tuple[Evidence, int, str]


def _with_title(place: _Place) -> str:
    item, _, text = place
    return add_title(item.passage.title, text)


_BRAND = re.compile(r"[a-z][A-Z]")  # iPhone, eBay
# What cleaning has not taken away: emphasis, escaped dashes, templates, cells of tables.
_MARKUP = re.compile(r"\*|\\-|\{|\}|\|")
_ENDS = re.compile(r"""[.!?]["'”’)\]]*$""")


def _sigmoid(logit: float) -> float:
    # Bounded: a far-off logit would overflow, and beyond 30 the probability is 0 or 1 to thirteen digits.
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
