"""Spans over a threshold are answers (after DPR with thresholding of Min et al. 2020), then a question for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from expound.clarify.contrast import rewrite_all
from expound.clarify.groups import group_candidates, make_readings
from expound.clarify.recent import most_recent
from expound.clarify.rewrites import Rewriter
from expound.clarify.settings import FOUNDING, REACH, Founding, Reach
from expound.clarify.spans import ReaderSpans, find_promising
from expound.errors import UserError
from expound.plugins import spec_text
from expound.protocols import Reader, SentenceScorer, TextModel
from expound.text.answer_types import expected_type
from expound.types import Evidence, Interpretation


@dataclass(frozen=True, repr=False)
class Thresholded:
    """A span reader finds the answers; a text model rewrites the question, or code where there is no model."""

    only_of_articles: ClassVar[bool] = True

    reader: Reader | None = field(default=None, repr=False)
    model: TextModel | None = field(default=None, repr=False)
    scorer: SentenceScorer | None = field(default=None, repr=False)
    threshold: float = 0.0
    most: int = 5
    # More than a text model gets: a reader's sentence costs milliseconds.
    sentences: int = 16
    reach: Reach = REACH
    founding: Founding = FOUNDING

    __repr__ = spec_text

    def __post_init__(self) -> None:
        if self.reader is None:
            raise UserError("Thresholded needs a reader: name one with --reader, or in the experiment file")

    @property
    def most_calls(self) -> int:
        """How many calls to the model a question takes at most."""
        return 1 if self.model else 0

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings, best supported first; one, as it was asked, when there is one answer."""
        assert self.reader is not None
        assert self.scorer is not None
        if expected_type(question) == "explanation":
            return []
        scored, passages = find_promising(self.scorer, question, evidence, self.sentences, reach=self.reach)
        candidates = ReaderSpans(self.reader, self.threshold)(question, scored, passages)
        groups = group_candidates(question, candidates, founding=self.founding, are_read=True)
        groups = most_recent(question, groups)[: self.most]
        if len(groups) < 2:
            return make_readings(question, [None] * len(groups), groups)
        # A rewriter needs a text model; what code makes of the question needs none.
        rewrite = Rewriter(self.model).rewrite if self.model else rewrite_all
        return make_readings(question, rewrite(question, groups), groups)
