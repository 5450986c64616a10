"""What AmbigQA tabulates about ambiguity: how many readings, how their questions differ, how they were found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import fmean
from typing import Any

from expound.datasets.stats import Statistic
from expound.text.normal import normalize_answer
from expound.text.words import STOP_WORDS
from expound.types import Interpretation, Question

WH_WORDS = frozenset("who whom whose what when where which why how".split())
TOP_EDITS = 10  # as Figure 2c of AmbigQA shows
_COVERED = (100, 1000)  # the paper says what its 100 and 1,000 most frequent edits cover (section 4.2)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def readings(questions: Sequence[Question]) -> list[Statistic]:
    """Share of the questions with 1, 2, 3 and 4 or more readings (AmbigQA Table 2).

    Of several annotations the one with the fewest readings counts.
    """
    counts = [count for question in questions if (count := reading_count(question))]
    if not counts:
        return []
    shares = _shares(counts, (1, 2, 3, 4), "readings", "AmbigQA Table 2")
    return [*shares, Statistic(group="readings", name="per question", value=fmean(counts), unit="", n=len(counts))]


def reading_count(question: Question) -> int:
    """How many readings a question has, at the least."""
    # The fewest, as the paper counts: one annotator who found a single reading makes the question unambiguous to them.
    return min(map(len, question.annotations), default=len(question.interpretations))


def edits(questions: Sequence[Question]) -> list[Statistic]:
    """The words added to and deleted from questions to say which reading is meant (AmbigQA Figure 2c).

    Shares of all edits by kind, the most frequent edits, and how much the top 100 and 1,000 cover (in the paper 36 %
    and 69 % of the development data).
    """
    counts = Counter(edit for question in questions for edit in _edits_of(question))
    total = counts.total()
    if not total:
        return []
    kinds: Counter[str] = Counter()
    for edit, count in counts.items():
        kinds[_kind(edit)] += count
    frequent = counts.most_common()
    covered = [(f"the {top:,} most frequent", sum(count for _, count in frequent[:top])) for top in _COVERED]
    rows = [("edits", *row) for row in sorted(kinds.items())]
    rows += [("all edits covered by", *row) for row in covered]
    rows += [("most frequent edits", *row) for row in frequent[:TOP_EDITS]]
    return [
        Statistic(group=group, name=name, value=100 * count / total, unit="%", n=total, source="AmbigQA Figure 2c")
        for group, name, count in rows
    ]


def word_edits(asked: str, reading: str) -> list[str]:
    """The edits between two questions as `+word` and `-word`, without stop words but with wh-words.

    A number stands for all numbers with as many digits.

    >>> word_edits("Who won the cup?", "Which team won the cup in 1990?")
    ['+which', '+team', '+4-digit number', '-who']
    """
    # As bags of words: a word that only moved is no edit, as in the paper's figure.
    before, after = _words(asked), _words(reading)
    added, deleted = after - before, before - after
    return [f"+{word}" for word in added.elements()] + [f"-{word}" for word in deleted.elements()]


def pages_viewed(questions: Sequence[Question]) -> list[Statistic]:
    """How many Wikipedia pages annotators opened for a question (AmbigQA Figure 2a; full version)."""
    return _how_many(questions, "viewed_doc_titles", "pages viewed", "AmbigQA Figure 2a", key=lambda title: title)


def queries_used(questions: Sequence[Question]) -> list[Statistic]:
    """How many search queries annotators wrote for a question (AmbigQA Figure 2b; full version)."""
    return _how_many(questions, "used_queries", "queries", "AmbigQA Figure 2b", key=lambda used: used["query"])


def without_nq_answer(questions: Sequence[Question]) -> list[Statistic]:
    """Share of the questions none of whose answers is the one of NQ-open (AmbigQA Table 9; full version)."""
    known = [question for question in questions if question.meta.get("nq_answer")]
    if not known:
        return []
    missing = [question for question in known if _answers(question).isdisjoint(_normal(question.meta["nq_answer"]))]
    share = 100 * len(missing) / len(known)
    return [
        Statistic(
            group="NQ-open answer",
            name="not among the answers",
            value=share,
            unit="%",
            n=len(known),
            source="AmbigQA Table 9",
        )
    ]


def _edits_of(question: Question) -> Iterator[str]:
    for annotation in question.annotations or (question.interpretations,):
        # A single reading was not edited: annotators rewrite a question only to tell several apart.
        for reading in annotation if len(annotation) > 1 else ():
            # Variants of a question are written with bars between them; the first is the one a reader sees.
            yield from word_edits(question.text, reading.question.split("|")[0])


def _words(asked: str) -> Counter[str]:
    words = (match.lower() for match in _WORD.findall(asked))
    return Counter(_group_digits(word) for word in words if word in WH_WORDS or word not in STOP_WORDS)


def _group_digits(word: str) -> str:
    return f"{len(word)}-digit number" if word.isdecimal() else word


def _kind(edit: str) -> str:
    sign, word = "added" if edit[0] == "+" else "deleted", edit[1:]
    if word.endswith("-digit number"):
        return f"number {sign}"
    return f"wh-word {sign}" if word in WH_WORDS else f"other word {sign}"


def _how_many(
    questions: Sequence[Question], field: str, group: str, source: str, key: Callable[[Any], str]
) -> list[Statistic]:
    counts = [len({key(item) for item in question.meta[field]}) for question in questions if field in question.meta]
    if not counts:
        return []
    # From 0 where some annotator needed none; else the first bar would stand empty.
    shares = _shares(counts, range(min(1, *counts), 5), group, source)
    return [
        *shares,
        Statistic(group=group, name="per question", value=fmean(counts), unit="", n=len(counts), source=source),
    ]


def _shares(counts: Sequence[int], kinds: Iterable[int], group: str, source: str) -> list[Statistic]:
    """Share of each count; the last is `4+`."""
    found = Counter(min(count, 4) for count in counts)
    names = [(f"{kind}{'+' if kind == 4 else ''}", found[kind]) for kind in kinds]
    return [
        Statistic(group=group, name=name, value=100 * count / len(counts), unit="%", n=len(counts), source=source)
        for name, count in names
    ]


def _answers(question: Question) -> set[str]:
    sets: Iterable[tuple[Interpretation, ...]] = question.annotations or (question.interpretations,)
    return _normal(answer for annotation in sets for reading in annotation for answer in reading.answers)


def _normal(answers: Iterable[str]) -> set[str]:
    return {normalize_answer(answer) for answer in answers}
