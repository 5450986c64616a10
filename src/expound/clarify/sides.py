"""Sentences that say nearly what was asked, of somebody else: who is played, who comes second, another season."""

from __future__ import annotations

import re

from expound.text.words import content_stems

_ASKED = re.compile(r"who (?:also |else |first |originally )?([a-z]+)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
# "Who is …" and "Who did … marry?" ask for something else than the subject of an action.
_AUXILIARY = frozenset("am are can could did do does had has have is may might must should was were will would".split())
_SUPERLATIVE = re.compile(r"\b(?:most (\w+)|(\w{3,}est))\b", re.IGNORECASE)
_NO_SUPERLATIVE = frozenset(
    "arrest budapest chest conquest contest everest forest guest harvest honest interest invest midwest modest "
    "northwest priest protest quest request southwest west".split()
)
_FIGURES = re.compile(r"(\d{1,6})(?:st|nd|rd|th)?")
# "One" is left out: it is mostly no number.
_COUNTED = {
    word: number
    for words in (
        "two three four five six seven eight nine ten eleven twelve",
        "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    )
    for number, word in enumerate(words.split(), start=2)
}
_NEXT_TO = r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|\d+(?:nd|rd|th)|one of the)[ -]"


def is_runner_up(question: str, sentence: str) -> bool:
    """Whether a sentence is about what comes second or third, or is one of several, where the first is asked for.

    >>> is_runner_up("What is the largest lake?", "It is the second-largest lake of the country.")
    True
    >>> is_runner_up("What is the second largest lake?", "It is the second-largest lake of the country.")
    False
    """
    asked = _SUPERLATIVE.search(question)
    if asked is None or re.search(_NEXT_TO + re.escape(asked.group()), question, re.IGNORECASE):
        return False
    is_next = re.search(_NEXT_TO + re.escape(asked.group()), sentence, re.IGNORECASE) is not None
    # "The most populous of its state and the second most populous of the country": it may be both.
    return is_next and len(re.findall(re.escape(asked.group()), sentence, re.IGNORECASE)) == 1


def asks_for_the_most(question: str) -> bool:
    """Whether a question is for the one thing that has most of something.

    >>> asks_for_the_most("Who has the most wins?"), asks_for_the_most("Who won the contest?")
    (True, False)
    """
    found = (match.group().lower() for match in _SUPERLATIVE.finditer(question))
    return any(word not in _NO_SUPERLATIVE for word in found)


def is_of_another_number(question: str, text: str) -> bool:
    """Whether a text lacks a number that a question has: another season, series or year.

    >>> is_of_another_number("Who won the second series?", "Ann won series 8.")
    True
    >>> is_of_another_number("Who won the second series?", "Ann won series 2.")
    False
    """
    return not _numbers(question) <= _numbers(text)


def _numbers(text: str) -> set[int]:
    """The numbers of a text, in figures or in words: "2", "2nd", "two" and "second" are the same."""
    words = _WORD.findall(text.lower())
    figures = {int(found.group(1)) for word in words if (found := _FIGURES.fullmatch(word))}
    return figures | {_COUNTED[word] for word in words if word in _COUNTED}


def is_acted_on(question: str, sentence: str, answer: str) -> bool:
    """Whether a sentence names an answer behind the verb whose subject is asked for, and so somebody else.

    >>> is_acted_on("Who plays the boss?", "Ann plays the boss, Michael.", "Michael")
    True
    >>> is_acted_on("Who plays the boss?", "The boss is played by Ann.", "Ann")
    False
    """
    asked = _ASKED.match(question)
    place = sentence.find(answer)
    if asked is None or asked.group(1).lower() in _AUXILIARY or place < 0:
        return False
    verb = content_stems(asked.group(1))
    ends = [found.end() for found in _WORD.finditer(sentence) if verb and content_stems(found.group()) == verb]
    # "… by Ann": in the passive the subject comes last.
    return bool(ends) and max(ends) <= place and " by " not in sentence[max(ends) : place]
