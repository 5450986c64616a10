"""SQuAD 2.0's metrics (Rajpurkar et al. 2018): spans, and knowing when there is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from expound.errors import UserError
from expound.score.short_answers import best_token_f1, exact
from expound.text.normal import normalize_answer
from expound.types import Prediction, Question

if TYPE_CHECKING:
    from expound.protocols import Numbers

KINDS = ("exact", "f1")
OF = ("", "has_answer", "no_answer")
_PROBABILITY = "no_answer_probability"


@dataclass(frozen=True)
class SquadAnswer:
    """The span against the closest gold answer: equality or token F1, both normalised. 0 to 100.

    The right answer to a question without one is the empty text. `of` restricts the mean to questions that have an
    answer, or to those that have none. Where the system's no-answer probability is above the threshold, the empty text
    counts in place of its answer.
    """

    kind: str = "exact"
    of: str = ""
    threshold: float = 1.0

    def __post_init__(self) -> None:
        _check("kind", self.kind, KINDS)
        _check("group", self.of, OF)

    @property
    def name(self) -> str:
        """`exact`, `f1`, `has_answer_exact`, …"""
        return f"{self.of}_{self.kind}".lstrip("_")

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"threshold": f"{self.threshold:g}"} if self.threshold != 1 else {}

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's value in percent."""
        if self.of and self.of != ("has_answer" if question.references else "no_answer"):
            return math.nan
        # Strictly above: at 1.0 nothing is taken back.
        if prediction.meta.get(_PROBABILITY, 0.0) > self.threshold:
            return 0.0 if question.references else 100.0
        return 100 * _value(self.kind, question, prediction)


@dataclass(frozen=True)
class SquadBest:
    """The best total that answering only below some no-answer probability could reach (SQuAD 2.0). 0 to 100.

    All questions start unanswered. They are taken by rising probability; one with an answer adds its score, one without
    an answer but with a prediction costs a point; the highest running total counts. Questions of equal probability are
    taken one by one, as in the official script.
    """

    looks_at = ("text", "side file")
    kind: str = "exact"

    def __post_init__(self) -> None:
        _check("kind", self.kind, KINDS)

    @property
    def name(self) -> str:
        """`best_exact`, `best_f1`."""
        return f"best_{self.kind}"

    def count(self, question: Question, prediction: Prediction) -> tuple[float, ...]:
        """Probability, whether there is no answer, what answering adds, and the score by itself."""
        if _PROBABILITY not in prediction.meta:
            return (math.nan,) * 4
        value = _value(self.kind, question, prediction)
        # What answering changes against leaving the question open, as the official script adds it up.
        gain = value if question.references else -float(bool(prediction.answer.text))
        return prediction.meta[_PROBABILITY], float(not question.references), gain, value

    def pool(self, counts: Numbers, weights: Numbers) -> Numbers:
        """The best total over the number of questions."""
        import numpy as np

        counts, weights = _by_probability(counts, weights)
        unanswered = weights @ counts[:, 1]
        # Running totals for every resample at once: rows are resamples, columns questions.
        totals = unanswered[:, None] + np.cumsum(weights * counts[:, 2], axis=1)
        # Answering nothing at all is a choice too.
        best: Numbers = 100 * np.maximum(unanswered, totals.max(axis=1)) / weights.sum(axis=1)
        return best

    def each(self, counts: Numbers) -> Numbers:
        """The score of every question, whatever its probability."""
        return 100 * counts[:, 3]


@dataclass(frozen=True)
class SquadAveragePrecision:
    """Average precision of answers taken by rising no-answer probability (SQuAD 2.0). 0 to 100.

    Precision is the sum of scores over the questions answered so far, recall over all questions with an answer; the
    kind `oracle` scores whether there is an answer. Questions of equal probability count together.
    """

    looks_at = ("text", "side file")
    kind: str = "exact"

    def __post_init__(self) -> None:
        _check("kind", self.kind, (*KINDS, "oracle"))

    @property
    def name(self) -> str:
        """`pr_exact_ap`, `pr_f1_ap`, `pr_oracle_ap`."""
        return f"pr_{self.kind}_ap"

    def count(self, question: Question, prediction: Prediction) -> tuple[float, ...]:
        """Probability, whether there is an answer, and the score if there is."""
        if _PROBABILITY not in prediction.meta:
            return (math.nan,) * 3
        has_answer = float(bool(question.references))
        value = has_answer if self.kind == "oracle" else _value(self.kind, question, prediction)
        return prediction.meta[_PROBABILITY], has_answer, has_answer * value

    def pool(self, counts: Numbers, weights: Numbers) -> Numbers:
        """Precision summed over the steps of recall."""
        import numpy as np

        counts, weights = _by_probability(counts, weights)
        # Questions of equal probability are answered together: only the last of them is a step.
        last_of_tie = np.append(np.diff(counts[:, 0]) > 0, True)
        answered = np.cumsum(weights, axis=1)[:, last_of_tie]
        right = np.cumsum(weights * counts[:, 2], axis=1)[:, last_of_tie]
        answerable = weights @ counts[:, 1]
        # A resample may hold no answerable question; its average is then 0.
        steps = np.diff(right, axis=1, prepend=0) / np.maximum(answerable, 1)[:, None]
        average: Numbers = 100 * (right / np.maximum(answered, 1) * steps).sum(axis=1)
        return average

    def each(self, counts: Numbers) -> Numbers:
        """The score of every question, 0 where there is no answer."""
        return 100 * counts[:, 2]


def _value(kind: str, question: Question, prediction: Prediction) -> float:
    # As the official script: answers that are only articles or signs do not count, and none at all means silence.
    golds: Sequence[str] = [answer for answer in question.references if normalize_answer(answer)] or [""]
    said = prediction.answer.text
    return float(exact(said, golds)) if kind == "exact" else best_token_f1(said, golds)


def _by_probability(counts: Numbers, weights: Numbers) -> tuple[Numbers, Numbers]:
    import numpy as np

    order = np.argsort(counts[:, 0], kind="stable")
    return counts[order], weights[:, order]


def _check(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise UserError(f"no SQuAD {what} named {value!r}; there are: {', '.join(filter(None, known))}")
