"""Perplexity of an answer by a language model at hand: how surprised it is by the words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from expound.score.by_language_model import ByLanguageModel
from expound.types import Prediction, Question

if TYPE_CHECKING:
    from expound.protocols import Numbers


@dataclass(frozen=True, repr=False)
class ModelPerplexity(ByLanguageModel):
    """exp(mean negative log-likelihood of a token) of an answer by any language model. From 1; lower is more fluent.

    `model` is a text model of expound's table, a .gguf file, or the folder of a causal model such as GPT-2, whose
    numbers are the published ones (Xu et al. 2023, section 4.1.1). The mean over answers is taken over their
    logarithms: one gibberish answer would drown all others. Not a number for fewer than two tokens.
    """

    name = "model_perplexity"
    lower_is_better = True

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._model.log_probabilities("One two.")

    def count(self, question: Question, prediction: Prediction) -> tuple[float]:
        """The mean negative log-likelihood of a token."""
        found = self._model.log_probabilities(prediction.answer.text)
        return (-math.fsum(found) / len(found) if found else math.nan,)

    def pool(self, counts: Numbers, weights: Numbers) -> Numbers:
        """One perplexity per row of weights."""
        import numpy as np

        perplexities: Numbers = np.exp(weights @ counts[:, 0] / weights.sum(axis=1))
        return perplexities

    def each(self, counts: Numbers) -> Numbers:
        """The perplexity of every answer by itself."""
        import numpy as np

        perplexities: Numbers = np.exp(counts[:, 0])
        return perplexities
