"""Question likelihood: would somebody who reads this answer ask this question?"""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.score.by_language_model import ByLanguageModel
from expound.types import Prediction, Question

INSTRUCTION = "Which question does this passage answer?"
"""What Xu et al. 2023 (appendix A.4) append to the answer."""


@dataclass(frozen=True, repr=False)
class QuestionLikelihood(ByLanguageModel):
    """log p(q | a): mean log-likelihood of the question's tokens after the answer and an instruction. At most 0.

    `model` is a text model of expound's table, a .gguf file, or a folder: of an encoder with a decoder such as T0,
    whose numbers are the published ones (Xu et al. 2023, appendix A.4), or of a causal model. Not a number for an empty
    answer: the question alone would be the likelier the shorter it is.
    """

    name = "question_likelihood"

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._model.log_probabilities("Who?", given="One.")

    def count(self, question: Question, prediction: Prediction) -> float:
        """The mean log-likelihood of a token of the question."""
        answer = prediction.answer.text.strip()
        found = self._model.log_probabilities(question.text, given=f"{answer} {INSTRUCTION}") if answer else []
        return math.fsum(found) / len(found) if found else math.nan
