"""Open book: a text model answers from the best passages (T5-O-K and ORACLE of Stelmakh et al. 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from expound.answer.closed_book import complete_answer
from expound.errors import UserError
from expound.models.model_inputs import asqa_oracle, check_input, open_book_input
from expound.prompts import check_model
from expound.protocols import TextModel
from expound.types import Answer, Evidence, Interpretation, Question


@dataclass(frozen=True)
class OpenBook:
    """The model is given the question and `k` passages; `input` is `asqa` or `hurdles` (whose k is 7)."""

    model: TextModel | None = field(default=None, repr=False)
    most_calls = 1
    k: int = 5
    input: str = "asqa"

    def __post_init__(self) -> None:
        check_input(self.input)
        if self.k < 1:
            raise UserError(f"OpenBook needs at least 1 passage, not k={self.k}")
        check_model(self.model, self)

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """What the model says; an empty answer without evidence."""
        # A model that is given no passage would answer from memory, which is `ClosedBook`.
        if not evidence:
            return Answer()
        return complete_answer(self.model, open_book_input(self.input, question, evidence, k=self.k))


@dataclass(frozen=True)
class OracleBook:
    """ORACLE: the model is given the readings, their answers and all passages that an annotator worked with.

    It is scored against the reference of the other annotator: the longest one is the one whose knowledge it has.
    """

    model: TextModel | None = field(default=None, repr=False)
    most_calls = 1

    def __post_init__(self) -> None:
        check_model(self.model, self)

    def answer_to(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """What the model says."""
        return complete_answer(self.model, asqa_oracle(question))
