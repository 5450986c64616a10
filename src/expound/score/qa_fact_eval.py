"""QAFactEval (Fabbri et al. 2022) by its published models: is what the answer says also what the evidence says?"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from expound.files import user_path
from expound.models.hub_reader import HubReader
from expound.models.model_folder import open_folder, sha256_of_weights
from expound.models.pair_scorer import PairScorer
from expound.models.question_writer import QuestionWriter
from expound.plugins import spec_text
from expound.score.short_answers import token_f1
from expound.text.spacy_pipeline import NounPhrase, iter_noun_phrases
from expound.types import Prediction, Question

WRITER, READER, COMPARER = "generation", "answering", "quip-512-mocha"
"""The folders of the three models, as the official script calls them."""
# The official script's: a question whose answer the answer itself does not give back asks for something else.
_LEAST_F1 = 0.6


class AskedOfEvidence(NamedTuple):
    """A question, and what the answer says to it."""

    question: str
    said: str


class FactModels(NamedTuple):
    """The three published models."""

    writer: QuestionWriter
    reader: HubReader
    comparer: PairScorer


@dataclass(frozen=True, repr=False)
class QaFactEval:
    """How far the evidence answers questions made from the answer as the answer does. 0, or about 1 to 5.

    A question for each noun phrase; those whose answer cannot be read off the answer itself (token F1 above 0.6) are
    dropped. The others are asked of the evidence: 0 where it has no answer, else what the model LERC-QuIP says of both
    answers. `folder` has `generation`, `answering` and `quip-512-mocha` in the layout of the transformers library. 0
    where no question is left, as in the official script; not a number without an answer or without evidence.
    """

    folder: str
    phrases: Callable[[str], Iterable[NounPhrase]] | None = field(default=None, repr=False)
    """What the answer is asked for; spaCy's noun phrases, if not told otherwise."""

    looks_at = ("text", "evidence")
    name = "qa_fact_eval"
    lacking = "no evidence, or no facts in the answers"
    instead = "Factuality()"  # without weights of your own

    def __repr__(self) -> str:
        return spec_text(self)

    @property
    def weights(self) -> str:
        """One hash of the weights of all three."""
        folders = (open_folder(str(user_path(self.folder) / name)) for name in (WRITER, READER, COMPARER))
        return hashlib.sha256("".join(map(sha256_of_weights, folders)).encode("ascii")).hexdigest()

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"weights": self.weights[:12]}

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        models = open_fact_models(self.folder)
        models.reader.load()
        models.comparer.logits("One.")
        models.writer.write("One.", 0, 3)

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's mean."""
        answer, evidence = prediction.answer.text, "\n".join(item.passage.text for item in prediction.evidence)
        if not answer.strip() or not evidence.strip():
            return math.nan
        models = open_fact_models(self.folder)
        asked = list(iter_kept(models, answer, (self.phrases or iter_noun_phrases)(answer)))
        return fmean(compare_answers(models, asked, evidence)) if asked else 0.0


def iter_kept(models: FactModels, answer: str, phrases: Iterable[NounPhrase]) -> Iterator[AskedOfEvidence]:
    """Questions that the answer itself answers as they were meant."""
    asked = [AskedOfEvidence(models.writer.write(one.sentence, one.start, one.end), one.text) for one in phrases]
    spans = models.reader.read([(one.question, answer) for one in asked])
    for one, span in zip(asked, spans, strict=True):
        if token_f1(span.text, one.said, both_empty=0.0) > _LEAST_F1:
            yield one


def compare_answers(models: FactModels, asked: Sequence[AskedOfEvidence], evidence: str) -> list[float]:
    """A score for each question: 0 where the evidence has no answer."""
    spans = models.reader.read([(one.question, evidence) for one in asked])
    # One text with the marks that the model was trained with.
    texts = [
        f"{one.question} <q> {one.said} <r> {span.text} <c> {evidence}" for one, span in zip(asked, spans, strict=True)
    ]
    return [models.comparer.logits(text)[0] if span.text else 0.0 for text, span in zip(texts, spans, strict=True)]


@lru_cache(maxsize=2)
def open_fact_models(folder: str) -> FactModels:
    """The models of a folder, opened once; one that is missing is named before the long work."""
    writer, reader, comparer = (open_folder(str(Path(user_path(folder)) / name)) for name in (WRITER, READER, COMPARER))
    return FactModels(QuestionWriter(writer), HubReader(str(reader)), PairScorer(comparer))
