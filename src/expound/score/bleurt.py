"""BLEURT (Sellam et al. 2020): what a model that was trained on ratings says of an answer beside a reference."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.models.pair_scorer import open_pair_scorer
from expound.score.folder_metric import FolderMetric
from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class Bleurt(FolderMetric):
    """The score of the answer beside its best reference. About 0 to 100, sometimes beyond; none without a reference.

    `folder` is a classifier of one logit for [reference, answer]; the published numbers are those of BLEURT-20 (Xu et
    al. 2023, appendix A.4), converted to the transformers library.
    """

    name = "bleurt"

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        open_pair_scorer(self.folder).logits("One.", "Two.")

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's score in percent."""
        scorer, answer = open_pair_scorer(self.folder), prediction.answer.text
        return 100 * max((scorer.logits(reference, answer)[0] for reference in question.references), default=math.nan)
