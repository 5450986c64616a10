"""The statistics of a dataset in one table; those that need ROUGE live here, above the scorers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, TypeAlias

from expound.datasets import stats, stats_preferences, stats_readings
from expound.datasets.dataset_facts import read_dataset
from expound.datasets.stats import Statistic
from expound.score.rouge import STEMMED, ByRules, Reading, rouge
from expound.types import Preference, Question, Rating

_SOURCE = "ASQA section 3.3"
Measure: TypeAlias = Callable[[Sequence[Question]], list[Statistic]]


# By our own rules: the statistic needs no fetched file.
_BY_SENTENCE = Reading(splitter=ByRules(), newlines_too=True)


def measure_dataset(spec: str) -> list[Statistic]:
    """The statistics of a dataset's questions, or of its judgments."""
    records = read_dataset(spec)
    questions = [item for item in records if isinstance(item, Question)]
    if questions:
        return question_statistics(questions)
    if ratings := [item for item in records if isinstance(item, Rating)]:
        return stats_preferences.grades(ratings)
    return preference_statistics([item for item in records if isinstance(item, Preference)])


def question_statistics(questions: Sequence[Question]) -> list[Statistic]:
    """Every statistic that these questions have what it takes for."""
    return [statistic for measure in MEASURES for statistic in measure(questions)]


def preference_statistics(preferences: Sequence[Preference]) -> list[Statistic]:
    """Choices by criterion and wins by system."""
    return [*stats_preferences.choices(preferences), *stats_preferences.wins(preferences)]


def reference_agreement(questions: Sequence[Question]) -> list[Statistic]:
    """Mean ROUGE-L F1 of each two references of a question (ASQA section 3.3: 49.6, and 16.9 for ELI5).

    ASQA's ROUGE-L is the one that unites the subsequences of sentences (`lsum`); read as one sequence its references
    agree less, which is given beside it.
    """
    found = {
        "ROUGE-Lsum": [value for question in questions for value in agreements(question)],
        "ROUGE-L": [value for question in questions for value in agreements(question, kind="l", reading=STEMMED)],
    }
    return [
        Statistic("references agree", name, fmean(values), unit="F1", n=len(values), source=_SOURCE)
        for name, values in found.items()
        if values
    ]


def agreements(question: Question, *, kind: str = "lsum", reading: Reading = _BY_SENTENCE) -> list[float]:
    """ROUGE F1 of each two references, in percent; short answers are no text to compare."""
    # A name or a number agrees with another one wholly or not at all.
    if stats.has_short_references(question):
        return []
    pairs = combinations(question.references, 2)
    # Each pair once: F1 is the same both ways.
    return [100 * rouge([one], other, kind=kind, reading=reading).f1 for one, other in pairs]


def answer_tokens_in_evidence(questions: Sequence[Question]) -> list[Statistic]:
    """Share of an answer's tokens that its support document has (ASQA section 3.3: 92 %, and 78 % without readings).

    ROUGE-1 recall of the lower-cased document against the answer. For ASQA the document is the readings with their
    answers, the contexts (each once) and what the annotator noted, with the titles of its pages; only questions that
    come with contexts count. Otherwise it is the evidence.
    """
    cases = [case for question in questions for case in _cases(question)]
    evidence_only = [case for question in questions for case in _cases(question, with_readings=False)]
    rows = [("in the evidence", evidence_only)]
    if any("contexts" in question.meta for question in questions):
        rows = [("in readings and evidence", cases), ("in the evidence alone", evidence_only)]
    return [statistic for name, found in rows if found for statistic in _support(name, found)]


def token_shares(question: Question, *, with_readings: bool = True) -> list[float]:
    """Share of each reference's tokens in the support document, in percent; none without the annotators' contexts."""
    return list(map(_recall, _cases(question, with_readings=with_readings))) if "contexts" in question.meta else []


def _support(name: str, cases: Sequence[tuple[str, str]]) -> list[Statistic]:
    words = [len(document.split()) for _, document in cases]
    recalls, n = list(map(_recall, cases)), len(cases)
    return [
        Statistic("answer tokens", name, fmean(recalls), unit="%", n=n, source=_SOURCE),
        Statistic("support document", name.removeprefix("in "), fmean(words), unit="words", n=n, source=_SOURCE),
    ]


def _recall(case: tuple[str, str]) -> float:
    answer, document = case
    return 100 * rouge([answer.lower()], document.lower(), kind="1").recall


def _cases(question: Question, *, with_readings: bool = True) -> list[tuple[str, str]]:
    """Each reference with its support document."""
    if "contexts" not in question.meta:
        document = " ".join(passage.text for passage in question.evidence)
        return [(reference, document) for reference in question.references if document]
    readings = [text for reading in question.interpretations for text in (reading.question, *reading.answers)]
    # Annotators of one reading often copied the same context.
    shared = [*(readings if with_readings else ()), *dict.fromkeys(question.meta["contexts"])]
    # Files that were made anew have contexts and no notes of annotators.
    notes = question.meta.get("knowledge") or [[] for _ in question.references]
    return [
        (reference, " ".join([*shared, *map(_note_text, noted)]))
        for reference, noted in zip(question.references, notes, strict=True)
    ]


def _note_text(note: Mapping[str, Any]) -> str:
    """What the annotator noted, with the page it is from; some notes in the official file are null."""
    return f"{note.get('wikipage') or ''} {note.get('content') or ''}"


MEASURES: tuple[Measure, ...] = (
    stats.lengths,
    stats.answers_per_question,
    stats.answer_lengths,
    stats.first_words,
    stats_readings.readings,
    stats_readings.edits,
    stats_readings.pages_viewed,
    stats_readings.queries_used,
    stats_readings.without_nq_answer,
    reference_agreement,
    answer_tokens_in_evidence,
)
"""In the order of the table."""
