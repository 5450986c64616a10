"""Answer as the question wants it: stretches of text where it asks for an explanation, the place of a value first.

A mosaic of single sentences is kept for what it is good at: questions of which articles give several readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from expound.answer.answerable import answerability
from expound.answer.entries import joined
from expound.answer.extractive import Extractive
from expound.answer.extracts import Extract, Lengths, choose_extracts
from expound.answer.kinds import CONTIGUOUS, QuestionKind, question_kind
from expound.answer.order import ordered
from expound.protocols import Ranker, SentenceScorer
from expound.text.genre import are_articles
from expound.types import Answer, Evidence, Interpretation, Sentence

MOSAIC_WORDS = 80
"""About the length at which ROUGE-L and STR-EM are best together on ASQA (recipes/LOG.md)."""

ANSWERABLE = 0.5
"""The probability from which on documents are taken to answer (recipes/LOG.md, "When documents do not answer")."""


@dataclass(frozen=True)
class Composed:
    """Extracts, or a mosaic of sentences, by the kind of question and the sort of evidence.

    `words` is about how long the answer should be; 0 leaves it to the kind of answer.
    """

    scorer: SentenceScorer = field(repr=False)
    words: int = 0
    abstains: bool = field(default=True, repr=False)
    document_ranker: Ranker | None = field(default=None, repr=False)
    lengths: Lengths = field(default_factory=Lengths, repr=False)

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The answer, or nothing if the evidence does not hold one."""
        if self.is_mosaic(question, evidence):
            return self._mosaic.answer(question, evidence, interpretations)
        if self.abstains_from(question, evidence):
            return Answer(notes={"style": "none", "answerability": f"{answerability(question, evidence):.2f}"})
        kind = question_kind(question)
        best = ordered(question, evidence, self.document_ranker)
        extracts = choose_extracts(best, lambda texts: self.scorer.similarities(question, texts), self._lengths())
        sentences = self._sentences(kind, question, extracts)
        return Answer(joined(sentences), sentences, notes=_notes(kind, extracts))

    def abstains_from(self, question: str, evidence: Sequence[Evidence]) -> bool:
        """Whether nothing in the evidence supports an answer."""
        if self.is_mosaic(question, evidence):
            return self._mosaic.abstains_from(question, evidence)
        return self.abstains and answerability(question, evidence) < ANSWERABLE

    def is_mosaic(self, question: str, evidence: Sequence[Evidence]) -> bool:
        """Whether the answer is made of single sentences: articles often give such a question several readings."""
        return question_kind(question) not in CONTIGUOUS and are_articles(evidence)

    @property
    def _mosaic(self) -> Extractive:
        return Extractive(self.scorer, words=self.words or MOSAIC_WORDS, abstains=self.abstains)

    def _lengths(self) -> Lengths:
        """The lengths scaled to the words that were asked for."""
        if not self.words:
            return self.lengths
        share = self.words / self.lengths.total
        first, other = round(self.lengths.first * share), round(self.lengths.other * share)
        return replace(self.lengths, total=self.words, first=first, other=other)

    def _sentences(self, kind: QuestionKind, question: str, extracts: Sequence[Extract]) -> tuple[Sentence, ...]:
        return tuple(sentence for extract in extracts for sentence in extract.sentences())


def _notes(kind: QuestionKind, extracts: Sequence[Extract]) -> dict[str, str]:
    """How the answer was made, for `--explain`."""
    places = ", ".join(f"{extract.words} words of [{extract.number}]" for extract in extracts)
    return {"kind": kind, "style": "extracts", "extracts": places}
