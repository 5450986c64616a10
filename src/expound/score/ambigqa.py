"""AmbigQA's metrics (Min et al. 2020): are all readings of a question found, and is each asked for precisely?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from expound.errors import UserError
from expound.score.bleu import coco_bleu
from expound.text.normal import normalize_answer
from expound.text.ptb import ptb_words
from expound.types import Interpretation, Prediction, Question

Readings: TypeAlias = tuple[Interpretation, ...]
_ORDERS = (1, 2, 3, 4)  # BLEU-1 to BLEU-4, as pycocoevalcap gives them
_QUESTION_SCORES = len(_ORDERS) + 1


@dataclass(frozen=True, repr=False)
class F1Answer:
    """F1 of the predicted short answers with the gold ones, by the annotation that agrees most. 0 to 100.

    F1 = 2 m / (gold answers + predicted answers), where m predicted answers equal one alias of a gold answer of their
    own, all normalised (Min et al. 2020, `ambigqa_evaluate_script.py`). Without a predicted answer it is 0, where the
    official code stops. Not a number for a question without annotations, and with `multi` also for one that some
    annotator did not find ambiguous.

    >>> from expound.types import Answer
    >>> gold = (Interpretation("In 1964?", ("Simon & Garfunkel",)), Interpretation("In 2016?", ("Dami Im",)))
    >>> question = Question("1", "Who sang The Sound of Silence?", annotations=(gold,))
    >>> predicted = (Interpretation("", ("dami im",)),)
    >>> round(F1Answer().count(question, Prediction("1", question.text, "demo", Answer(), predicted)), 1)
    66.7
    """

    looks_at = ("text", "readings")
    multi: bool = False

    def __repr__(self) -> str:
        return "F1Answer(multi=True)" if self.multi else "F1Answer()"

    @property
    def name(self) -> str:
        """`f1_answer` or `f1_answer_multi`."""
        return "f1_answer_multi" if self.multi else "f1_answer"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        annotations = _annotations(question)
        if not (_is_multi(question.text, annotations) if self.multi else annotations):
            return math.nan
        return 100 * max(_answer_f1(gold, _read_predicted(prediction)) for gold in annotations)


@dataclass(frozen=True)
class F1Bleu:
    """F1 answer in which each pair of equal answers counts as much as their questions agree: BLEU-`order`. 0 to 100.

    F1 = 2 t / (gold readings + predicted readings), where t sums pycocoevalcap's BLEU of the predicted question over
    pairs with equal answers, from the best down, each reading used once; variants of a gold question stand between `|`
    (Min et al. 2020, `ambigqa_evaluate_script.py`). By the best annotation, 0 without a predicted reading, and not a
    number for a question that some annotator did not find ambiguous.
    """

    looks_at = ("readings", "rewrites")
    order: int = 4

    def __post_init__(self) -> None:
        if self.order not in _ORDERS:
            raise UserError(f"no F1 BLEU of order {self.order}; there are: 1 to {_ORDERS[-1]}")

    @property
    def name(self) -> str:
        """`f1_bleu1` to `f1_bleu4`."""
        return f"f1_bleu{self.order}"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        return _multi_score(question, prediction, self.order)


@dataclass(frozen=True)
class F1EditF1:
    """Like `F1Bleu`, but questions are compared by their edits: the words they add to and take from the question asked.

    The score of two questions is the F1 of their edits, 1 if neither has any (EDIT-F1, Min et al. 2020). 0 to 100; not
    a number for a question that some annotator did not find ambiguous.
    """

    looks_at = ("readings", "rewrites")
    name = "f1_edit_f1"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's F1 in percent."""
        return _multi_score(question, prediction, _QUESTION_SCORES)


def question_scores(question: Question, prediction: Prediction) -> tuple[float, ...]:
    """F1 answer, F1 BLEU-1 to 4 and F1 EDIT-F1 as the official script has them for one question, 0 to 1.

    Where an annotator gave a single answer, its F1 answer stands for the scores of questions too.
    """
    annotations = _annotations(question)
    if not annotations:
        return (math.nan,) * (1 + _QUESTION_SCORES)
    return _scores(question.text, annotations, _read_predicted(prediction))


def _annotations(question: Question) -> tuple[Readings, ...]:
    return question.annotations or ((question.interpretations,) if question.interpretations else ())


def _read_predicted(prediction: Prediction) -> Readings:
    """The predicted readings; a plain text is one answer."""
    said = prediction.answer.text
    return prediction.interpretations or ((Interpretation("", (said,)),) if said else ())


def _is_multi(asked: str, annotations: Sequence[Readings]) -> bool:
    return bool(annotations) and not any(_is_single(asked, gold) for gold in annotations)


def _is_single(asked: str, gold: Readings) -> bool:
    # Compared with the question asked: an annotator may also have written a single, more precise question.
    return len(gold) == 1 and gold[0].question == asked


def _multi_score(question: Question, prediction: Prediction, place: int) -> float:
    if not _is_multi(question.text, _annotations(question)):
        return math.nan
    return 100 * question_scores(question, prediction)[place]


def _answer_f1(gold: Readings, predicted: Readings) -> float:
    pairs = _equal_answers(gold, predicted)
    return _f1(pairs, [1.0] * len(pairs), len(gold) + len(predicted))


# Small: it serves the metrics of the question at hand.
@lru_cache(maxsize=64)
def _scores(asked: str, annotations: tuple[Readings, ...], predicted: Readings) -> tuple[float, ...]:
    each = [_annotation_scores(asked, gold, predicted) for gold in annotations]
    return tuple(max(column) for column in zip(*each, strict=True))


def _annotation_scores(asked: str, gold: Readings, predicted: Readings) -> tuple[float, ...]:
    answer = _answer_f1(gold, predicted)
    # As the official script: where the answers already score 0, so do the questions.
    if _is_single(asked, gold) or not answer:
        return (answer,) * (1 + _QUESTION_SCORES)
    pairs = _equal_answers(gold, predicted)
    scores = [question_agreement(asked, gold[one].question, predicted[other].question) for one, other in pairs]
    size = len(gold) + len(predicted)
    return answer, *(_f1(pairs, column, size) for column in zip(*scores, strict=True))


def _equal_answers(gold: Readings, predicted: Readings) -> list[tuple[int, int]]:
    """Places of gold and predicted readings with the same answer, in gold order first."""
    # The first alias alone: a system that lists guesses must not be right by quantity.
    given = [normalize_answer(reading.answers[0] if reading.answers else "") for reading in predicted]
    aliases = [_aliases(reading.answers) for reading in gold]
    return [(one, other) for one, names in enumerate(aliases) for other, answer in enumerate(given) if answer in names]


@lru_cache(maxsize=4096)
def _aliases(answers: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(normalize_answer, answers))


def _f1(pairs: Sequence[tuple[int, int]], scores: Sequence[float], size: int) -> float:
    """Twice the sum of scores, taken from the best pair down with each side used once, over the size of both sides."""
    ours, theirs = set(), set()
    total = 0.0
    # The sort is stable: equally good pairs stay in gold order, then in the order of predictions.
    for score, (one, other) in sorted(zip(scores, pairs, strict=True), key=lambda pair: -pair[0]):
        if one not in ours and other not in theirs:
            ours.add(one)
            theirs.add(other)
            total += score
    return 2 * total / size if size else 0.0


@lru_cache(maxsize=256)
def question_agreement(asked: str, gold: str, predicted: str) -> tuple[float, ...]:
    """BLEU-1 to 4 and EDIT-F1 of two questions."""
    # The official script takes any of these for the gold question.
    variants = [_words(variant) for variant in gold.split("|")]
    mine = _words(predicted)
    edits = _edits(_words(asked), mine)
    edit_f1 = max(_overlap(_edits(_words(asked), variant), edits) for variant in variants)
    return *coco_bleu(variants, mine), edit_f1


def words_added(asked: str, gold: str) -> set[str]:
    """The words that a gold question, in some of its variants, has more often than the question asked."""
    changes = [_edits(_words(asked), _words(variant)) for variant in gold.split("|")]
    return {word for change in changes for word, count in change.items() if count > 0}


@lru_cache(maxsize=4096)
def _words(question: str) -> tuple[str, ...]:
    return tuple(normalize_answer(" ".join(ptb_words(question))).split())


def _edits(asked: tuple[str, ...], question: tuple[str, ...]) -> dict[str, int]:
    """How many more times, or fewer, each word stands in the question than in the one asked."""
    # For the official code a question without words is one empty word.
    change = Counter(question or ("",))
    change.subtract(asked or ("",))
    return {word: count for word, count in change.items() if count}


def _overlap(gold: dict[str, int], predicted: dict[str, int]) -> float:
    """F1 of two sets of edits; 1 if both are empty."""
    size = sum(map(abs, gold.values())) + sum(map(abs, predicted.values()))
    # A word that one adds and the other takes away is no common edit: their product is negative.
    same = [(gold[word], count) for word, count in predicted.items() if gold.get(word, 0) * count > 0]
    return 2 * sum(min(abs(one), abs(other)) for one, other in same) / size if size else 1.0
