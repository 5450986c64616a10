"""Perplexity of an answer by a language model at hand: how surprised it is by the words."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from expound.models.likelihood import Likelihood
from expound.models.likelihoods import open_likelihood, resources_of
from expound.plugins import spec_text
from expound.types import Prediction, Question

if TYPE_CHECKING:
    from expound.protocols import Numbers

SMALL = "smollm2-135m"
"""The language model whose weights can be had: what published numbers have of GPT-2 and T0 is other."""


@dataclass(frozen=True, repr=False)
class ModelPerplexity:
    """exp(mean negative log-likelihood of a token) of an answer by any language model. From 1; lower is more fluent.

    `model` is a text model of expound's table, a .gguf file, or the folder of a causal model such as GPT-2, whose
    numbers are the published ones (Xu et al. 2023, section 4.1.1). The mean over answers is taken over their
    logarithms: one gibberish answer would drown all others. Not a number for fewer than two tokens.
    """

    model: str = SMALL
    likelihood: Likelihood | None = field(default=None, repr=False)
    """A language model of your own, in place of a named one."""

    name = "model_perplexity"
    lower_is_better = True

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

    @property
    def _model(self) -> Likelihood:
        return self.likelihood or open_likelihood(self.model)
