"""What a question is about: the words that the next question may leave out, or say a pronoun for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from expound.text.answer_types import is_person_like, names
from expound.text.sentences import split_sentences
from expound.text.words import STOP_WORDS

HELPERS = frozenset("is was are were did does do can could will would has have had may might must should".split())
ASKING = frozenset("who what which where when why how whom whose".split())
SPEAKERS = frozenset("i you we one".split())
"""Those who ask: "How do I install it" is about what is installed."""
WORD = re.compile(r"[\w'’-]+")

_DETERMINERS = frozenset("the a an this that these those most some all many".split())
# "What is the height of the tower?" asks about the tower: what follows will be about it too, and not about its height.
_SIDES = """
age author capital cause color colour cost date definition depth difference function height history length maximum
meaning minimum name number origin population price purpose role size speed syntax temperature type use value weight
width year
"""
_SIDE = re.compile(rf"the (?:\w+ )?(?:{'|'.join(_SIDES.split())})s? (?:of|between|for) (?=\S)", re.IGNORECASE)
_MOST_WORDS = 8  # a subject that is longer would drown the question that it is put into
_MOST_NAME_WORDS = 5  # of a person or a thing; what is longer is a clause


@dataclass(frozen=True, slots=True)
class AskedBefore:
    """A question that was asked before, with what is known of its answer."""

    question: str
    passages: Sequence[str] = ()
    direct: str = ""
    """The answer in a word or two, where there is one."""
    said: str = ""
    """The answer's text."""


def thing_of(asked: AskedBefore) -> str:
    """What `it` and `they` mean: the subject of the question, else its answer."""
    subject = subject_of(asked.question, asked.passages)
    return _SIDE.sub("", subject, count=1) or _name_in(asked.direct)


def person_of(asked: AskedBefore) -> str:
    """Whom `he` and `she` mean: the person that was asked for, or the one that the question or its answer names."""
    is_who = bool({"who", "whom"} & {word.lower() for word in WORD.findall(asked.question)})
    if is_who and (found := _name_in(asked.direct)):
        return found
    subject = subject_of(asked.question, asked.passages)
    # "Where was Ada Fenwick born?" names her; "the lighthouse" is nobody, and "the keeper" may be.
    is_thing = not subject or subject.split()[0].lower() in _DETERMINERS
    return (_person_named(asked) if is_who or is_thing else "") or subject


def subject_of(question: str, passages: Sequence[str] = ()) -> str:
    """What a question is about: a stretch of it that the passages have, else its phrase with a name, else nothing."""
    stretches = list(_stretches(question))
    # Words that the answer's passages have together belong together: grammar alone cannot tell where a subject ends.
    known = [one for one in stretches if any(_holds(passage, one.text) for passage in passages)]
    placed = [one for one in known if one.is_placed] or known
    # The first, and all of it: what comes later says when, where and with what.
    start = min((one.start for one in placed), default=0)
    whole = max((one.text for one in placed if one.start == start), key=len, default="")
    return whole or _phrase_of_names(question, [one.text for one in stretches])


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Words of a question that could be its subject; `is_placed` where something besides says so."""

    text: str
    start: int
    is_placed: bool


def _stretches(question: str) -> Iterator[_Stretch]:
    """Runs of words that could be a subject: from an article or a content word to a content word."""
    words = list(WORD.finditer(question))
    for start, first in enumerate(words):
        before, after = (words[place].group() if 0 <= place < len(words) else "" for place in (start - 1, start + 1))
        if not _opens(first.group(), before, after):
            continue
        follows_helper = before.lower() in HELPERS
        for last in words[start : start + _MOST_WORDS]:
            if last.group().lower() not in STOP_WORDS:
                text = question[first.start() : last.end()]
                is_named = start > 0 and any(word[0].isupper() for word in WORD.findall(text))
                is_placed = follows_helper or is_named or first.group().lower() in _DETERMINERS
                yield _Stretch(text, start, is_placed)


def _opens(word: str, before: str, after: str) -> bool:
    lower = word.lower()
    # "built the lighthouse", "do I install expound", "to install expound": a verb opens nothing, nor a word that asks.
    is_verb = after.lower() in _DETERMINERS or before.lower() in SPEAKERS or before.lower() == "to"
    return lower in _DETERMINERS or (lower not in STOP_WORDS and lower not in ASKING and not is_verb)


def _phrase_of_names(question: str, stretches: Sequence[str]) -> str:
    """The shortest stretch from an article to the last name; without an article, the first name itself."""
    said = names(question)
    if not said:
        return ""
    # The shortest: longer ones take verbs along.
    whole = [text for text in stretches if text.split()[0].lower() in _DETERMINERS and text.endswith(said[-1])]
    return min(whole, key=len, default=said[0])


def _name_in(direct: str) -> str:
    """A direct answer that is a name; a number, a date or a clause cannot be meant by a pronoun."""
    words = direct.split()
    is_name = 0 < len(words) <= _MOST_NAME_WORDS and words[0][0].isupper() and words[-1][0].isupper()
    return direct if is_name and not any(letter.isdigit() for letter in direct) else ""


def _person_named(asked: AskedBefore) -> str:
    """The only person whom the first sentence of an answer names, and the question does not."""
    first = next(iter(split_sentences(asked.said)), "")
    found = [name for name in names(first) if is_person_like(name) and name not in asked.question]
    # Not where it says of what place: "the lighthouse of Marrow Point", "born in Little Hollow".
    people = [name for name in found if not re.search(rf"\b(?:of|in|at|from|near|to) {re.escape(name)}", first)]
    return people[0] if len(people) == 1 else ""


def _holds(passage: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(text)}\b", passage, re.IGNORECASE) is not None
