"""ELI5's metrics (Fan et al. 2019): ROUGE of stemmed words, and three measures of a language model."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from expound.errors import UserError
from expound.score.rouge_package import check_options, is_empty, package_rouge
from expound.text.porter import stem
from expound.types import Prediction, Question

if TYPE_CHECKING:
    from expound.protocols import Numbers


@dataclass(frozen=True)
class _PackageRouge:
    """The options that both metrics take."""

    kind: str = "l"
    # The version that ELI5 and KILT score by; others give other numbers.
    rouge_package: str = "1.0.1"

    def __post_init__(self) -> None:
        check_options(self.kind, self.rouge_package)

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"profile": "eli5", "rouge_package": self.rouge_package}


@dataclass(frozen=True)
class Eli5Rouge(_PackageRouge):
    """ROUGE F1 of the `rouge` package with the closest reference, words stemmed (ELI5, `compute_rouge.py`). 0 to 100.

    `kind` is `1`, `2` or `l`. Words are cut at whitespace; punctuation stays with them. The official scorer stops where
    a text has nothing but full stops: such an answer gets 0 here, and without any other reference there is no number.

    >>> from expound.types import Answer
    >>> question = Question("1", "What do dogs do?", references=("Dogs bark at cats",))
    >>> round(Eli5Rouge(kind="1").count(question, Prediction("1", question.text, "demo", Answer("A dog barked"))), 2)
    57.14
    """

    @property
    def name(self) -> str:
        """`rouge_1`, `rouge_2`, `rouge_l`."""
        return f"rouge_{self.kind}"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        # The best reference, as the script takes the maximum over answers.
        return _best(question.references, prediction.answer.text, self.kind, self.rouge_package)


@dataclass(frozen=True)
class Rouge20(_PackageRouge):
    """ROUGE-20%: how well a model ends an answer whose first 80 % it is given. 0 to 100.

    The prediction is the continuation only, of as many tokens as `completion_budget` says; it is scored against the
    last part of `split_for_completion` as `Eli5Rouge` scores whole answers.
    """

    @property
    def name(self) -> str:
        """`rouge_20_1`, `rouge_20_2`, `rouge_20_l`."""
        return f"rouge_20_{self.kind}"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        endings = [split_for_completion(reference)[1] for reference in question.references]
        return _best(endings, prediction.answer.text, self.kind, self.rouge_package)


@dataclass(frozen=True)
class Perplexity:
    """How many words a model hesitates between: exp(mean negative log-likelihood of a token). From 1; less is better.

    `prediction.meta["log_probabilities"]` has the natural logarithm of the probability of each token of the answer.
    The mean is over the tokens of all answers; one without any token is not counted.
    """

    looks_at = ("side file",)
    name = "perplexity"

    def count(self, question: Question, prediction: Prediction) -> tuple[float, float]:
        """The summed negative log-likelihood and the number of tokens."""
        logarithms = prediction.meta.get("log_probabilities")
        # Tokens without any are no reason for infinity: such an answer is left out.
        return (-math.fsum(logarithms), float(len(logarithms))) if logarithms else (math.nan, math.nan)

    def pool(self, counts: Numbers, weights: Numbers) -> Numbers:
        """One perplexity per row of weights."""
        import numpy as np

        with np.errstate(over="ignore"):  # a model that is sure of the wrong words has no finite perplexity
            perplexities: Numbers = np.exp(_ratios(counts, weights))
        return perplexities

    def each(self, counts: Numbers) -> Numbers:
        """The perplexity of every answer by itself."""
        import numpy as np

        with np.errstate(over="ignore"):
            perplexities: Numbers = np.exp(counts[:, 0] / counts[:, 1])
        return perplexities


@dataclass(frozen=True)
class Fill1:
    """FILL-1: share of the nouns, verbs and adjectives of an answer that a model guesses first. 0 to 100.

    `prediction.meta["fills"]` has a `gold` and a `predicted` word for each of them, guessed from the question and the
    correct words before it. The share is over the words of all answers. The paper reports it by part of speech: give
    each word its `part` and ask for one, as in `Fill1(part="noun")`.
    """

    looks_at = ("side file",)

    part: str = ""

    @property
    def name(self) -> str:
        """`fill_1`, `fill_1_noun`."""
        return f"fill_1_{self.part}" if self.part else "fill_1"

    def count(self, question: Question, prediction: Prediction) -> tuple[float, float]:
        """The number of words guessed right and the number of words."""
        fills = prediction.meta.get("fills") or ()
        wanted = [fill for fill in fills if not self.part or fill.get("part") == self.part]
        right = sum(fill["gold"] == fill["predicted"] for fill in wanted)
        return (float(right), float(len(wanted))) if wanted else (math.nan, math.nan)

    def pool(self, counts: Numbers, weights: Numbers) -> Numbers:
        """One percentage per row of weights."""
        return 100 * _ratios(counts, weights)

    def each(self, counts: Numbers) -> Numbers:
        """The share of every answer by itself."""
        shares: Numbers = 100 * counts[:, 0] / counts[:, 1]
        return shares


def split_for_completion(reference: str) -> tuple[str, str]:
    """The first 80 % of the reference's whitespace tokens and the rest, which is rounded up.

    >>> split_for_completion("one two three four five six")
    ('one two three four', 'five six')
    """
    tokens = reference.split()
    # Whole numbers: 0.8 times a length may be rounded down by a hair.
    given = len(tokens) * 4 // 5
    return " ".join(tokens[:given]), " ".join(tokens[given:])


def completion_budget(references: Iterable[str]) -> int:
    """How many tokens a model writes for `Rouge20`: 20 % of the mean length of the references, rounded, at least 1.

    The paper takes the answers of the validation set.
    """
    lengths = [len(reference.split()) for reference in references]
    if not lengths:
        raise UserError("no references to take the mean length of; give those of the validation set")
    return max(1, round(sum(lengths) / len(lengths) / 5))


def _best(references: Sequence[str], answer: str, kind: str, version: str) -> float:
    hypothesis = _stem_text(answer)
    # A reference of full stops has no words, and the package stops at it.
    scored = [text for text in map(_stem_text, references) if not is_empty(text)]
    if not scored:
        return math.nan
    # After the references: where nothing can be scored, an empty answer gets no 0 either.
    if is_empty(hypothesis):
        return 0.0
    return 100 * max(package_rouge(hypothesis, text, kind=kind, version=version).f1 for text in scored)


# As large as a data set, so comparing systems stems each reference once.
@lru_cache(maxsize=4096)
def _stem_text(text: str) -> str:
    # No suffix ends in punctuation, and in prose every seventh word does.
    return " ".join([word.lower() if word[-1] in string.punctuation else stem(word) for word in text.split()])


def _ratios(counts: Numbers, weights: Numbers) -> Numbers:
    """The weighted sum of the first column over that of the second, per row of weights."""
    sums: Numbers = weights @ counts
    ratios: Numbers = sums[:, 0] / sums[:, 1]
    return ratios
