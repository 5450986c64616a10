"""Answers first, then a question for each (after SPANSEQGEN and question disambiguation of Min et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from expound.clarify.candidates import Candidate
from expound.clarify.groups import group_candidates, make_readings
from expound.clarify.recent import most_recent
from expound.clarify.rewrites import Rewriter, leaves_out
from expound.clarify.settings import EDITING, FOUNDING, REACH, Editing, Founding, Reach
from expound.clarify.spans import ModelSpans, OnSentence, find_promising
from expound.plugins import spec_text
from expound.prompts import check_model
from expound.protocols import SentenceScorer, TextModel
from expound.text.answer_types import expected_type
from expound.types import Evidence, Interpretation


@dataclass(frozen=True, repr=False)
class AnswersFirst:
    """A text model reads answers out of the best `sentences`, then rewrites the question for each distinct one.

    Where a small model finds none in a sentence, what the sentence's form suggests counts; a reading for which the
    model writes another question than was asked is left out.
    """

    only_of_articles: ClassVar[bool] = True

    model: TextModel | None = field(default=None, repr=False)
    scorer: SentenceScorer | None = field(default=None, repr=False)
    on_sentence: OnSentence | None = field(default=None, repr=False)
    most: int = 4
    sentences: int = 6
    with_question: bool = True
    with_others: bool = True
    reach: Reach = REACH
    founding: Founding = FOUNDING
    editing: Editing = EDITING

    __repr__ = spec_text

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
        # An explanation has no short answer that could differ between readings.
        if expected_type(question) == "explanation":
            return []
        scored, passages = find_promising(self.scorer, question, evidence, self.sentences, reach=self.reach)
        # A writer that finds nothing is believed; the small model overlooks what is plainly there (recipes/LOG.md).
        is_small = self.model.capability != "writer"
        candidates = ModelSpans(self.model, self.on_sentence, by_form=is_small)(question, scored, passages)
        groups = group_candidates(question, candidates, founding=self.founding, are_read=True)
        # Cut after grouping, which puts the best supported answers first.
        return self._set_apart(question, most_recent(question, groups)[: self.most])

    def _set_apart(self, question: str, groups: Sequence[Sequence[Candidate]]) -> list[Interpretation]:
        """A reading for each group, without those to which the model writes another question than was asked."""
        assert self.model is not None
        if len(groups) < 2:
            # One answer is no ambiguity: nothing is rewritten, and no call is spent.
            return make_readings(question, [None] * len(groups), groups)
        rewriter = Rewriter(self.model, self.with_question, self.with_others, self.editing)
        written = rewriter.write(question, groups)
        # Without the question (an ablation of Table 4) the model cannot be expected to ask what was asked.
        kept = self._on_topic(question, written, groups) if self.with_question else range(len(groups))
        groups, written = [groups[place] for place in kept], [written[place] for place in kept]
        # What was set apart from a group that is gone needs no addition any more.
        questions = rewriter.mend(question, groups, written) if len(groups) > 1 else [None]
        return make_readings(question, questions, groups)

    def _on_topic(self, question: str, written: Sequence[str], groups: Sequence[Sequence[Candidate]]) -> list[int]:
        """The places of the groups for which the model asks what was asked, be it in other words; or the first.

        A model that is to ask for the year in which a canal was nationalised does not ask when it was opened.
        """
        assert self.scorer is not None
        near = self.scorer.similarities(question, written)
        strays = [
            leaves_out(text, question, group) and similarity < self.editing.same_question
            for text, group, similarity in zip(written, groups, near, strict=True)
        ]
        # Never none: the best group stands, as the question was asked.
        return [place for place, is_stray in enumerate(strays) if not is_stray] or [0]
