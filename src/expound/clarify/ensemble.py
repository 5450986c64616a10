"""Several clarifiers vote: an answer stands when enough of them found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from expound import plugins
from expound.clarify.groups import same_answer
from expound.clarify.spans import OnSentence
from expound.protocols import Clarifier, Reader, SentenceScorer, TextModel
from expound.types import Evidence, Interpretation


@dataclass(frozen=True)
class Ensemble:
    """The readings whose answer at least `votes` of the clarifiers `of` found, as the first of those worded them."""

    only_of_articles: ClassVar[bool] = True

    of: tuple[str, ...] = ("AnswersFirst()", "QuestionFirst()", "EvidenceOnly(single=True)")
    votes: int = 2
    model: TextModel | None = field(default=None, repr=False)
    reader: Reader | None = field(default=None, repr=False)
    scorer: SentenceScorer | None = field(default=None, repr=False)
    on_sentence: OnSentence | None = field(default=None, repr=False)

    @property
    def most_calls(self) -> int:
        """How many calls to the model a question takes at most."""
        return sum(getattr(clarifier, "most_calls", 0) for clarifier in self._clarifiers())

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings that won; when a single one is left it is the question as it was asked."""
        ballots = [clarifier.clarify(question, evidence) for clarifier in self._clarifiers()]
        found = distinct_answers(question, ballots)
        won = [reading for reading in found if votes_for(reading, ballots) >= self.votes]
        # Read backwards, so that of equal questions the first one's reading is kept by the dictionary.
        apart = list({reading.question: reading for reading in reversed(won) if reading.question != question}.values())
        # Without two questions that differ there is no ambiguity to show, and the best answer stands.
        return apart[::-1] if len(apart) > 1 else [replace(reading, question=question) for reading in won[:1]]

    def _clarifiers(self) -> list[Clarifier]:
        parts = {"model": self.model, "reader": self.reader, "scorer": self.scorer, "on_sentence": self.on_sentence}
        return [plugins.build("clarify", spec, **parts) for spec in self.of]


def distinct_answers(question: str, ballots: Sequence[Sequence[Interpretation]]) -> list[Interpretation]:
    """A reading for each answer, in the order found, as the first clarifier worded it that changed the question."""
    everything = [reading for ballot in ballots for reading in ballot]
    found: list[Interpretation] = []
    for reading in everything:
        if not any(_same(reading, other) for other in found):
            # Another clarifier may have found the same answer without setting it apart: its wording is no use.
            forms = (other for other in everything if _same(reading, other) and other.question != question)
            found.append(next(forms, reading))
    return found


def votes_for(reading: Interpretation, ballots: Sequence[Sequence[Interpretation]]) -> int:
    """How many clarifiers found a reading's answer."""
    return sum(any(_same(reading, other) for other in ballot) for ballot in ballots)


def _same(one: Interpretation, other: Interpretation) -> bool:
    return same_answer(one.answers[0], other.answers[0])
