"""What metrics by a language model share: which model it is, and how their numbers name its weights."""

from __future__ import annotations

from dataclasses import dataclass, field

from expound.models.likelihood import Likelihood
from expound.models.likelihoods import open_likelihood, resources_of
from expound.plugins import spec_text

SMALL = "smollm2-135m"
"""The language model whose weights can be had: what published numbers have of GPT-2 and T0 is other."""


@dataclass(frozen=True, repr=False)
class ByLanguageModel:
    """A metric that asks how likely words are."""

    model: str = SMALL
    likelihood: Likelihood | None = field(default=None, repr=False)
    """A language model of your own, in place of a named one."""

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

    @property
    def _model(self) -> Likelihood:
        return self.likelihood or open_likelihood(self.model)
