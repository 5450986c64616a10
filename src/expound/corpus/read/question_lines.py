"""Questions and answers in plain text, marked by `Q:` and `A:`: the question is the heading of its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from expound.corpus.read.unwrap import unwrap

_NUMBER = r"(?:[ .]?\d{1,3}(?:\.\d{1,3})*)?"
_QUESTION = re.compile(rf"\s{{0,8}}(?:Q|Question){_NUMBER}[.:)][ \t]+(?=\S)")
_ANSWER = re.compile(rf"\s{{0,8}}(?:A|Answer){_NUMBER}[.:)](?:[ \t]+|$)")
_LONGEST_QUESTION = 250
"""Characters; a longer question is a letter, and no heading."""


def split_question(chunk: Sequence[str], following: str) -> tuple[str, list[str]]:
    """The question that lines open with, without its mark, and the lines of its answer; "" if they ask nothing.

    The line that follows the chunk tells whether the answer stands there.
    """
    if not _QUESTION.match(chunk[0]):
        return "", list(chunk)
    end = _question_end(chunk, following)
    question = " ".join(unwrap([_QUESTION.sub("", chunk[0]), *chunk[1:end]]))
    if not end or len(question) > _LONGEST_QUESTION:
        return "", list(chunk)
    return question, list(chunk[end:])


def _question_end(chunk: Sequence[str], following: str) -> int:
    """How many lines the question takes: up to its answer or its question mark; 0 if it has neither."""
    for number, line in enumerate(chunk):
        if number and _ANSWER.match(line):
            return number
        if line.rstrip(" \t!").endswith("?"):
            return number + 1
    return len(chunk) if _ANSWER.match(following) else 0


def without_answer_mark(chunk: Sequence[str]) -> list[str]:
    """The lines of an answer; its mark gives way to spaces, so that they stay aligned."""
    mark = _ANSWER.match(chunk[0]) if chunk else None
    if mark is None:
        return list(chunk)
    first = " " * mark.end() + chunk[0][mark.end() :]
    return [first, *chunk[1:]] if first.strip() else list(chunk[1:])


def split_pairs(chunks: Iterable[list[str]]) -> Iterator[list[str]]:
    """Chunks of lines; one with several questions and their answers is cut before each question, and before each
    further answer to one."""
    for chunk in chunks:
        answers = [number for number, line in enumerate(chunk) if _ANSWER.match(line)]
        asked = [number for number, line in enumerate(chunk) if number and answers and _QUESTION.match(line)]
        # The first answer stays with its question, which ends where it begins.
        further = answers if answers[:1] == [0] else [number for number in answers if _has_answer(chunk, number)]
        starts = sorted({*asked, *further} - {0})
        yield from (chunk[start:end] for start, end in pairwise([0, *starts, len(chunk)]))


def _has_answer(chunk: Sequence[str], number: int) -> bool:
    """Whether the question that stands last above a line has an answer already."""
    above = (line for line in reversed(chunk[:number]) if _ANSWER.match(line) or _QUESTION.match(line))
    return _ANSWER.match(next(above, "")) is not None


def asks(line: str) -> bool:
    """Whether a line is marked as a question."""
    return _QUESTION.match(line) is not None
