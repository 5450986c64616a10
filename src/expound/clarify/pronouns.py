"""A question that follows another: where it has only a pronoun, the subject of the last question takes its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from expound.text.answer_types import names
from expound.text.words import STOP_WORDS
from expound.types import Prediction

_PRONOUN = re.compile(r"\b(he|she|it|they|him|her|them|his|its|their)\b", re.IGNORECASE)
_POSSESSIVE = frozenset(("his", "its", "their"))
_HELPERS = frozenset("is was are were did does do can could will would has have had may might must should".split())
_ASKING = frozenset("who what which where when why how whom".split())
_DETERMINERS = frozenset("the a an this that these those most some all many".split())
# "How long does it take", "is it true that": the word stands for nothing.
_EMPTY_IT = re.compile(
    r"\bit (?:takes?|took|rains?|snows?|mean|true|possible|necessary|legal|safe|better|worth)\b", re.IGNORECASE
)
_WORD = re.compile(r"[\w'’-]+")
_MOST_WORDS = 8  # a subject that is longer would drown the question that it is put into


def follow_up(question: str, before: str, passages: Sequence[str] = ()) -> str:
    """The question with the subject of the one before in place of its pronoun; as it is where it stands by itself.

    The subject is the longest stretch of the question before that the passages of its answer have, word for word.

    >>> follow_up("When was it built?", "Who designed the lighthouse of Marrow Point?")
    'When was the lighthouse of Marrow Point built?'
    """
    found = _lone_pronoun(question)
    subject = subject_of(before, passages) if found else ""
    if not found or not subject:
        return question
    said = f"{subject}’s" if _is_possessive(question, found) else subject
    # A question may begin with its pronoun: "Its height?"
    said = said[:1].upper() + said[1:] if not found.start() else said
    return question[: found.start()] + said + question[found.end() :]


def follow_prediction(question: str, last: Prediction) -> str:
    """The same after an answer: its evidence says which words of its question belong together."""
    return follow_up(question, last.question, [f"{one.passage.title}\n{one.passage.text}" for one in last.evidence])


def subject_of(question: str, passages: Sequence[str] = ()) -> str:
    """What a question is about: a stretch of it that the passages have, else its phrase with a name, else nothing."""
    stretches = list(_stretches(question))
    # Words that the answer's passages have together belong together: grammar alone cannot tell where a subject ends.
    known = [text for text in stretches if any(_holds(passage, text) for passage in passages)]
    return max(known, key=len, default="") or _phrase_of_names(question, stretches)


def _lone_pronoun(question: str) -> re.Match[str] | None:
    """The pronoun of a question that has nothing else it could stand for."""
    found = _PRONOUN.search(question)
    if not found or _EMPTY_IT.search(question):
        return None
    before = _WORD.findall(question[: found.start()])
    # A name or a noun in front is what the pronoun means: "Why do cats lick their paws?"
    if any(word[0].isupper() for word in before[1:]):
        return None
    content = [word for word in before if word.lower() not in STOP_WORDS]
    # "How tall is it", "Who built it": the subject of the verb is the pronoun, or the one who asks for a subject.
    is_subject = bool(before) and before[-1].lower() in _HELPERS
    is_object = len(before) == 2 and before[0].lower() in _ASKING
    return found if not content or is_subject or is_object else None


def _is_possessive(question: str, found: re.Match[str]) -> bool:
    """ "Her" is both: in front of a noun it says whose, at the end or in front of a small word whom."""
    word = found.group().lower()
    after = _WORD.findall(question[found.end() :])
    return word in _POSSESSIVE or (word == "her" and bool(after) and after[0].lower() not in STOP_WORDS)


def _stretches(question: str) -> Iterator[str]:
    """Runs of words that could be a subject: from an article or a content word to a content word."""
    words = list(_WORD.finditer(question))
    for start, first in enumerate(words):
        if not _opens(first.group(), words[start + 1].group() if start + 1 < len(words) else ""):
            continue
        for last in words[start : start + _MOST_WORDS]:
            if last.group().lower() not in STOP_WORDS:
                yield question[first.start() : last.end()]


def _opens(word: str, after: str) -> bool:
    lower = word.lower()
    # "built the lighthouse": the subject begins with its article, and a word that asks is none.
    is_verb = after.lower() in _DETERMINERS
    return lower in _DETERMINERS or (lower not in STOP_WORDS and lower not in _ASKING and not is_verb)


def _phrase_of_names(question: str, stretches: Sequence[str]) -> str:
    """The shortest stretch from an article to the last name; without an article, the first name itself."""
    said = names(question)
    if not said:
        return ""
    # The shortest: longer ones take verbs along.
    whole = [text for text in stretches if text.split()[0].lower() in _DETERMINERS and text.endswith(said[-1])]
    return min(whole, key=len, default=said[0])


def _holds(passage: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(text)}\b", passage, re.IGNORECASE) is not None
