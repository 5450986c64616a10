"""RankGen (Krishna et al. 2022): how well the answer goes on from the question, by vectors of a large encoder."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.models.rank_gen_encoder import BEGINNING, ENDING, open_rank_gen
from expound.score.folder_metric import FolderMetric
from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class RankGen(FolderMetric):
    """Dot product of the question as a beginning and the answer as its ending. Any number; none for an empty answer.

    `folder` is RankGen's T5 encoder with its last matrix; the published numbers are those of the XXL one (Xu et al.
    2023, appendix A.4).
    """

    name = "rank_gen"
    instead = "Similarity()"  # without weights of your own

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        open_rank_gen(self.folder).encode("One.", ENDING)

    def count(self, question: Question, prediction: Prediction) -> float:
        """The dot product."""
        if not prediction.answer.text.strip():
            return math.nan
        encoder = open_rank_gen(self.folder)
        asked, said = encoder.encode(question.text, BEGINNING), encoder.encode(prediction.answer.text, ENDING)
        return float(asked @ said)
