"""Factuality by a span reader: are the answer's names, numbers and dates those that the evidence has?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from expound.models.readers import resources_of
from expound.plugins import spec_text
from expound.protocols import CloseReader, Reader
from expound.score.short_answers import token_f1
from expound.score.support_reader import fact_gaps, gap_question, nearest_sentences, opened_reader
from expound.text.sentences import split_sentences
from expound.types import Evidence, Prediction, Question

# Characters: finding names takes quadratic time on a hostile line, and no real sentence is that long.
_READ_WITHIN = 2000


@dataclass(frozen=True)
class FactQuestion:
    """A fact of an answer, as a question about the evidence and what the answer says to it."""

    question: str
    said: str
    sentence: str


@dataclass(frozen=True, repr=False)
class Factuality:
    """Mean token F1 of the answer's facts and of what a reader finds in the evidence in their place. 0 to 100.

    QAFactEval's pipeline (Fabbri et al. 2022) with parts that can be had: facts are names, numbers and dates and no
    noun phrases, a question is the sentence with a question word in the fact's place, the reader is the one that ships
    (`reader`: as for `--reader`), and answers are compared by token F1 in place of a learned measure. As in the score
    that Xu et al. 2023 report, a question counts whether or not the reader holds it for answerable. Not a number for an
    answer without facts, and without evidence.
    """

    reader: str = "auto"
    own_reader: Reader | None = field(default=None, repr=False)
    """A reader of your own, in place of a named one."""

    looks_at = ("text", "evidence")
    name = "factuality"
    lacking = "no evidence, or no facts in the answers"

    def __repr__(self) -> str:
        return spec_text(self)

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return () if self.own_reader else resources_of(self.reader)

    @property
    def weights(self) -> str:
        """The sha256 of the reader's weights."""
        return getattr(self._reader, "weights", self._reader.name)

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"weights": self.weights[:12]}

    def load(self) -> None:
        """Have the weights in memory: what follows is the price of an answer."""
        self._reader.read([("Who?", "One.")])

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's mean in percent."""
        asked = list(iter_asked(prediction.answer.text))
        if not asked or not prediction.evidence:
            return math.nan
        found = _best_texts(self._reader, [(one.question, _context(one, prediction.evidence)) for one in asked])
        agreed = (token_f1(text, one.said, both_empty=0.0) for one, text in zip(asked, found, strict=True))
        return 100 * fmean(agreed)

    @property
    def _reader(self) -> Reader:
        return self.own_reader or opened_reader(self.reader)


def iter_asked(answer: str) -> Iterator[FactQuestion]:
    """A question for each fact of each sentence; no fact of a sentence is asked for twice."""
    for sentence in split_sentences(answer):
        short = sentence[:_READ_WITHIN]
        for gap in dict.fromkeys(fact_gaps(short)):
            yield FactQuestion(gap_question(short, gap), short[gap.start : gap.end], short)


def _best_texts(reader: Reader, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """The best span of each context, where the reader can tell it although it would rather be silent."""
    if not isinstance(reader, CloseReader):
        return [span.text for span in reader.read(pairs)]
    # A sentence with a question word in it is no question that the reader was trained on: it is silent at nearly all.
    return [next((span.text for span in read.best(1)), "") for read in reader.read_closely(pairs)]


def _context(asked: FactQuestion, evidence: Sequence[Evidence]) -> str:
    """The sentences of all passages that are nearest to the fact's own: a reader gets lost in more."""
    return nearest_sentences("\n\n".join(item.passage.text for item in evidence), asked.sentence)
