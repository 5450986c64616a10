"""Where an ambiguity comes from: the types of Min et al. (2020, Table 1), by what sets the readings apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from expound.text.answer_types import DATE
from expound.text.words import content_stems
from expound.types import Interpretation

Kind: TypeAlias = Literal["event", "property", "entity", "answer type", "time", "sub-questions"]
OPENINGS: dict[Kind, str] = {
    "event": "There is more than one such event, and the answer depends on which is meant.",
    "property": "The answer depends on what exactly is asked for.",
    "entity": "The question fits more than one thing, and the answer depends on which is meant.",
    "answer type": "The question can be answered in more than one way.",
    "time": "The answer depends on the time.",
    "sub-questions": "The question asks for more than one thing.",
}
_EVENT = re.compile(
    r"\b(?:season|series|episode|game|games|cup|final|finals|election|war|battle|edition|tour|championship|bowl|"
    r"\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:new|newest|latest|last|next|current|currently|now|recent|recently|this year|today)\b", re.IGNORECASE
)
# Questions are often typed in small letters, so the commonest names are listed.
_LASTING = re.compile(
    r"\b(?:New|Last|Next) [A-Z]\w+|(?i:\bnew (?:york|zealand|england|jersey|mexico|orleans|delhi|hampshire|guinea|"
    r"haven|south wales|testament|deal|world|age|wave)\b|\blast (?:names?|words?|supper|of the)\b|"
    r"^how long\b.*\blast\b|\bnext (?:to|door)\b|\b(?:electric|electrical|alternating|direct|ocean) current\b)"
)
_WORD = re.compile(r"[\w'’-]+")


def is_time_dependent(question: str) -> bool:
    """Whether the right answer changes with time. "New York" and "last name" do not.

    >>> is_time_dependent("When does the new season start?"), is_time_dependent("Who founded New York?")
    (True, False)
    """
    return bool(_NOW.search(_LASTING.sub("", question)))


def kind_of(question: str, readings: Sequence[Interpretation]) -> Kind:
    """The type of ambiguity, by what the rewritten questions add and what their answers look like.

    >>> kind_of("When did it open?", [Interpretation("When did it open in Rome?", ("1960",)),
    ...                               Interpretation("When did it open in Oslo?", ("1961",))])
    'entity'
    """
    added = [_find_added(question, reading.question) for reading in readings]
    # In the order of how surely the type can be told: a word that is gone is clearer than one that was added.
    if re.search(r"\b\w+ and \w+\b", question) and any(_is_shortened(question, reading) for reading in readings):
        return "sub-questions"
    if is_time_dependent(question):
        return "time"
    # Before names: "the 2010 World Cup" has a capital, and is an event.
    if any(_EVENT.search(text) for text in added):
        return "event"
    # "The Lion King (1994 film)": a title, not a time.
    if any("(" in reading.question for reading in readings) and "(" not in question:
        return "entity"
    # All of them: one reading with a date may still be another thing.
    if all(DATE.search(text) for text in added):
        return "time"
    if any(word[0].isupper() for text in added for word in text.split()):
        return "entity"
    return "answer type" if len({_form(reading.answers[0]) for reading in readings}) > 1 else "property"


def adds_time(question: str, text: str) -> bool:
    """Whether a rewritten question adds a year or a date.

    >>> adds_time("Who won?", "Who won in 1960?"), adds_time("Who won?", "Who won the cup?")
    (True, False)
    """
    return DATE.search(_find_added(question, text)) is not None


def _find_added(question: str, text: str) -> str:
    """The words of a rewrite that the question has not."""
    asked = {word.lower() for word in _WORD.findall(question)}
    return " ".join(word for word in _WORD.findall(text) if word.lower() not in asked)


def _is_shortened(question: str, reading: Interpretation) -> bool:
    """Whether the rewrite only leaves words out."""
    before, after = set(content_stems(question)), set(content_stems(reading.question))
    return after < before


def _form(answer: str) -> str:
    """What an answer looks like: a date, a number or words."""
    if DATE.search(answer):
        return "date"
    return "number" if re.search(r"\d", answer) else "words"
