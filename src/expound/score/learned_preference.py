"""A learned preference as a metric: how much people would like this answer, by a model that was trained on theirs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.models.preference_model import PreferenceModel, open_preference
from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class LearnedPreference:
    """The score of a model that `expound train preference` wrote to `folder`. Any number; only differences tell.

    After Xu et al. 2023, section 4.1.2: [question, answer] and [answer, evidence] are encoded apart, and both vectors
    together give the score. Not a number for an empty answer.
    """

    folder: str

    looks_at = ("text", "evidence")
    name = "preference"
    hint = "no weights ship, and expound train preference makes them"

    def __repr__(self) -> str:
        # By the word that specs have: the class of that name is a judgment.
        return f"Preference(folder={self.folder!r})"

    @property
    def weights(self) -> str:
        """The hash of the model's weights."""
        return self._model.weights

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"weights": self.weights[:12], "evidence": "yes" if self._model.head.sees_evidence else "no"}

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._model.score("Who?", "One.")

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's score."""
        if not prediction.answer.text.strip():
            return math.nan
        evidence = " ".join(item.passage.text for item in prediction.evidence)
        return self._model.score(question.text, prediction.answer.text, evidence)

    @property
    def _model(self) -> PreferenceModel:
        return open_preference(self.folder)


Preference = LearnedPreference
"""As it is called in specs; a class of that name is a person's judgment."""
