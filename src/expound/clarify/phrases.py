"""Ways to make a question ask for one answer only: phrases that the answer's own sentence and page offer.

What people add when they tell readings apart is most often a year, then the kind of work ("in the 1994 film"), a place or
the name of the page (AmbigNQ's training questions). Every phrase here stands in the evidence, whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from expound.clarify.candidates import Candidate
from expound.text.answer_types import DATE, expected_type, names
from expound.text.normal import normalize_answer

_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
_NUMBERED = re.compile(
    r"\b(?:[Ss]eason|[Ee]pisode|[Pp]art|[Vv]olume|[Cc]hapter) "
    r"(?:\d+|[IVX]+\b|one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|final|original|\d+(?:st|nd|rd|th)) "
    r"(?:season|series|film|movie|episode|version|game|book|album)\b"
)
_BEFORE_NAME = re.compile(r"\b(in|at|for|on|under|during) ((?:[Tt]he )?)(?=[A-Z])")
_WORK = re.compile(
    r"(?:film|series|album|song|novel|book|game|musical|show|season|band|movie|play|opera|soundtrack)$", re.IGNORECASE
)
_QUALIFIED = re.compile(r"(.+?) \((.+)\)")
_POSSESSIVE = re.compile(r"['’]s?$")
# Characters beyond which a phrase says nothing of the answer any more: about a clause.
_FAR = 120


@dataclass(frozen=True, slots=True)
class Phrase:
    """A question with a phrase added, and what speaks for it."""

    question: str
    way: str
    added: frozenset[str]
    """The words that the question did not have."""
    nearness: float
    """Of the phrase to the answer in their sentence, 0 to 1; 1 for what the title says."""


def phrases_for(question: str, candidate: Candidate) -> list[Phrase]:
    """Every way to add something of a candidate's sentence or title to the question, none of which says the answer."""
    found: dict[str, Phrase] = {}
    asked = set(normalize_answer(question).split())
    answer = set(normalize_answer(candidate.answer).split())
    for way, said, text, place in _proposed(question, candidate):
        added = set(normalize_answer(said).split()) - asked
        if added and not added & answer:
            phrase = Phrase(text, way, frozenset(added), _nearness(candidate, place))
            found.setdefault(normalize_answer(text), phrase)
    return list(found.values())


def signs_of_phrase(question: str, phrase: Phrase, *, is_shared: bool) -> dict[str, float]:
    """What speaks for a phrase, as numbers by name."""
    kind = expected_type(question)
    family = "name" if phrase.way.startswith("name after") else _FAMILIES.get(phrase.way, phrase.way)
    return {
        phrase.way: 1.0,
        f"{family}, {kind} asked for": 1.0,
        f"{family}, nearness": phrase.nearness,
        "said of another reading too": float(is_shared),
    }


_FAMILIES = {
    "year": "time",
    "date": "time",
    "title's year": "time",
    "page": "title",
    "other page": "title",
    "qualifier": "kind",
    "kind of work": "kind",
    "numbered part": "part",
    "ordinal": "part",
}

_Proposed = tuple[str, str, str, int]
"""A way, what it says, the question with it, and where it stands in the sentence, -1 for the title."""


def _proposed(question: str, candidate: Candidate) -> Iterator[_Proposed]:
    yield from _of_title(question, candidate.passage.title)
    sentence = candidate.sentence.text
    for match in _YEAR.finditer(sentence):
        yield "year", match.group(), _with(question, f"in {match.group()}"), match.start()
    for match in DATE.finditer(sentence):
        if " " in match.group():
            yield "date", match.group(), _with(question, f"on {match.group()}"), match.start()
    for match in _NUMBERED.finditer(sentence):
        yield "numbered part", match.group(), _with(question, f"in {match.group().lower()}"), match.start()
    for match in _ORDINAL.finditer(sentence):
        yield "ordinal", match.group(), _with(question, f"in the {match.group()}"), match.start()
    yield from _names_after_prepositions(question, sentence)


def _of_title(question: str, title: str) -> Iterator[_Proposed]:
    """The title's qualifier, its year, or the whole of it where the question has another name."""
    qualified = _QUALIFIED.fullmatch(title)
    name, qualifier = qualified.groups() if qualified else (title, "")
    found = re.search(rf"\b{re.escape(name)}\b(?! \()", question, re.IGNORECASE) if name else None
    if qualifier and found:
        yield "qualifier", qualifier, question[: found.start()] + title + question[found.end() :], -1
        head, shown = question[: found.start()], question[found.start() : found.end()]
        # "in the 1994 film The Lion King": not where an article or a word of the name's own stands before it.
        if _WORK.search(qualifier) and not re.search(r"\b(?:the|a|an) $", head, re.IGNORECASE):
            yield "kind of work", qualifier, f"{head}the {qualifier} {shown}{question[found.end() :]}", -1
    year = _YEAR.search(title)
    if year:
        yield "title's year", year.group(), _with(question, f"in {year.group()}"), -1
    said, asked = normalize_answer(name).split(), set(normalize_answer(question).split())
    if said and not set(said) <= asked and not title.startswith("List of "):
        yield "page" if set(said) & asked else "other page", name, _with(question, f"({name})"), -1


def _names_after_prepositions(question: str, sentence: str) -> Iterator[_Proposed]:
    for match in _BEFORE_NAME.finditer(sentence):
        rest = sentence[match.end() :]
        found = names(f"x {rest}")
        if found and rest.startswith(found[0]):
            name = _POSSESSIVE.sub("", found[0])
            preposition, article = match.group(1), match.group(2).lower()
            yield f"name after {preposition}", name, _with(question, f"{preposition} {article}{name}"), match.start()


def _nearness(candidate: Candidate, place: int) -> float:
    if place < 0:
        return 1.0
    answer = max(candidate.sentence.text.find(candidate.answer), 0)
    return 1 - min(1.0, abs(place - answer) / _FAR)


def _with(question: str, addition: str) -> str:
    return f"{question.rstrip(' ?')} {addition}?"
