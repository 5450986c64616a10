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
_WINNER_ASKED = re.compile(r"\b(?:won|wins?|winners?|champions?)\b", re.IGNORECASE)
_LOSER_ASKED = re.compile(r"\b(?:against|beaten|defeated|lose|loses|lost|over|runners?)\b", re.IGNORECASE)
# "Defeated the Ravens", "a victory over Ann Lee"; "defeated by" is the other side.
_BEATEN = re.compile(
    r"\b(?:against|beat|beating|beats|defeat(?:s|ed|ing)?|downed|downing|edged|edging|over)"
    r" (?:(?!by\b)[\w'’-]+ ){0,2}$",
    re.IGNORECASE,
)
_DOER = re.compile(r"whom? (?:did|does|do) (.+)", re.IGNORECASE)
_LISTED = re.compile(
    r"(?:what|which|who|name)(?: are| were)?(?: the)? (?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|1\d) ",
    re.IGNORECASE,
)
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


def is_beaten(question: str, sentence: str, answer: str) -> bool:
    """Whether a sentence names an answer as who lost, where the winner is asked for.

    >>> is_beaten("Who won the cup?", "Rome beat the Oslo Owls in the final.", "Oslo Owls")
    True
    >>> is_beaten("Who won the cup?", "Rome beat the Oslo Owls in the final.", "Rome")
    False
    """
    place = sentence.find(answer)
    if place < 0 or not _WINNER_ASKED.search(question) or _LOSER_ASKED.search(question):
        return False
    return _BEATEN.search(sentence[:place]) is not None


def names_the_doer(question: str, answer: str) -> bool:
    """Whether an answer has the name of who did what somebody else is asked for.

    >>> names_the_doer("Who did Marrow beat?", "the Marrow Owls"), names_the_doer("Who did Marrow beat?", "Oslo")
    (True, False)
    """
    asked = _DOER.match(question)
    # The first word of the name is enough: 3 of AmbigNQ's 294 training questions of this form have an answer with it.
    doer = content_stems(asked.group(1))[:1] if asked else []
    return bool(doer) and doer[0] in content_stems(answer)


def asks_for_a_list(question: str) -> bool:
    """Whether a question is for several things at once: each of them is a part of its answer, not a reading.

    >>> asks_for_a_list("What two seas meet here?"), asks_for_a_list("Who won the two games?")
    (True, False)
    """
    return _LISTED.match(question) is not None


def is_where_it_lies(place: str, other: str, text: str) -> bool:
    """Whether a text names one of two places as where the other one lies: "Oslo, Norway" is one place.

    >>> is_where_it_lies("Norway", "Oslo", "It is played in Oslo, Norway.")
    True
    """
    return any(f"{inner}, {outer}" in text for inner, outer in ((place, other), (other, place)))


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
    return {int(word) for word in in_figures(text) if word.isdecimal()}


def in_figures(text: str) -> list[str]:
    """The words of a text in small letters, numbers in figures: "2", "2nd", "two" and "second" are the same.

    >>> in_figures("Season eight"), in_figures("the 8th season")
    (['season', '8'], ['the', '8', 'season'])
    """
    return [_in_figures(word) for word in _WORD.findall(text.lower())]


def _in_figures(word: str) -> str:
    figures = _FIGURES.fullmatch(word)
    return str(int(figures.group(1))) if figures else str(_COUNTED.get(word, word))


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
