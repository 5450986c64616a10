"""The leak guard: no question of an evaluation set stays among the questions to train on or to look up.

AmbigNQ and ASQA were made from Natural Questions, so NQ-open's training questions contain many of their dev questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from expound.text.normal import normalize_answer
from expound.types import Question

# After SQuAD's normalisation: "u.s." and "us", "e-mail" and "email" ask the same.
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def without_leaks(questions: Iterable[Question], evaluation: Iterable[Iterable[Question]]) -> Iterator[Question]:
    """The questions that stand in none of the evaluation sets, neither as asked nor as one of their readings.

    >>> train = [Question("1", "who won the cup"), Question("2", "who lost it")]
    >>> [question.id for question in without_leaks(train, [[Question("x", "Who won the cup?")]])]
    ['2']
    """
    blocked = {key for questions_of in evaluation for question in questions_of for key in question_keys(question)}
    return (question for question in questions if question_key(question.text) not in blocked)


def question_keys(question: Question) -> set[str]:
    """The keys of a question and of all its readings, in every annotation."""
    sets = (question.interpretations, *question.annotations)
    # AmbigNQ writes several wordings of one reading with a bar between them, and any of them may stand in a training
    # file.
    readings = {part for readings in sets for reading in readings for part in reading.question.split("|")}
    return {question_key(asked) for asked in (question.text, *readings)}


def question_key(asked: str) -> str:
    """What two spellings of a question share: its letters and digits without case, articles, spaces and punctuation."""
    # A question of nothing but articles and marks would be an empty key, which would block every other such question.
    return _BETWEEN_WORDS.sub("", normalize_answer(asked)) or asked
