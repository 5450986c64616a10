"""Ways to make a question ask for one answer only: phrases that the answer's own sentence and page offer.

What people add when they tell readings apart is most often a year, then the kind of work ("in the 1994 film"), a place
or the name of the page (AmbigNQ's training questions). Every phrase here stands in the evidence, whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from expound.clarify.candidates import Candidate
from expound.text.answer_types import DATE, expected_type, names
from expound.text.normal import normalize_answer
from expound.text.words import content_stems

# Of four digits: shorter numbers in a sentence are mostly no years.
_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
_NUMBERED = re.compile(
    r"\b(?:[Ss]eason|[Ee]pisode|[Pp]art|[Vv]olume|[Cc]hapter) "
    r"(?:\d+|[IVX]+\b|one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|final|original|\d+(?:st|nd|rd|th)) "
    r"(?:season|series|film|movie|episode|version|game|book|album)\b"
)
_BEFORE_NAME = re.compile(r"\b(?:([\w'’]+) )?(in|at|for|on|under|during) ((?:[Tt]he )?)(?=[A-Z])")
_WORK = re.compile(
    r"(?:film|series|album|song|novel|book|game|musical|show|season|band|movie|play|opera|soundtrack)$", re.IGNORECASE
)
_QUALIFIED = re.compile(r"(.+?) \((.+)\)")
_WITH_COMMA = re.compile(r"([^,()]+), ([^,()]+)")
_DATED = re.compile(
    rf"\b(?:([Uu]ntil|[Aa]fter|[Ff]rom|[Ss]ince|[Bb]efore|[Oo]n|[Bb]y|[Bb]etween|[Dd]uring) )?({DATE.pattern})"
)
_OPEN_END = re.compile(r"\b(?:in|on|at|of|to|from|for|with|by|about)$", re.IGNORECASE)
_WORD = re.compile(r"[\w'’-]+")
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
    for way, said, text, place in _propose_phrases(question, candidate):
        added = set(normalize_answer(said).split()) - asked
        # A phrase that says a word of the answer would give it away.
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


# Crossed with the kind that is asked for, single ways are too rare to weigh: there were 5,272 phrases in all.
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


def _propose_phrases(question: str, candidate: Candidate) -> Iterator[_Proposed]:
    yield from _of_title(question, candidate.passage.title)
    sentence = candidate.sentence.text
    if expected_type(question) != "date":  # which is not told apart by a date
        yield from _times(question, sentence)
    yield from _modifiers(question, candidate)
    for match in _NUMBERED.finditer(sentence):
        yield "numbered part", match.group(), _with(question, f"in {match.group().lower()}"), match.start()
    for match in _ORDINAL.finditer(sentence):
        yield "ordinal", match.group(), _with(question, f"in the {match.group()}"), match.start()
    yield from _names_after_prepositions(question, candidate)


def _of_title(question: str, title: str) -> Iterator[_Proposed]:
    """The title's qualifier, its year, or the whole of it where the question has another name."""
    qualified = _QUALIFIED.fullmatch(title)
    name, qualifier = qualified.groups() if qualified else (title, "")
    found = _find_name(name, question)
    if comma := _WITH_COMMA.fullmatch(title):
        place = _find_name(comma.group(1), question)
        if place:
            yield "qualifier", comma.group(2), question[: place.start()] + title + question[place.end() :], -1
            return
    if qualifier and found:
        yield "qualifier", qualifier, question[: found.start()] + title + question[found.end() :], -1
        head, shown = question[: found.start()], question[found.start() : found.end()]
        # "in the 1994 film The Lion King": not where an article or a word of the name's own stands before it.
        if _WORK.search(qualifier) and not re.search(r"\b(?:the|a|an) $", head, re.IGNORECASE):
            yield "kind of work", qualifier, f"{head}the {qualifier} {shown}{question[found.end() :]}", -1
    year = _YEAR.search(name)
    if year and expected_type(question) != "date":
        yield "title's year", year.group(), _with(question, f"in {year.group()}"), -1
    said, asked = normalize_answer(name).split(), set(normalize_answer(question).split())
    # A list is about no one of its entries.
    if said and not set(said) <= asked and not title.startswith("List of "):
        # A page that shares a name with the question is about what is asked; another one only speaks of it.
        is_near = bool(set(content_stems(name)) & set(content_stems(question)))
        # In brackets: "in History of the FIFA World Cup" had more points and read badly (recipes/LOG.md).
        yield "page" if is_near else "other page", name, _with(question, f"({name})"), -1


def _find_name(name: str, question: str) -> re.Match[str] | None:
    """Where a name stands in a question, in any case and with any punctuation: people type neither."""
    words = r"\W+".join(map(re.escape, re.findall(r"\w+", name)))
    return re.search(rf"\b{words}\b(?! \()", question, re.IGNORECASE) if words else None


def _times(question: str, sentence: str) -> Iterator[_Proposed]:
    """The years of a sentence, and its dates with what stands before them: "until 2 August 1830"."""
    # What people add most: three in ten of AmbigNQ's rewritten questions have a year more.
    for match in _YEAR.finditer(sentence):
        yield "year", match.group(), _with(question, f"in {match.group()}"), match.start()
    for match in _DATED.finditer(sentence):
        said = f"{(match.group(1) or 'on').lower()} {match.group(2)}"
        if " " in match.group(2):
            yield "date", match.group(2), _with_date(question, said), match.start()


def _with_date(question: str, said: str) -> str:
    """The question with a date; one that asks of the date's year asks of the date in its place."""
    year = _YEAR.search(said)
    asked = re.search(rf"\bin {year.group()}(?=\W*$)", question) if year else None
    return f"{question[: asked.start()]}{said}?" if asked else _with(question, said)


def _modifiers(question: str, candidate: Candidate) -> Iterator[_Proposed]:
    """A word beside one of the question's own words: "young Simba", "married informally"."""
    words = list(_WORD.finditer(candidate.sentence.text))
    ahead = ["", *(word.group() for word in words)]
    for (before, after), earlier in zip(pairwise(words), ahead, strict=False):
        if after.group().endswith("ly") and _may_modify(after.group()) and _stands(before.group(), question):
            text = _beside(question, before.group(), f"{{}} {after.group()}")
            yield "modifier", after.group(), text, after.start()
        # "At sea level water boils": what ends a name of two words is no word of the next.
        if _may_modify(before.group()) and not _may_modify(earlier) and _stands(after.group(), question, free=True):
            text = _beside(question, after.group(), f"{before.group()} {{}}")
            yield "modifier", before.group(), text, before.start()


def _may_modify(word: str) -> bool:
    """Whether a word may tell its neighbour apart: in small letters, with content, no form of a verb or plural."""
    has_form = re.fullmatch(r"[a-z]{4,}", word) is not None and not word.endswith(("ing", "ed", "s"))
    return has_form and bool(content_stems(word))


def _stands(word: str, question: str, *, free: bool = False) -> bool:
    """Whether a word with content stands in the question; `free`, so that another fits before it.

    Not at the edge of a quotation: what is quoted stays as it is. No word goes between "light" and "bulb".
    """
    found = re.search(rf"(?:(\w+) )?(?<!\")\b{re.escape(word)}\b(?!\")", question)
    if found is None or not content_stems(word):
        return False
    return not free or not found.group(1) or not content_stems(found.group(1))


def _beside(question: str, word: str, form: str) -> str:
    return re.sub(rf"\b{re.escape(word)}\b", lambda found: form.format(found.group()), question, count=1)


def _names_after_prepositions(question: str, candidate: Candidate) -> Iterator[_Proposed]:
    sentence = candidate.sentence.text
    for match in _BEFORE_NAME.finditer(sentence):
        before, preposition, article = match.groups(default="")
        rest = sentence[match.end() :]
        found = names(f"x {rest}")
        # "Prisoner in Disguise" is one name; the first word of a sentence has its capital from there.
        within_name = before[:1].isupper() and match.start() > 0 and not candidate.answer.endswith(before)
        if found and rest.startswith(found[0]) and not within_name:
            name = _POSSESSIVE.sub("", found[0])
            addition = f"{preposition} {article.lower()}{name}"
            yield f"name after {preposition}", name, _with(question, addition), match.start(2)


def _nearness(candidate: Candidate, place: int) -> float:
    if place < 0:
        return 1.0
    answer = max(candidate.sentence.text.find(candidate.answer), 0)
    return 1 - min(1.0, abs(place - answer) / _FAR)


def _with(question: str, addition: str) -> str:
    """The question with an addition at its end; in brackets after a preposition: "the tower it is in (in London)"."""
    asked = question.rstrip(" ?")
    return f"{asked} ({addition.strip('()')})?" if _OPEN_END.search(asked) else f"{asked} {addition}?"
