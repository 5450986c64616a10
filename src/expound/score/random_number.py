"""Random: the baseline that says nothing of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from expound.plugins import spec_text
from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class Random:
    """A number that follows from seed, question and answer, and means nothing (Xu et al. 2023's baseline). 0 to 1."""

    seed: int = 0

    name = "random"

    def __repr__(self) -> str:
        return spec_text(self)

    def count(self, question: Question, prediction: Prediction) -> float:
        """The same for the same answer, on every machine."""
        digest = sha256(f"{self.seed}\0{question.id}\0{prediction.answer.text}".encode()).digest()
        # Six bytes, which a float holds exactly: more could be rounded up to 1.
        return int.from_bytes(digest[:6]) / 2**48
