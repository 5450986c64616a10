"""Similarity of question and answer by MiniLM: what RankGen does with a far larger encoder."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from expound import resources
from expound.files import sha256_of
from expound.models.embedder import MiniLM
from expound.plugins import spec_text
from expound.protocols import Embedder
from expound.resource_table import EMBEDDER
from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class Similarity:
    """Cosine of question and answer by all-MiniLM-L6-v2, int8. -100 to 100; not a number for an empty answer.

    In the place of RankGen (Krishna et al. 2022), which is a dot product as well; no published number is its own.
    """

    embedder: Embedder | None = field(default=None, repr=False)
    """One of your own, in place of MiniLM."""

    name = "similarity"

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return () if self.embedder else EMBEDDER

    def __repr__(self) -> str:
        return spec_text(self)

    @property
    def weights(self) -> str:
        """The sha256 of MiniLM's weights."""
        return self.embedder.name if self.embedder else _weights(resources.path(EMBEDDER[0]))

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"weights": self.weights[:12]}

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._embedder.embed(["One"])

    def count(self, question: Question, prediction: Prediction) -> float:
        """The cosine in percent."""
        if not prediction.answer.text.strip():
            return math.nan
        asked, said = self._embedder.embed([question.text, prediction.answer.text])
        return 100 * float(asked @ said)

    @property
    def _embedder(self) -> Embedder:
        return self.embedder or _open(*map(resources.path, EMBEDDER))


@lru_cache(maxsize=1)
def _open(model: Path, tokenizer: Path) -> MiniLM:
    return MiniLM(model, tokenizer)


@lru_cache(maxsize=1)
def _weights(model: Path) -> str:
    return sha256_of(model)
