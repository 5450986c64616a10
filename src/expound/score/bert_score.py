"""BERTScore (Zhang et al. 2019): every token of the answer beside the nearest token of a reference, and back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from expound.datasets.spec import open_dataset
from expound.errors import BadInput, UserError
from expound.files import user_path
from expound.models.token_vectors import TokenVectors, open_token_encoder
from expound.plugins import spec_text
from expound.types import Prediction, Question

if TYPE_CHECKING:
    from expound.models.token_vectors import TokenEncoder
    from expound.protocols import Numbers


class Matched(NamedTuple):
    """Precision, recall and F1 of the tokens' nearest neighbours; about 0 to 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, repr=False)
class BertScore:
    """BERTScore F1 of the answer with its closest reference, by an encoder of your own. 0 to 100 and a little below.

    F1 = 2pr / (p + r), where p is the mean over the answer's tokens of the highest cosine with a token of the
    reference, and r the same from the reference's side. `folder` is an encoder of the transformers library; the
    published numbers are RoBERTa-large's 17th `layer` (0: the last one). `idf` is a dataset such as `asqa:dev.json`
    whose references say how rare a token is, and rare ones count more. `baseline` is a file of bert-score's
    (`rescale_baseline`), by which 0 becomes what texts have that share nothing. Not a number without a reference.
    """

    folder: str
    layer: int = 0
    idf: str = ""
    baseline: str = ""

    name = "bert_score"
    instead = "MiniLmBertScore()"  # without weights of your own

    def __repr__(self) -> str:
        return spec_text(self)

    @property
    def weights(self) -> str:
        """The sha256 of the encoder's weights."""
        return self._encoder.weights

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        told = {"layer": str(self.layer or "last"), "idf": self.idf, "rescaled": "yes" if self.baseline else ""}
        return {"weights": self.weights[:12]} | {name: value for name, value in told.items() if value}

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._encoder.encode("")

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        matches = [self.match(reference, prediction.answer.text) for reference in question.references]
        return 100 * max((match.f1 for match in matches), default=math.nan)

    def match(self, reference: str, answer: str) -> Matched:
        """Answer and reference, token by token."""
        found = match_texts(self._encoder, answer, reference, _rarity(self.folder, self.layer, self.idf))
        return _rescale(found, _baseline(self.baseline, self.layer)) if self.baseline else found

    @property
    def _encoder(self) -> TokenEncoder:
        return open_token_encoder(self.folder, self.layer)


def match_texts(
    encoder: TokenEncoder, answer: str, reference: str, rarity: Mapping[int, float] | None = None
) -> Matched:
    """Two texts, token by token; nothing matches an empty one."""
    if not answer.strip() or not reference.strip():
        return Matched(0.0, 0.0, 0.0)
    return match_tokens(encoder.encode(answer), encoder.encode(reference), rarity)


def match_tokens(answer: TokenVectors, reference: TokenVectors, rarity: Mapping[int, float] | None = None) -> Matched:
    """Each token's highest cosine with one of the other side; marks can be neighbours, but do not count themselves."""
    cosines = answer.vectors @ reference.vectors.T
    precision = _mean(cosines.max(axis=1), answer, rarity)
    recall = _mean(cosines.max(axis=0), reference, rarity)
    both = precision + recall
    return Matched(precision, recall, 2 * precision * recall / both if both else 0.0)


def rarity_of(texts: Iterable[Iterable[int]]) -> Mapping[int, float]:
    """How much a token counts: the logarithm of the texts over those that have it, both one more than there are."""
    counts, total = Counter[int](), 0
    for ids in texts:
        counts.update(set(ids))
        total += 1
    return _Rarity({token: math.log((total + 1) / (count + 1)) for token, count in counts.items()}, math.log(total + 1))


class _Rarity(dict[int, float]):
    """A token that no text has counts most."""

    def __init__(self, known: Mapping[int, float], unknown: float) -> None:
        super().__init__(known)
        self._unknown = unknown

    def __missing__(self, token: int) -> float:
        return self._unknown


# The references of a dataset are gone through once, not for every answer.
@lru_cache(maxsize=8)
def _rarity(folder: str, layer: int, dataset: str) -> Mapping[int, float] | None:
    if not dataset:
        return None
    encoder = open_token_encoder(folder, layer)
    return rarity_of(encoder.tokens(text) for question in open_dataset(dataset) for text in question.references)


def _mean(cosines: Numbers, text: TokenVectors, rarity: Mapping[int, float] | None) -> float:
    weights = [
        0.0 if is_mark else 1.0 if rarity is None else rarity[token]
        for token, is_mark in zip(text.ids, text.is_mark, strict=True)
    ]
    # A text of marks alone, or of tokens that all references have, has nothing to be measured by.
    total = math.fsum(weights)
    return math.fsum(w * float(c) for w, c in zip(weights, cosines, strict=True)) / total if total else 0.0


def _rescale(found: Matched, baseline: Matched) -> Matched:
    return Matched(*((value - least) / (1 - least) for value, least in zip(found, baseline, strict=True)))


@lru_cache(maxsize=8)
def _baseline(file: str, layer: int) -> Matched:
    """A row of bert-score's file: `LAYER,P,R,F` and a line for each layer."""
    path: Path = user_path(file)
    try:
        rows = [line.split(",") for line in path.read_text(encoding="utf-8").split()[1:]]
        by_layer = {int(row[0]): Matched(*map(float, row[1:4])) for row in rows}
    except (OSError, ValueError, TypeError) as error:
        raise BadInput(f"{path} is no baseline of bert-score: a line LAYER,P,R,F and one for each layer") from error
    # The last layer has the highest number.
    chosen = layer or max(by_layer, default=0)
    if chosen not in by_layer:
        raise UserError(f"{path} has no line for layer {chosen}")
    return by_layer[chosen]
