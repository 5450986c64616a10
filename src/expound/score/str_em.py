"""STR-EM: are the short answers in the long one?"""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.text.normal import contains_answer
from expound.types import Prediction, Question


@dataclass(frozen=True)
class StrEm:
    """Share of a question's readings whose short answer is found in the long answer (STR-EM, Stelmakh et al. 2022).

    Found means that one of its aliases, normalised, is a substring of the normalised text. 0 to 100; not a number for a
    question without readings.

    >>> from expound.types import Answer, Interpretation
    >>> readings = Interpretation("In 1964?", ("Simon & Garfunkel",)), Interpretation("In 2016?", ("Dami Im",))
    >>> question = Question("1", "Who sang The Sound of Silence?", interpretations=readings)
    >>> StrEm().count(question, Prediction("1", question.text, "demo", Answer("It was Dami Im.")))
    50.0
    """

    name = "str_em"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's share in percent."""
        if not question.interpretations:
            return math.nan
        # An alias of only articles is found in any text, even an empty one; silence still earns nothing.
        if prediction.abstained:
            return 0.0
        found = [contains_answer(prediction.answer.text, reading.answers) for reading in question.interpretations]
        return 100 * sum(found) / len(found)
