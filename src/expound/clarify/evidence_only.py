"""Readings of a question found in the evidence alone: distinct answers that different sentences give, and what sets
them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from expound.clarify.candidates import Candidate, best_candidate
from expound.clarify.contrast import rewrite_all
from expound.clarify.groups import grouped, readings
from expound.clarify.settings import FOUNDING, Founding
from expound.plugins import spec_text
from expound.protocols import SentenceScorer
from expound.text.answer_types import expected_type
from expound.types import Evidence, Interpretation

_YES_NO = re.compile(r"(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should)\b", re.IGNORECASE)


@dataclass(frozen=True, repr=False)
class EvidenceOnly:
    """Up to `most` readings; none when the evidence gives one answer, or when the question asks for an explanation."""

    scorer: SentenceScorer = field(repr=False)
    most: int = 5
    single: bool = False
    """Whether a question with one answer gets one reading, as it was asked, instead of none."""
    sentences: int = 16
    """How many of the best sentences are looked at: beyond them are other things of the same kind."""
    founding: Founding = FOUNDING

    __repr__ = spec_text

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings, best supported first, each with a question that only its answer fits."""
        # Yes and no are no readings: both would be found in any evidence.
        if expected_type(question) == "explanation" or _YES_NO.match(question):
            return []
        groups = grouped(question, self._candidates(question, evidence), founding=self.founding)[: self.most]
        found = readings(question, rewrite_all(question, groups), groups)
        # None, rather than one: "no ambiguity" is what an empty list means to every answerer.
        return found if len(found) > 1 or self.single else []

    def _candidates(self, question: str, evidence: Sequence[Evidence]) -> list[Candidate]:
        passages = {item.number: item.passage for item in evidence}
        scored = self.scorer.score(question, evidence)[: self.sentences]
        found = (best_candidate(question, sentence, passages[sentence.number]) for sentence in scored)
        return [candidate for candidate in found if candidate is not None]
