"""How often a support check is right: people's votes on sentences, and long answers whose facts were altered."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from expound.errors import BadInput, UserError
from expound.models.readers import open_reader
from expound.protocols import Reader, Supports
from expound.recipes.areas import area_figure, area_of
from expound.recipes.findings import Row, Values
from expound.recipes.halves import half_of
from expound.recipes.intervals import mean_of_all
from expound.recipes.printing import measured_column, name_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.support_claims import Claim, altered_answers, voted_sentences
from expound.resource_table import TOKENIZER
from expound.score.short_answers import best_token_f1
from expound.score.support_reader import ReaderSupport
from expound.stats.proportions import Figure
from expound.text.sentences import split_sentences
from expound.text.support import LexicalSupport

Scores: TypeAlias = Sequence[float]
Check: TypeAlias = Callable[[Claim], float]

_VOTES = "people's votes"
_OWN_QUESTIONS = "reader, the data's own questions"
_WORD = re.compile(r"\w+")
# Every one is read a dozen times and more, twice, and so is its original.
_MOST_ANSWERS = 160
# How much of the reader to add: from the words alone to as much of it as of the words.
_WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


@dataclass(frozen=True)
class ScoredClaims:
    """Claims, and what every check says of each."""

    claims: Sequence[Claim]
    scores: Mapping[str, Scores]


def read_and_score(given: Ingredients) -> dict[str, ScoredClaims]:
    """Every set of claims with the scores of every check."""
    reader = open_reader("auto")
    if reader is None:
        raise UserError("this recipe needs the reader: run `expound models get minilm-tokenizer`")
    labels, documents, altered, trained_on = given.files
    answers = list(islice(altered_answers(altered, trained_on), 2 * _MOST_ANSWERS))
    sets = {
        _VOTES: list(voted_sentences(labels, documents)),
        "altered answers, whole context": [whole for whole, _ in answers],
        "altered answers, short answers alone": [short for _, short in answers],
    }
    for name, claims in sets.items():
        if not claims:
            files = (labels, documents) if name == _VOTES else (altered, trained_on)
            raise BadInput(f"{' and '.join(map(str, files))} have no claims of the kind {name!r}")
    return {name: _score(name, claims, reader, given) for name, claims in sets.items()}


def rows_of(sets: Mapping[str, ScoredClaims]) -> list[Row]:
    """A row a set and check."""
    return [Row(check, how=name) for name, scored in sets.items() for check in scored.scores]


def run_check(sets: Mapping[str, ScoredClaims], row: Row) -> Values:
    """Accuracy and area on one half of the questions, with the threshold that the other half chooses."""
    claims, scores = sets[row.how].claims, sets[row.how].scores[row.name]
    return {"claims": row.how, **_figures_of(claims, scores)}


def _score(name: str, claims: Sequence[Claim], reader: Reader, given: Ingredients) -> ScoredClaims:
    checks = _checks(reader)
    # Sentences that people voted on come without questions; the check would be a row of nothing.
    if not any(claim.asked for claim in claims):
        del checks[_OWN_QUESTIONS]
    scores: dict[str, list[float]] = {check: [] for check in checks}
    for number, claim in enumerate(claims):
        given.say(name, number, len(claims))
        for check, score in checks.items():
            scores[check].append(score(claim))
    weight = _best_weight(claims, scores["lexical"], scores["reader"])
    mixed = _mix(scores["lexical"], scores["reader"], weight)
    return ScoredClaims(claims, scores | {f"lexical and {weight:g} of reader": mixed})


def _checks(reader: Reader) -> dict[str, Check]:
    return {
        "majority": lambda claim: 0.0,
        "word overlap": lambda claim: _by_sentence(word_overlap, claim),
        "lexical": lambda claim: _by_sentence(LexicalSupport(), claim),
        "reader": lambda claim: _by_sentence(ReaderSupport(), claim),
        _OWN_QUESTIONS: lambda claim: _share_answered(reader, claim),
    }


def word_overlap(passage: str, sentence: str) -> float:
    """Share of a sentence's words that stand in the passage: the baseline."""
    said = set(_WORD.findall(passage.lower()))
    words = _WORD.findall(sentence.lower())
    return sum(word in said for word in words) / len(words) if words else 0.0


def _by_sentence(supports: Supports, claim: Claim) -> float:
    sentences = split_sentences(claim.text) or [claim.text]
    return sum(supports(claim.evidence, sentence) for sentence in sentences) / len(sentences)


def _share_answered(reader: Reader, claim: Claim) -> float:
    """How well the claim answers the questions, as the reader finds it there."""
    spans = reader.read([(question, claim.text) for question, _ in claim.asked])
    found = [best_token_f1(span.text, answers) for span, (_, answers) in zip(spans, claim.asked, strict=True)]
    return sum(found) / len(found)


def _best_weight(claims: Sequence[Claim], first: Scores, second: Scores) -> float:
    """How much of the second score to add, by the area on the half that chooses; the least where it is the same."""
    kept = [place for place, claim in enumerate(claims) if half_of(claim.question) == "choose"]
    is_supported = [claims[place].is_supported for place in kept]

    def area(weight: float) -> float:
        mixed = _mix(first, second, weight)
        return area_of([mixed[place] for place in kept], is_supported)

    return max(_WEIGHTS, key=lambda weight: (area(weight), -weight))


def _mix(first: Scores, second: Scores, weight: float) -> list[float]:
    return [(1 - weight) * one + weight * other for one, other in zip(first, second, strict=True)]


def _figures_of(claims: Sequence[Claim], scores: Scores) -> Values:
    """Accuracy at the threshold that the other half chooses, area, and over how much."""
    halves: Mapping[str, list[tuple[Claim, float]]] = defaultdict(list)
    for claim, score in zip(claims, scores, strict=True):
        halves[half_of(claim.question)].append((claim, score))
    threshold = best_threshold([(score, claim.is_supported) for claim, score in halves["choose"]])
    reported = [claim for claim, _ in halves["report"]]
    area = _area(reported, [score for _, score in halves["report"]])
    return {
        "accuracy": mean_of_all(_right(halves["report"], threshold)),
        "area": area,
        "threshold": f"{threshold:.2f}" if len(set(scores)) > 1 else "",
        "n": len(reported),
        "questions": area.n,
    }


def best_threshold(scored: Sequence[tuple[float, bool]]) -> float:
    """From which score on to say "supported" so that most are right; the lowest where several are as good."""
    ordered = sorted(scored)
    right = sum(is_supported for _, is_supported in ordered)
    # At the lowest score everything is said to be supported; the loop then moves the threshold up, one claim at a time.
    best, threshold = right, ordered[0][0] if ordered else 0.0
    for place, (_, is_supported) in enumerate(ordered):
        right += -1 if is_supported else 1
        following = ordered[place + 1][0] if place + 1 < len(ordered) else ordered[-1][0] + 1.0
        # Never between equal scores: no threshold could tell them apart.
        if right > best and following > ordered[place][0]:
            best, threshold = right, following
    return threshold


def _right(scored: Sequence[tuple[Claim, float]], threshold: float) -> Iterable[list[float]]:
    """For every question which of its claims are judged rightly, in percent."""
    by_question: dict[str, list[float]] = defaultdict(list)
    for claim, score in scored:
        by_question[claim.question].append(100.0 * ((score >= threshold) == claim.is_supported))
    return by_question.values()


def _area(claims: Sequence[Claim], scores: Scores) -> Figure:
    """The chance that a supported claim is above another, questions counted as often as they are drawn."""
    return area_figure(scores, [claim.is_supported for claim in claims], [claim.question for claim in claims])


RECIPE = Recipe(
    name="support-checks",
    title="Support checks against people's votes and altered answers",
    files=(
        "sentence labels",
        "documents of the 12 systems",
        "ASQA answers, altered or not",
        "ASQA questions in training",
    ),
    prepare=read_and_score,
    more_rows=rows_of,
    run_row=run_check,
    tables=table_of(
        measured_column("claims"),
        name_column("check"),
        measured_column("accuracy, %", "accuracy"),
        measured_column("area under the curve", "area", digits=3),
        *map(measured_column, ("threshold", "n", "questions")),
    ),
    why="Threshold and weight are chosen on half of the questions, all else is measured on the other half. An altered "
    "answer's original stands word by word in its whole context, not in the short answers.",
    resources=(TOKENIZER,),
)
