"""KILT's answer metrics (Petroni et al. 2021): is the answer right, and is it right on the right pages?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from expound.errors import UserError
from expound.score.provenance import RPrecision
from expound.score.rouge_package import check_options, package_rouge
from expound.score.short_answers import best_token_f1, exact
from expound.types import Prediction, Question

KINDS = ("accuracy", "em", "f1", "rouge_l")


@dataclass(frozen=True)
class KiltAnswer:
    """The answer against the closest reference. 0 to 100; not a number without a reference.

    `accuracy` is equality of the raw texts, `em` of the normalised ones, `f1` the overlap of normalised tokens, and
    `rouge_l` the F1 of the `rouge` package on the raw texts. An empty answer gets 0.

    With `grounded`, the value counts only if R-precision is 100, otherwise it is 0 (KILT-EM, KILT-F1 and so on); it is
    then not a number for a question without `provenance`, too.

    >>> from expound.types import Answer
    >>> question = Question("1", "Which country?", references=("the U.S.",))
    >>> KiltAnswer(kind="em").count(question, Prediction("1", question.text, "demo", Answer("US")))
    100.0
    """

    kind: str = "em"
    grounded: bool = False
    rouge_package: str = "1.0.1"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UserError(f"no KILT metric named {self.kind!r}; there are: {', '.join(KINDS)}")
        check_options("l", self.rouge_package)

    @property
    def name(self) -> str:
        """`em`, or `kilt_em` when grounded."""
        return f"kilt_{self.kind}" if self.grounded else self.kind

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"rouge_package": self.rouge_package} if self.kind == "rouge_l" else {}

    @property
    def looks_at(self) -> tuple[str, ...]:
        """The answer's text, and when grounded the pages too."""
        return ("text", "evidence") if self.grounded else ("text",)

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's value in percent."""
        # KILT's files repeat an answer for each of its provenances.
        golds = tuple(dict.fromkeys([text for reference in question.references if (text := reference.strip())]))
        r_precision = RPrecision().count(question, prediction) if self.grounded else 100.0
        if not golds or math.isnan(r_precision):
            return math.nan
        guess = prediction.answer.text.strip()
        # R-precision first: the answers that it rules out need no ROUGE.
        if not guess or r_precision != 100:
            return 0.0
        return 100 * _value(self.kind, guess, golds, self.rouge_package)


# Small: the plain and the grounded metrics ask for the same values of the question at hand.
@lru_cache(maxsize=64)
def _value(kind: str, guess: str, golds: tuple[str, ...], version: str) -> float:
    if kind == "accuracy":
        return float(guess in golds)
    if kind == "em":
        return float(exact(guess, golds))
    if kind == "f1":
        # KILT's own script gives 0 where both have no token left.
        return best_token_f1(guess, golds, both_empty=0.0)
    return max(package_rouge(guess, gold, version=version).f1 for gold in golds)
