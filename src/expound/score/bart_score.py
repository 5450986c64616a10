"""BARTScore (Yuan et al. 2021): how probable a model that was trained to summarise finds the question."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.models.likelihoods import open_likelihood
from expound.score.folder_metric import FolderMetric
from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class BartScore(FolderMetric):
    """Mean log-likelihood of the question's tokens, marks included, when the answer is read. At most 0.

    `folder` is an encoder with a decoder; the published numbers are those of bart-large-cnn (Xu et al. 2023, appendix
    A.4). Not a number for an empty answer.
    """

    name = "bart_score"

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        open_likelihood(self.folder).log_probabilities("Who?", given="One.")

    def count(self, question: Question, prediction: Prediction) -> float:
        """The mean log-likelihood of a token of the question."""
        answer = prediction.answer.text.strip()
        found = open_likelihood(self.folder).log_probabilities(question.text, given=answer) if answer else []
        return math.fsum(found) / len(found) if found else math.nan
