"""All answers written by a trained model, then a question for each (SpanSeqGen + QD of Min et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from expound.clarify.contrast import rewrite_all
from expound.clarify.gold_answers import candidate_for
from expound.clarify.groups import make_readings
from expound.clarify.rewrites import Rewriter
from expound.errors import UserError
from expound.models.answer_lister import AnswerLister
from expound.protocols import TextModel
from expound.types import Evidence, Interpretation


@dataclass(frozen=True)
class WrittenAnswers:
    """A folder of `expound train answers` lists the answers; a text model rewrites the question, or code does.

    An answer that stands nowhere in the evidence is left out: a reading without a source is shown to nobody.
    """

    only_of_articles: ClassVar[bool] = True

    folder: str
    most: int = 5
    model: TextModel | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.folder:
            raise UserError(
                "WrittenAnswers needs the folder of a writer: WrittenAnswers(folder='RUN/final/model-1/model')"
            )

    @property
    def most_calls(self) -> int:
        """How many calls to the model a question takes at most."""
        return 1 if self.model else 0

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings in the order in which their answers were written; one, as it was asked, for one answer."""
        written = AnswerLister(self.folder).list_answers(question, [item.passage for item in evidence])
        candidates = [candidate_for(question, Interpretation(question, (answer,)), evidence) for answer in written]
        groups = [[candidate] for candidate in candidates if candidate.passage.text][: self.most]
        if len(groups) < 2:
            return make_readings(question, [None] * len(groups), groups)
        rewrite = Rewriter(self.model).rewrite if self.model else rewrite_all
        return make_readings(question, rewrite(question, groups), groups)
