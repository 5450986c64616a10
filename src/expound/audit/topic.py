"""Are answers about their questions? Each is held beside its own question and beside nine others, by its words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from random import Random

from expound.text.words import content_stems
from expound.types import Question

OTHERS = 9
"""A text that is about nothing in particular is nearest to its own question one time in ten."""

# More than are needed, since some of those that are drawn may ask the same.
_DRAWN = 4 * OTHERS


def off_topic(questions: Sequence[Question], answers: Sequence[str], *, seed: int) -> list[bool | None]:
    """Whether each answer fits one of nine other questions as well as its own; None where its words do not tell."""
    topics = Topics(questions)
    return [topics.is_off(place, answer, seed) for place, answer in enumerate(answers)]


@dataclass(frozen=True)
class Topics:
    """What questions are about: the content words of the question, its readings and its references, rare ones first."""

    questions: Sequence[Question]

    def is_off(self, place: int, answer: str, seed: int) -> bool | None:
        """Whether another question is as near; None where the answer shares no word with any that were drawn."""
        words = frozenset(content_stems(answer))
        own = self.nearness(words, place)
        best = max((self.nearness(words, other) for other in self._others(place, seed)), default=None)
        # A tie counts as off topic: an answer must be nearer to its own question than to any other.
        return None if best is None or own == best == 0 else own <= best

    def nearness(self, words: frozenset[str], place: int) -> float:
        """The cosine of words and topic but for the length of the words, which is the same for every topic."""
        # The length of the answer's own vector divides both sides alike and is left out.
        return self._squares(words & self._words[place]) / (math.sqrt(self._squares(self._words[place])) or 1.0)

    def _others(self, place: int, seed: int) -> list[int]:
        own = self.questions[place]
        # By seed and question alone, so that neither the order of questions nor their number of answers matters.
        drawn = Random(f"{seed} {own.id}").sample(range(len(self.questions)), min(_DRAWN, len(self.questions)))
        return list(islice((other for other in drawn if self.questions[other].text != own.text), OTHERS))

    def _squares(self, words: frozenset[str]) -> float:
        # In one order, so that equal sets have equal sums.
        return math.fsum(self._weights.get(word, 0.0) ** 2 for word in sorted(words))

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        return [frozenset(content_stems(topic_text(question))) for question in self.questions]

    @cached_property
    def _weights(self) -> dict[str, float]:
        """The rarer a word is among topics, the more it says."""
        counts = Counter(word for words in self._words for word in words)
        # Half a count more: a word that all topics have keeps a weight just above 0.
        return {word: math.log((len(self._words) + 1) / (count + 0.5)) for word, count in counts.items()}


def topic_text(question: Question) -> str:
    """All that is known to be about a question."""
    readings = [text for reading in question.interpretations for text in (reading.question, *reading.answers)]
    return " ".join((question.text, *question.references, *readings))
