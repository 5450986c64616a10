"""How often a support check is right: people's votes on sentences, and long answers whose facts were altered."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from expound.errors import UserError
from expound.experiment import Report
from expound.models.readers import open_reader
from expound.protocols import Reader, Supports
from expound.recipes.asqa_extractive import half_of
from expound.recipes.control_table import ControlTable, Rows
from expound.recipes.support_claims import Claim, altered_answers, voted_sentences
from expound.score.short_answers import best_token_f1
from expound.score.support_reader import ReaderSupport
from expound.stats.proportions import Figure, pooled_figure, ratio
from expound.text.sentences import split_sentences
from expound.text.support import LexicalSupport

if TYPE_CHECKING:
    from expound.protocols import Numbers

_WORD = re.compile(r"\w+")
# Every one is read a dozen times and more, twice, and so is its original.
_MOST_ANSWERS = 160
_WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


Scores: TypeAlias = Sequence[float]


def rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """A row a check and data set: one half of the questions chooses the threshold, the other is reported."""
    reader = open_reader("auto")
    if reader is None:
        raise UserError("this recipe needs the reader: run `expound models get`")
    answers = list(islice(altered_answers(files[2], files[3]), 2 * _MOST_ANSWERS))
    data = {
        "people's votes": list(voted_sentences(files[0], files[1])),
        "altered answers, whole context": [whole for whole, _ in answers],
        "altered answers, short answers alone": [short for _, short in answers],
    }
    columns = ["claims", "check", "accuracy, %", "area under the curve", "threshold", "n", "questions"]
    found = [row for name, claims in data.items() for row in _rows(name, claims, reader, report)]
    return columns, found


def _rows(name: str, claims: Sequence[Claim], reader: Reader, report: Report | None) -> Iterator[list[object]]:
    checks: dict[str, Callable[[Claim], float]] = {
        "majority": lambda claim: 0.0,
        "word overlap": lambda claim: _by_sentence(word_overlap, claim),
        "lexical": lambda claim: _by_sentence(LexicalSupport(), claim),
        "reader": lambda claim: _by_sentence(ReaderSupport(), claim),
    }
    if any(claim.asked for claim in claims):
        checks["reader, the data's own questions"] = lambda claim: _answered(reader, claim)
    scores: dict[str, list[float]] = {check: [] for check in checks}
    for number, claim in enumerate(claims):
        if report:
            report(name, number, len(claims))
        for check, score in checks.items():
            scores[check].append(score(claim))
    weight = _best_weight(claims, scores["lexical"], scores["reader"])
    mixed = _mixed(scores["lexical"], scores["reader"], weight)
    for check, values in (scores | {f"lexical and {weight:g} of reader": mixed}).items():
        yield [name, check, *_measured(claims, values)]


def word_overlap(passage: str, sentence: str) -> float:
    """Share of a sentence's words that stand in the passage: the baseline."""
    said = set(_WORD.findall(passage.lower()))
    words = _WORD.findall(sentence.lower())
    return sum(word in said for word in words) / len(words) if words else 0.0


def _by_sentence(supports: Supports, claim: Claim) -> float:
    sentences = split_sentences(claim.text) or [claim.text]
    return sum(supports(claim.evidence, sentence) for sentence in sentences) / len(sentences)


def _answered(reader: Reader, claim: Claim) -> float:
    """How well the claim answers the questions, as the reader finds it there."""
    spans = reader.read([(question, claim.text) for question, _ in claim.asked])
    found = [best_token_f1(span.text, answers) for span, (_, answers) in zip(spans, claim.asked, strict=True)]
    return sum(found) / len(found)


def _best_weight(claims: Sequence[Claim], first: Scores, second: Scores) -> float:
    """How much of the second score to add, by the area on the half that chooses; the least where it is the same."""
    kept = [place for place, claim in enumerate(claims) if half_of(claim.question) == "choose"]
    chosen = [claims[place] for place in kept]

    def area(weight: float) -> float:
        mixed = _mixed(first, second, weight)
        return float(_area(_wins(chosen, [mixed[place] for place in kept]), _ones(chosen))[0])

    return max(_WEIGHTS, key=lambda weight: (area(weight), -weight))


def _mixed(first: Scores, second: Scores, weight: float) -> list[float]:
    return [(1 - weight) * one + weight * other for one, other in zip(first, second, strict=True)]


def _measured(claims: Sequence[Claim], scores: Scores) -> list[object]:
    """Accuracy at the threshold that the other half chooses, area, and over how much."""
    halves: Mapping[str, list[tuple[Claim, float]]] = defaultdict(list)
    for claim, score in zip(claims, scores, strict=True):
        halves[half_of(claim.question)].append((claim, score))
    threshold = best_threshold([(score, claim.is_supported) for claim, score in halves["choose"]])
    reported = [claim for claim, _ in halves["report"]]
    values = [score for _, score in halves["report"]]
    right = _right(reported, values, threshold)
    area = pooled_figure(_wins(reported, values), _area, seed=0)
    shown = f"{threshold:.2f}" if len(set(scores)) > 1 else ""
    return [
        _cell(pooled_figure(right, lambda counts, weights: 100 * ratio(counts, weights), seed=0), 1),
        _cell(area, 3), shown, len(reported), area.n,
    ]  # fmt: skip


def best_threshold(scored: Sequence[tuple[float, bool]]) -> float:
    """From which score on to say "supported" so that most are right; the lowest where several are as good."""
    ordered = sorted(scored)
    right = sum(is_supported for _, is_supported in ordered)
    best, threshold = right, ordered[0][0] if ordered else 0.0
    for place, (_, is_supported) in enumerate(ordered):
        right += -1 if is_supported else 1
        following = ordered[place + 1][0] if place + 1 < len(ordered) else ordered[-1][0] + 1.0
        if right > best and following > ordered[place][0]:
            best, threshold = right, following
    return threshold


def _right(claims: Sequence[Claim], scores: Scores, threshold: float) -> Numbers:
    """For every question how many claims are judged rightly, and how many there are."""
    import numpy as np

    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for claim, score in zip(claims, scores, strict=True):
        counts[claim.question][0] += (score >= threshold) == claim.is_supported
        counts[claim.question][1] += 1
    return np.array(list(counts.values()), dtype=np.float64)


def _wins(claims: Sequence[Claim], scores: Scores) -> Numbers:
    """A row a question: how often its supported claims are above the others of each question; then both counts."""
    import numpy as np

    places = {question: place for place, question in enumerate(dict.fromkeys(claim.question for claim in claims))}
    of = np.array([places[claim.question] for claim in claims])
    supported = np.array([claim.is_supported for claim in claims])
    values = np.array(scores)
    sides = [np.zeros((len(places), int(side.sum()))) for side in (supported, ~supported)]
    for matrix, side in zip(sides, (supported, ~supported), strict=True):
        matrix[of[side], np.arange(int(side.sum()))] = 1
    above = values[supported][:, None] - values[~supported][None, :]
    wins = sides[0] @ ((above > 0) + 0.5 * (above == 0)) @ sides[1].T
    return np.hstack([wins, sides[0].sum(1, keepdims=True), sides[1].sum(1, keepdims=True)])


def _area(counts: Numbers, weights: Numbers) -> Numbers:
    """The chance that a supported claim is above another, questions counted as often as they are drawn."""
    wins = ((weights @ counts[:, :-2]) * weights).sum(1)
    area: Numbers = wins / ((weights @ counts[:, -2]) * (weights @ counts[:, -1]))
    return area


def _ones(claims: Sequence[Claim]) -> Numbers:
    import numpy as np

    return np.ones((1, len({claim.question for claim in claims})))


def _cell(figure: Figure, digits: int) -> str:
    return f"{figure.value:.{digits}f} ({figure.low:.{digits}f}–{figure.high:.{digits}f})"


RECIPE = ControlTable(
    "support-checks",
    "Support checks against people's votes and altered answers",
    ("sentence labels", "documents of the 12 systems", "ASQA answers, altered or not", "ASQA questions in training"),
    rows,
    "Threshold and weight are chosen on half of the questions, all else is measured on the other half. An altered "
    "answer's original stands word by word in its whole context, not in the short answers.",
)
