"""BERTScore's sum by MiniLM, whose weights can be had: a metric of its own, under its own name."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.models.token_vectors import TokenEncoder, open_token_encoder
from expound.plugins import spec_text
from expound.resource_table import EMBEDDER
from expound.score.bert_score import match_texts
from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class MiniLmBertScore:
    """Token F1 of answer and closest reference by the last layer of all-MiniLM-L6-v2, int8. 0 to 100.

    The same sum as `BertScore`, without idf and rescaling; no published number is its own. Not a number without a
    reference.
    """

    name = "minilm_bert_score"
    resources = EMBEDDER

    def __repr__(self) -> str:
        return spec_text(self)

    @property
    def weights(self) -> str:
        """The sha256 of MiniLM's weights."""
        return self._encoder.weights

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"weights": self.weights[:12]}

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._encoder.encode("")

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        matches = [match_texts(self._encoder, prediction.answer.text, text) for text in question.references]
        return 100 * max((match.f1 for match in matches), default=math.nan)

    @property
    def _encoder(self) -> TokenEncoder:
        return open_token_encoder()
