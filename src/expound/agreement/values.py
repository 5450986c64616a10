"""Answers that are judged one by one: ratings, labels, boxes and lists of short answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from expound.agreement.labels import Labels, is_boxes
from expound.score.ambigqa import F1Answer
from expound.stats.proportions import NOTHING, Figure, pooled_figure, ratio, share
from expound.types import Answer, Interpretation, Judgment, Prediction, Question

# How Fan et al. 2019 compare raters of fluency: negative, neutral, positive.
FIVE_POINT: Mapping[float, str] = {1: "negative", 2: "negative", 3: "neutral", 4: "positive", 5: "positive"}


@dataclass(frozen=True, slots=True)
class Rated:
    """One system's values: their mean (numbers, yes as 1, boxes as the share ticked) and the share of each label.

    The mean is over questions, each the mean of its raters, with a bootstrap interval over questions; `is_share` says
    that it is of yes and no (true and false, or 1 and 0), or of boxes.
    """

    system: str
    judgments: int
    mean: Figure
    is_share: bool
    labels: dict[str, Figure]


def collect_ratings(judgments: Sequence[Judgment], *, seed: int, samples: int = 1000) -> list[Rated]:
    """Every system that was judged by a value."""
    systems = sorted({one.a for one in judgments})
    return [_make_rated(name, [one for one in judgments if one.a == name], seed, samples) for name in systems]


def collapse(labels: Labels, groups: Mapping[float, Any]) -> Labels:
    """Values by the group they fall into, such as `FIVE_POINT`; a value without a group stays."""
    return {unit: {rater: groups.get(value, value) for rater, value in said.items()} for unit, said in labels.items()}


def percent(figure: Figure) -> Figure:
    """A share in percent."""
    return Figure(100 * figure.value, 100 * figure.low, 100 * figure.high, figure.n)


def answers_f1(judgments: Iterable[Judgment], *, seed: int, samples: int = 1000) -> Figure:
    """F1 answer of people who wrote lists of answers, each against each other, in percent (Min et al. 2020, 4.1).

    A value is a list of texts, or of `{"question", "answers"}`. The mean over items, each the mean over ordered pairs.
    """
    written: dict[str, list[Judgment]] = defaultdict(list)
    for one in judgments:
        if is_answers(one.value):
            written[one.item].append(one)
    # Who wrote alone can agree with nobody.
    shared = {item: [_readings(one.value) for one in group] for item, group in written.items() if len(group) > 1}
    return _mean([[_f1(*pair) for pair in permutations(group, 2)] for group in shared.values()], seed, samples)


def is_answers(value: Any) -> bool:
    """Whether a value is a list of short answers, with or without their questions."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, str | dict) for one in value)


def _make_rated(system: str, judgments: Sequence[Judgment], seed: int, samples: int) -> Rated:
    questions: dict[str, list[float]] = defaultdict(list)
    for one in judgments:
        if (number := _number(one.value)) is not None:
            questions[one.question_id].append(number)
    said = Counter(_describe_value(one.value) for one in judgments if isinstance(one.value, str | int | float))
    labels = {label: share(count, said.total()) for label, count in sorted(said.items())}
    numbers = [one.value for one in judgments if isinstance(one.value, int | float)]
    # Also of 1 and 0: files of others write yes and no so.
    is_share = bool(questions) and all(number in (0, 1) for number in numbers)
    return Rated(
        system=system,
        judgments=len(judgments),
        mean=_mean(list(questions.values()), seed, samples),
        is_share=is_share,
        labels=labels,
    )


def _mean(groups: Sequence[Sequence[float]], seed: int, samples: int) -> Figure:
    """The mean of the groups' means."""
    import numpy as np

    counts = np.array([(sum(group) / len(group), 1.0) for group in groups]).reshape(-1, 2)
    return pooled_figure(counts, ratio, seed=seed, samples=samples) if groups else NOTHING


def _number(value: Any) -> float | None:
    if is_boxes(value):
        return float(sum(value) / len(value))
    return float(value) if isinstance(value, int | float) else None


def _describe_value(value: str | float) -> str:
    # Asked first: to Python, yes and no are the numbers 1 and 0.
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _readings(value: Sequence[Any]) -> tuple[Interpretation, ...]:
    plain = ({"question": "", "answers": [one]} if isinstance(one, str) else one for one in value)
    return tuple(Interpretation(str(one.get("question", "")), tuple(one["answers"])) for one in plain)


def _f1(gold: tuple[Interpretation, ...], predicted: tuple[Interpretation, ...]) -> float:
    question = Question("", "", annotations=(gold,))
    return F1Answer().count(
        question, Prediction(id="", question="", system="", answer=Answer(), interpretations=predicted)
    )
