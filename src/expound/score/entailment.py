"""Entailment: does the evidence that a sentence cites entail it, by a model of language inference?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean

from expound.models.nli_model import NliModel, open_nli
from expound.plugins import spec_text
from expound.score.citations import CitedSentence, cited_sentences, cited_texts, numbered_passages
from expound.score.support_reader import list_nearest
from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class Nli:
    """Mean probability that the evidence entails a sentence of the answer. 0 to 100.

    After SummaC (Laban et al. 2022): a sentence counts as much as the likeliest of its premises, which here are the
    five sentences that share most words with it, each alone and all together. They come from the passages that it
    cites, or from all where it cites none. `folder` is what `expound train nli` wrote, or a published classifier in
    the layout of the transformers library. Not a number for an abstention, and without evidence.
    """

    folder: str

    looks_at = ("text", "evidence")
    name = "nli"
    lacking = "no evidence"
    hint = "no weights ship, and expound train nli makes them"

    def __repr__(self) -> str:
        return spec_text(self)

    @property
    def weights(self) -> str:
        """The sha256 of the weights."""
        return self._model.weights

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"weights": self.weights[:12]}

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._model.entailment([("One.", "Two.")])

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's mean in percent."""
        passages, sentences = numbered_passages(prediction), cited_sentences(prediction)
        if not passages or not sentences:
            return math.nan
        return 100 * fmean(entail(self._model, _evidence(one, passages), one.text) for one in sentences)

    @property
    def _model(self) -> NliModel:
        return open_nli(self.folder)


@dataclass(frozen=True)
class NliSupport:
    """How likely a passage entails a sentence: the highest of its nearest sentences, each alone and all together."""

    folder: str

    @property
    def name(self) -> str:
        """The judge and its weights: another model is another judge."""
        return f"nli[{open_nli(self.folder).weights[:12]}]"

    def __call__(self, passage: str, sentence: str) -> float:
        """How far the passage supports the sentence, 0 to 1."""
        return entail(open_nli(self.folder), passage, sentence)


def entail(model: NliModel, passage: str, sentence: str) -> float:
    """The highest probability with which a premise of the passage entails the sentence; 0 without a premise."""
    nearest = list_nearest(passage, sentence)
    # Together as well: a sentence may be made of two.
    premises = dict.fromkeys([*nearest, " ".join(nearest)]) if nearest else {}
    return max(model.entailment([(premise, sentence) for premise in premises]), default=0.0)


def _evidence(sentence: CitedSentence, passages: dict[int, str]) -> str:
    """What a sentence cites; everything where it cites nothing, and nothing where its numbers are nobody's."""
    texts = cited_texts(sentence, passages) if sentence.numbers else list(passages.values())
    return "\n\n".join(filter(None, texts))
