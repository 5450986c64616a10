"""The audit's checks that can be told of one answer: what stands beside it while one browses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from expound.audit.grounded import unknown_facts
from expound.audit.raw_output import form_of, special_token
from expound.audit.repetition import copies_question, is_unfinished
from expound.audit.topic import Topics
from expound.score.diversity import Repetition
from expound.types import Prediction, Question

# The audit calls a system that does so on average one that repeats itself ("repeated-phrases" in audit/checks.py).
_MOST_REPEATED = 10.0
_NAMED = 3  # of names that no passage has: more would be longer than the answer


class Concerns:
    """What the checks say of single answers; it remembers what all questions are about."""

    def __init__(self, questions: Sequence[Question], *, seed: int) -> None:
        self._topics, self._seed = Topics(questions), seed
        self._places = {question.id: place for place, question in enumerate(questions)}

    def about(self, question: Question, prediction: Prediction) -> list[str]:
        """Every check that this answer fails, in words."""
        text = prediction.answer.text
        if not text.strip():
            return ["no answer"]
        return [*_form(text), *self._content(question, prediction), *_name_inventions(question, prediction)]

    def _content(self, question: Question, prediction: Prediction) -> Iterator[str]:
        text = prediction.answer.text
        if copies_question(question, text):
            yield "mostly copied from the question"
        # Only where it is not a copy: what repeats the question is near to it by its words, and says nothing.
        elif self._topics.is_off(self._places[question.id], text, self._seed):
            yield "as near to another question, by its words, as to this one"
        repeated = Repetition().count(question, prediction)
        if repeated > _MOST_REPEATED:
            yield f"{repeated:.0f} % of its phrases of four words are said before"


def _form(text: str) -> Iterator[str]:
    if form := form_of(text):
        yield f"written in {form}"
    # JSON and markup end as they must.
    elif is_unfinished(text):
        yield "stops within a sentence"
    if token := special_token(text):
        yield f"has a language model's token in it: {token}"


def _name_inventions(question: Question, prediction: Prediction) -> Iterator[str]:
    """The names and numbers that neither the passages nor the question have."""
    if not prediction.evidence:
        return
    given = [f"{item.passage.title} {item.passage.text}" for item in prediction.evidence]
    unknown = unknown_facts(prediction.answer.text, [*given, question.text])
    if unknown:
        more = " …" if len(unknown) > _NAMED else ""
        yield f"in no passage: {', '.join(unknown[:_NAMED])}{more}"
