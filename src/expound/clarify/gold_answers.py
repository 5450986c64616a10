"""Gold answers given, questions written (Min et al. 2020, Table 4): how well a model tells given answers apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from expound.clarify.candidates import Candidate
from expound.clarify.contrast import rewrite_all
from expound.clarify.rewrites import Rewriter, mend_taught, write_taught
from expound.errors import UserError
from expound.models.telling_words import open_telling_words
from expound.protocols import TextModel
from expound.text.normal import normalize_answer
from expound.text.sentences import split_sentences
from expound.text.words import content_stems
from expound.types import Evidence, Interpretation, Passage, Question, ScoredSentence


@dataclass(frozen=True)
class GoldAnswers:
    """The readings' own answers, each with a question that a text model writes, or code where there is none.

    With the ablations of the table: `with_others=False` looks at every answer alone, `with_question=False`, which only
    a model can do, hides the question.
    """

    model: TextModel | None = field(default=None, repr=False)
    with_question: bool = True
    with_others: bool = True
    rewriter: str = ""
    """A file of `expound train rewriter`, which has a say in what code adds."""
    writer: str = ""
    """A folder of `expound train writer`, or `NAME+RUN/adapter.gguf`, that writes all questions, in place of a text
    model and of code."""
    checked: bool = False
    """Whether code takes the place of what the writer says of names and numbers that stand nowhere."""

    def __post_init__(self) -> None:
        # Code edits the question that was asked; without it there is nothing to edit.
        if self.model is None and not self.writer and not self.with_question:
            raise UserError("GoldAnswers(with_question=False) needs a text model: name one with --model")

    @property
    def most_calls(self) -> int:
        """How many calls to the model a question usually takes."""
        return 1 if self.model else 0

    def clarify_to(self, question: Question, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """As many readings as the question has; one that nothing sets apart keeps the question as it was asked."""
        groups = [[candidate_for(question.text, reading, evidence)] for reading in question.interpretations]
        if len(groups) < 2:
            # AmbigQA's table counts questions with several answers only; one is kept as it is.
            return list(question.interpretations)
        texts = self._rewrite(question.text, groups)
        return [
            Interpretation(text or question.text, reading.answers)
            for text, reading in zip(texts, question.interpretations, strict=True)
        ]

    def _rewrite(self, question: str, groups: Sequence[Sequence[Candidate]]) -> list[str | None]:
        if self.writer:
            written = write_taught(self.writer, question, groups)
            return mend_taught(question, groups, written) if self.checked else [*written]
        if self.model:
            return Rewriter(self.model, self.with_question, self.with_others).rewrite(question, groups)
        telling = open_telling_words(self.rewriter)
        if not self.with_others:
            return [rewrite_all(question, [group], telling=telling)[0] for group in groups]
        return rewrite_all(question, groups, telling=telling)


def candidate_for(question: str, reading: Interpretation, evidence: Sequence[Evidence]) -> Candidate:
    """The sentence of the evidence that gives a gold answer and shares most words with the question."""
    asked = set(content_stems(question))
    answers = [normalize_answer(answer) for answer in reading.answers]
    found = [
        (len(asked & set(content_stems(f"{item.passage.title} {text}"))), item, text)
        for item in evidence
        for text in split_sentences(item.passage.text)
        # Whole words: "10" must not be found in "1810".
        if any(answer and f" {answer} " in f" {normalize_answer(text)} " for answer in answers)
    ]
    if not found:
        # Nothing found: the rewriter still sees the answer, only without a source.
        return Candidate(
            reading.answers[0],
            ScoredSentence(text="", number=0, position=0, score=0.0, similarity=0.0, confidence=0.0),
            Passage("", ""),
        )
    _, item, text = max(found, key=lambda place: place[0])
    # Given answers are taken as sure: the ranker has nothing to say about them.
    return Candidate(
        reading.answers[0],
        ScoredSentence(text=text, number=item.number, position=0, score=0.0, similarity=0.0, confidence=1.0),
        item.passage,
    )
