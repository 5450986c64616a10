"""Question likelihood: would somebody who reads this answer ask this question?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from expound.models.likelihood import Likelihood
from expound.models.likelihoods import open_likelihood, resources_of
from expound.plugins import spec_text
from expound.score.model_perplexity import SMALL
from expound.types import Prediction, Question

INSTRUCTION = "Which question does this passage answer?"
"""What Xu et al. 2023 (appendix A.4) append to the answer."""


@dataclass(frozen=True, repr=False)
class QuestionLikelihood:
    """log p(q | a): mean log-likelihood of the question's tokens after the answer and an instruction. At most 0.

    `model` is a text model of expound's table, a .gguf file, or a folder: of an encoder with a decoder such as T0,
    whose numbers are the published ones (Xu et al. 2023, appendix A.4), or of a causal model. Not a number for an empty
    answer: the question alone would be the likelier the shorter it is.
    """

    model: str = SMALL
    likelihood: Likelihood | None = field(default=None, repr=False)
    """A language model of your own, in place of a named one."""

    name = "question_likelihood"

    def __repr__(self) -> str:
        return spec_text(self)

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return () if self.likelihood else resources_of(self.model)

    @property
    def weights(self) -> str:
        """The sha256 of the model's weights."""
        return self._model.weights

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"weights": self.weights[:12]}

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._model.log_probabilities("Who?", given="One.")

    def count(self, question: Question, prediction: Prediction) -> float:
        """The mean log-likelihood of a token of the question."""
        answer = prediction.answer.text.strip()
        found = self._model.log_probabilities(question.text, given=f"{answer} {INSTRUCTION}") if answer else []
        return math.fsum(found) / len(found) if found else math.nan

    @property
    def _model(self) -> Likelihood:
        return self.likelihood or open_likelihood(self.model)
