"""Always the prompt question (Min et al. 2020, Table 4): the answers of readings may differ, the question does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from expound import plugins
from expound.protocols import Clarifier, Reader, SentenceScorer
from expound.types import Evidence, Interpretation, Question


@dataclass(frozen=True)
class PromptQuestion:
    """The readings of another clarifier, `of`, each with the question as it was asked (full task)."""

    only_of_articles: ClassVar[bool] = True

    scorer: SentenceScorer | None = field(default=None, repr=False)
    # A text and no clarifier: arguments of a spec are literals.
    of: str = "EvidenceOnly()"
    reader: Reader | None = field(default=None, repr=False)

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """As many readings as the other clarifier finds."""
        clarifier: Clarifier = plugins.build("clarify", self.of, scorer=self.scorer, reader=self.reader)
        return _ask_model(question, clarifier.clarify(question, evidence))


@dataclass(frozen=True)
class GoldAnswersPromptQuestion:
    """The gold answers, each with the question as it was asked (gold answers given)."""

    def clarify_to(self, question: Question, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """As many readings as the question has, without citations: nobody looked at the evidence."""
        return _ask_model(question.text, question.interpretations)


def _ask_model(question: str, readings: Sequence[Interpretation]) -> list[Interpretation]:
    return [replace(reading, question=question) for reading in readings]
