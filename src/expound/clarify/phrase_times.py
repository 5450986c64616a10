"""Times that a sentence or a title offers to tell readings apart: years, dates, spans, seasons, "as of 2017"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from expound.text.answer_types import DATE, MONTH

# Of four digits: shorter numbers in a sentence are mostly no years.
YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
# What a year does not tell apart: when the person was born who is spoken of.
_LIFE = re.compile(rf"\([^()]*(?:\bborn\b|{MONTH}[^()–-]*[–-][^()]*{MONTH})[^()]*\)")
_DATED = re.compile(
    r"\b(?:([Uu]ntil|[Aa]fter|[Ff]rom|[Ss]ince|[Bb]efore|[Oo]n|[Bb]y|[Bb]etween|[Dd]uring|[Aa]s of) )?"
    rf"({DATE.pattern})"
)
_LASTING = re.compile(rf"\b(?:[Uu]ntil|[Ss]ince|[Bb]efore|[Aa]fter|[Aa]s of) (?:{YEAR.pattern[2:-2]})\b")
_BETWEEN = re.compile(rf"\b[Ff]rom (?:{YEAR.pattern[2:-2]}) (?:to|until|through) (?:{YEAR.pattern[2:-2]})\b")
_SEASON = re.compile(r"\b(\d{4}(?:[–-]\d{2,4})?)(?: [A-Z][\w.]*){0,4} season\b")
_ASKED_YEAR = re.compile(rf"\bin ({YEAR.pattern[2:-2]})$")
# What a time takes the place of: "who won the cup this year" is "who won the cup in 2017".
_NOW = re.compile(
    r",? (?:(?:in )?(?:this|last|the (?:current|last|past)) (?:year|season)|right now|currently|now|today)(?=\W*$)"
)
_PAST = {
    "is": "was", "are": "were", "does": "did", "do": "did", "has": "had", "plays": "played", "sings": "sang",
    "holds": "held", "wins": "won", "hosts": "hosted", "owns": "owned", "makes": "made", "runs": "ran",
    "voices": "voiced", "leads": "led", "writes": "wrote",
}  # fmt: skip
# The first verb, which stands behind the question word and what it asks for: "how many career sacks does".
_PRESENT = re.compile(rf"^((?:[\w'’]+ ){{1,4}}?)({'|'.join(_PAST)})\b", re.IGNORECASE)


def iter_times(sentence: str) -> Iterator[tuple[str, str, str, int]]:
    """The ways to say when: the name of the way, the words that count, the phrase, and where it stands."""
    shown = _LIFE.sub(lambda found: " " * len(found.group()), sentence)
    # What people add most: three in ten of AmbigNQ's rewritten questions have a year more.
    for match in YEAR.finditer(shown):
        yield "year", match.group(), f"in {match.group()}", match.start()
    for match in _DATED.finditer(shown):
        # A summer is longer than what it would tell apart, and a year alone was given above.
        if re.search(MONTH, match.group(2)) and " " in match.group(2):
            said = f"{(match.group(1) or _preposition(match.group(2))).lower()} {match.group(2)}"
            yield "date", match.group(2), said, match.start()
    for match in _LASTING.finditer(shown):
        yield "lasting", match.group(), match.group().lower(), match.start()
    for match in _BETWEEN.finditer(shown):
        yield "span of years", match.group(), match.group().lower(), match.start()
    for match in _SEASON.finditer(shown):
        yield "season", f"{match.group(1)} season", f"in the {match.group(1)} season", match.start()


def _preposition(date: str) -> str:
    """What stands before a day or a month.

    >>> _preposition("2 August 1830"), _preposition("August 1830")
    ('on', 'in')
    """
    return "on" if re.search(r"\b\d{1,2}(?:st|nd|rd|th)?\b", date) else "in"


def add_time(question: str, said: str) -> str:
    """A question, without its mark, with a time; one that asks of the time's year, or of now, has it in that place.

    >>> add_time("Who ruled in 1830", "on 2 August")
    'Who ruled on 2 August 1830'
    >>> add_time("Who sings it", "in 1973")
    'Who sang it in 1973'
    """
    asked = _ASKED_YEAR.search(question)
    if asked is None:
        return f"{in_the_past(without_now(question))} {said}"
    head, asked_year, year = question[: asked.start()], asked.group(1), YEAR.search(said)
    if year:
        return f"{head}{said}" if year.group() == asked_year else f"{question} {said}"
    # "On August 2, 1830" and "on 2 August 1830".
    return f"{head}{said}{',' if said[-1].isdigit() else ''} {asked_year}"


def without_now(question: str) -> str:
    """The question without "this year" or "currently" at its end, which a year takes the place of."""
    return _NOW.sub("", question)


def in_the_past(question: str) -> str:
    """The question with its verb in the past: what is asked of a year is over. Only verbs that many questions have.

    >>> in_the_past("How many sacks does he have")
    'How many sacks did he have'
    """
    return _PRESENT.sub(lambda found: found.group(1) + _PAST[found.group(2).lower()], question, count=1)
