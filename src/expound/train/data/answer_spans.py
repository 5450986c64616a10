"""Where short answers stand in a text, and what is left of the text without them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from expound.text.sentences import split_sentences
from expound.train.data.label_texts import contains_answer, normalise
from expound.train.data.squad_layout import Gold

# An answer such as "the" or "1" stands everywhere; eight places say as much as all.
_MOST_SPANS = 8


def find_answers(context: str, answers: Iterable[str]) -> tuple[Gold, ...]:
    """Every place of an answer in the context, as whole words whatever their case; the first eight."""
    found = {gold for answer in answers for gold in _places(context, answer)}
    return tuple(sorted(found, key=lambda gold: (gold.start, len(gold.text))))[:_MOST_SPANS]


def mentions(context: str, answers: Iterable[str]) -> bool:
    """Whether a word of an answer occurs in the context: it may then be answered in other words."""
    words = set(normalise(context).split())
    # Looser than `find_answers`: in doubt a context counts as answering.
    return any(word in words for answer in answers for word in normalise(answer).split())


def without_answers(context: str, answers: Sequence[str]) -> str:
    """The sentences of the context that hold no answer; nothing if all do, or none."""
    wanted = [normalise(answer) for answer in answers]
    sentences = split_sentences(context)
    rest = [sentence for sentence in sentences if not contains_answer(normalise(sentence), wanted)]
    return " ".join(rest) if len(rest) < len(sentences) else ""


def _places(context: str, answer: str) -> Iterable[Gold]:
    words = answer.split()
    if not words:
        return ()
    # Any white space between words: answers are written in one line, contexts may be wrapped.
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)"
    return (Gold(match.group(), match.start()) for match in re.finditer(pattern, context, re.IGNORECASE))
