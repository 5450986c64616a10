"""Self-BLEU: how much the sentences of one answer repeat each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache

from expound.errors import UserError
from expound.score.bleu import self_bleu
from expound.score.rouge import Splitter
from expound.text.punkt import Punkt
from expound.text.splitters import Split, check_splitter, find_splitter, resources_of
from expound.text.treebank import treebank_words
from expound.types import Prediction, Question

_ORDERS = 5  # Xu et al. 2023 report self-BLEU-5


@dataclass(frozen=True)
class SelfBleu:
    """Mean BLEU of each sentence of the answer against all its others (Zhu et al. 2018, as Xu et al. 2023 use it).

    BLEU of n-grams up to `order`, smoothed by method 1, of NLTK's word tokens; line breaks count as spaces. 0 to 100,
    higher is less diverse; not a number for an answer of fewer than two sentences. The `splitter` "punkt" is NLTK's,
    "rules" needs no fetched file, and `sentences` takes a splitter of your own.
    """

    # Which way the paper took it, it does not say; less repetition is what anybody would want.
    lower_is_better = True
    # Beside an answer of several sentences: one sentence repeats nothing. The golden counts of the experts have it so.
    missing_counts = 0.0
    lacking = "no answer of two sentences"

    order: int = _ORDERS
    sentences: Splitter | None = field(default=None, repr=False)
    splitter: str = "punkt"

    def __post_init__(self) -> None:
        if not 1 <= self.order <= _ORDERS:
            raise UserError(f"no self-BLEU of order {self.order}; there are: 1 to {_ORDERS}")
        check_splitter(self.splitter)

    @property
    def name(self) -> str:
        """`self_bleu_1` to `self_bleu_5`."""
        return f"self_bleu_{self.order}"

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        own = self.sentences and not isinstance(self.sentences, Punkt)
        return {"splitter": type(self.sentences).__name__ if own else self.splitter}

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return resources_of(self.splitter) if self.sentences is None else ()

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's mean in percent."""
        split = self.sentences.sentences if self.sentences else find_splitter(self.splitter)
        return 100 * _means(prediction.answer.text, split)[self.order - 1]


# Small: it serves the orders of the answer at hand.
@lru_cache(maxsize=8)
def _means(text: str, split: Split) -> tuple[float, ...]:
    """Self-BLEU of every order, 0 to 1."""
    # Punkt would take a line break for nothing, the rules for an end: both get none.
    sentences = split(" ".join(text.splitlines()))
    if len(sentences) < 2:
        # One sentence has no other to be like.
        return (math.nan,) * _ORDERS
    # All orders at once, since a profile asks for each of them.
    each = self_bleu([treebank_words(sentence) for sentence in sentences], _ORDERS)
    return tuple(math.fsum(values) / len(each) for values in zip(*each, strict=True))
