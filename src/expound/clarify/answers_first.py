"""Answers first, then a question for each (after SPANSEQGEN and question disambiguation of Min et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from expound.clarify.evidence_only import EvidenceOnly
from expound.clarify.groups import grouped, readings
from expound.clarify.recent import most_recent
from expound.clarify.rewrites import Rewriter
from expound.clarify.spans import ModelSpans, OnSentence, promising
from expound.prompts import check_model
from expound.protocols import SentenceScorer, TextModel
from expound.text.answer_types import expected_type
from expound.types import Evidence, Interpretation


@dataclass(frozen=True)
class AnswersFirst:
    """A text model reads answers out of the best `sentences`, then rewrites the question for each distinct one."""

    model: TextModel | None = field(default=None, repr=False)
    scorer: SentenceScorer | None = field(default=None, repr=False)
    on_sentence: OnSentence | None = field(default=None, repr=False)
    most: int = 4
    sentences: int = 6
    with_question: bool = True
    with_others: bool = True
    guesses: bool = False
    """Whether a question to which the model reads no answer gets the one that the form of the evidence suggests."""

    def __post_init__(self) -> None:
        check_model(self.model, self)

    @property
    def most_calls(self) -> int:
        """How many calls to the model a question takes at most."""
        return self.sentences + (1 if self.with_others else self.most)

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings, best supported first; one, as it was asked, when there is one answer."""
        assert self.model is not None
        assert self.scorer is not None
        if expected_type(question) == "explanation":
            return []
        scored, passages = promising(self.scorer, question, evidence, self.sentences)
        candidates = ModelSpans(self.model, self.on_sentence)(question, scored, passages)
        groups = most_recent(question, grouped(question, candidates, are_read=True))[: self.most]
        if not groups and self.guesses:
            return self._guessed(question, evidence)
        rewriter = Rewriter(self.model, self.with_question, self.with_others)
        questions = rewriter.rewrite(question, groups) if len(groups) > 1 else [None] * len(groups)
        return readings(question, questions, groups)

    def _guessed(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        assert self.scorer is not None
        found = EvidenceOnly(self.scorer, single=True).clarify(question, evidence)[:1]
        return [replace(reading, question=question) for reading in found]
