"""What the papers tabulate about questions and answers: lengths, first words, answers per question."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from expound.types import Question

QUESTION_WORDS = ("why", "how", "what", "when", "where", "who", "which")
"""The columns of ELI5's Table 1; every other first word is `other`."""

LENGTH_BOUNDS = (10, 25, 50, 100, 200, 400)
"""The longest answers, in words, of the bars of the histogram."""

# Posts on r/explainlikeimfive begin with the name of the forum, which is no word of the question.
_FORUM = re.compile(r"\W*eli5\b\W*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number about a dataset: `group` and `name` say what, `n` over how many, `source` where a paper has it."""

    group: str
    name: str
    value: float
    unit: str
    n: int
    source: str = ""


def lengths(questions: Sequence[Question]) -> list[Statistic]:
    """Mean length in whitespace-separated words (ELI5 Table 1; ASQA Table 2, "#words in A")."""
    evidence = [[passage.text for passage in question.evidence] for question in questions if question.evidence]
    parts = (
        ("question", [question.text for question in questions], "ELI5 Table 1"),
        ("answer", [answer for question in questions for answer in question.references], "ELI5 Table 1, ASQA Table 2"),
        ("short answer", [answer for question in questions for answer in short_answers(question)], "ASQA Table 2"),
        ("evidence of a question", [" ".join(texts) for texts in evidence], "ELI5 Table 1"),
    )
    return [
        Statistic(
            group="length",
            name=name,
            value=fmean(len(text.split()) for text in texts),
            unit="words",
            n=len(texts),
            source=source,
        )
        for name, texts, source in parts
        if texts
    ]


def short_answers(question: Question) -> list[str]:
    """The first alias of every reading's answer; none where the references are these aliases."""
    # Else the same words would be told twice, as answers and as short answers.
    if has_short_references(question):
        return []
    return [reading.answers[0] for reading in question.interpretations if reading.answers]


def has_short_references(question: Question) -> bool:
    """Whether the references are the aliases of short answers (NQ-open), not answers of their own."""
    aliases = {answer for reading in question.interpretations for answer in reading.answers}
    return bool(question.references) and aliases >= set(question.references)


def answers_per_question(questions: Sequence[Question]) -> list[Statistic]:
    """Mean number of reference answers (ASQA Table 2, "#A per Q"; Table 1, "# annotations")."""
    counts = [len(question.references) for question in questions]
    if not any(counts):
        return []
    return [
        Statistic(
            group="answers",
            name="per question",
            value=fmean(counts),
            unit="",
            n=len(counts),
            source="ASQA Tables 1 and 2",
        )
    ]


def first_words(questions: Sequence[Question]) -> list[Statistic]:
    """Share of the questions by their first word (ELI5 Figure 2 and Table 1)."""
    counts = Counter(first_word(question.text) for question in questions)
    named = [*QUESTION_WORDS, "other"]
    other = len(questions) - sum(counts[word] for word in QUESTION_WORDS)
    values = [*(counts[word] for word in QUESTION_WORDS), other]
    return [
        Statistic(
            group="first word",
            name=word,
            value=100 * value / len(questions),
            unit="%",
            n=len(questions),
            source="ELI5 Figure 2, Table 1",
        )
        for word, value in zip(named, values, strict=True)
    ]


def first_word(asked: str) -> str:
    """The first word in small letters, the forum's name left out; of `what's` it is `what`.

    >>> first_word("[ELI5] What's a black hole?")
    'what'
    """
    match = _WORD.search(asked, _after_forum(asked))
    return re.split("['’]", match[0].lower())[0] if match else ""


def answer_lengths(questions: Sequence[Question]) -> list[Statistic]:
    """The histogram of answer lengths: share of the reference answers with so many words."""
    counted = [len(answer.split()) for question in questions for answer in question.references]
    bars = Counter(_bar(count) for count in counted)
    names = [_bar(bound) for bound in (*LENGTH_BOUNDS, LENGTH_BOUNDS[-1] + 1)] if counted else []
    return [
        Statistic(
            group="words in an answer", name=name, value=100 * bars[name] / len(counted), unit="%", n=len(counted)
        )
        for name in names
    ]


def _bar(count: int) -> str:
    place = bisect_left(LENGTH_BOUNDS, count)
    if place == len(LENGTH_BOUNDS):
        return f"over {LENGTH_BOUNDS[-1]}"
    return f"{LENGTH_BOUNDS[place - 1] + 1 if place else 0} to {LENGTH_BOUNDS[place]}"


def _after_forum(asked: str) -> int:
    match = _FORUM.match(asked)
    return match.end() if match else 0
