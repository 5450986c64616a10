"""The pronoun of a question that stands for something said before, and what was meant in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from expound.clarify.subjects import ASKING, HELPERS, SPEAKERS, WORD, AskedBefore, person_of, thing_of
from expound.text.words import STOP_WORDS

_PRONOUN = re.compile(r"\b(he|she|it|they|him|her|them|his|its|their)\b", re.IGNORECASE)
_WORD_OR_COMMA = re.compile(rf"{WORD.pattern}|,")
_POINTING = re.compile(r"\b(?:this|that|these|those)\b(?: ([\w'’-]+))?", re.IGNORECASE)
_OF_PEOPLE = frozenset("he she him her his".split())
_POSSESSIVE = frozenset("his its their".split())
_SUBJECTS = frozenset("he she they".split())
# Behind one of these, or a comma, a pronoun may mean what the same question said in front of it: "How do I open a file
# to edit it?", "Who built the tower, and when was it painted?"
_CLAUSE = frozenset(
    """
    , after and because before but by for how if or since that then to unless until when where whether which while who
    why with without
    """.split()
)
# "How long does it take to cross", "is it true that": the word stands for nothing. Without more behind it, it does:
# "How long does it take?"
_EMPTY_IT = re.compile(
    r"\bit (?:takes?|took|mean|true|possible|necessary|legal|safe|better|worth|that)\b", re.IGNORECASE
)
_NEVER_MEANT = re.compile(r"\bit (?:rains?|snows?)\b|\bwhat (?:time|day|year) is it\b", re.IGNORECASE)
_ARTICLES = frozenset("the a an".split())
# Behind "this" a verb says that no noun comes: "How does this work?"
_VERBS = frozenset("apply change cost happen help include matter mean take work".split())


def replace_pronoun(question: str, asked: AskedBefore) -> str:
    """The question with what was meant in place of its pronoun; as it is where it stands by itself."""
    found = _lone_pronoun(question)
    if not found:
        return _replace_pointing(question, asked)
    once = _say_subject(question, found, asked)
    another = _lone_pronoun(once) if once != question else None
    # "When did she count them?": one of each kind. Two of a kind are two people, and only one of them is known.
    return _say_subject(once, another, asked) if another and _is_person(another) != _is_person(found) else once


def _say_subject(question: str, found: re.Match[str], asked: AskedBefore) -> str:
    subject = person_of(asked) if _is_person(found) else thing_of(asked)
    if not subject:
        return question
    return _put(question, found, f"{subject}’s" if _is_possessive(question, found) else subject)


def _is_person(found: re.Match[str]) -> bool:
    return found.group().lower() in _OF_PEOPLE


def _lone_pronoun(question: str) -> re.Match[str] | None:
    """The pronoun of a question that has nothing else it could stand for."""
    found = _PRONOUN.search(question)
    if not found or _is_empty(question, found):
        return None
    before = _WORD_OR_COMMA.findall(question[: found.start()])
    if _speaks_of_itself(before):
        return None
    # "How tall is it": the subject of the verb, so that nothing in front can be.
    if before and before[-1].lower() in HELPERS:
        return found
    is_owner = _is_possessive(question, found) or found.group().lower() in _SUBJECTS
    # "Why do cats lick their paws?" means the cats; "Why do cats lick them?" cannot.
    return None if is_owner and _nouns(before) else found


def _speaks_of_itself(before: Sequence[str]) -> bool:
    """Whether a pronoun stands in a second clause, behind one that has something it could mean."""
    # Directly in front of a pronoun such a word opens no clause: "What happened to it?"
    return any(word.lower() in _CLAUSE and _nouns(before[:place]) for place, word in enumerate(before[:-1]))


def _is_empty(question: str, found: re.Match[str]) -> bool:
    """Whether "it" stands for nothing."""
    empty = _EMPTY_IT.search(question, found.start())
    # With more to come it only holds the place: "Is it safe to swim?"
    goes_on = bool(empty and WORD.search(question, empty.end()))
    return goes_on or bool(_NEVER_MEANT.search(question))


def _nouns(before: Sequence[str]) -> list[str]:
    """Names and content words in front of a pronoun that may be what it means: no adjectives, no verbs."""
    lower = [word.lower() for word in before]
    found: list[str] = []
    for place, word in enumerate(before):
        is_small = lower[place] in STOP_WORDS or lower[place] in SPEAKERS
        previous = lower[place - 1] if place else ""
        # "How tall", "Who built", "do I install": what is asked for, or done.
        is_verb = previous in ASKING or previous in SPEAKERS or previous == "to"
        if place and word != "," and not is_small and (word[0].isupper() or not is_verb):
            found.append(word)
    return found


def _is_possessive(question: str, found: re.Match[str]) -> bool:
    """ "Her" is both: in front of a noun it says whose, at the end or in front of a small word whom."""
    word = found.group().lower()
    after = WORD.findall(question[found.end() :])
    return word in _POSSESSIVE or (word == "her" and bool(after) and after[0].lower() not in STOP_WORDS)


def _replace_pointing(question: str, asked: AskedBefore) -> str:
    """ "This ferry" and "that" after a question about the ferry to Marrow Island."""
    thing = thing_of(asked)
    for found in _POINTING.finditer(question) if thing else ():
        after = (found[1] or "").lower()
        if after not in STOP_WORDS and after in thing.lower().split():
            return _put(question, found, thing)
        before = WORD.findall(question[: found.start()].lower())
        # "Can that be changed": a pronoun. "The ferry that sails": it joins. "Is this the way": it points ahead.
        is_alone = not after or (after in STOP_WORDS and after not in _ARTICLES) or after in _VERBS
        is_placed = not before or before[-1] in HELPERS or (len(before) == 2 and before[0] in ASKING)
        if is_alone and is_placed:
            return _put(question, found, f"{thing} {found[1]}" if found[1] else thing)
    return question


def _put(question: str, found: re.Match[str], said: str) -> str:
    # A question may begin with its pronoun: "Its height?"
    said = said[:1].upper() + said[1:] if not found.start() else said
    return question[: found.start()] + said + question[found.end() :]
