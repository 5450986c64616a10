"""Rewrite a question so that it fits one reading only: the smallest addition that sets a reading apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from expound.clarify.candidates import Candidate
from expound.text.answer_types import DATE, names
from expound.text.normal import normalize_answer
from expound.text.words import content_stems

_DATE_PHRASE = re.compile(
    rf"\b(?:until|after|from|since|before|in|on|by|between|during)(?: about| early| late)? (?:the )?(?:{DATE.pattern})"
    rf"(?:(?: and| to| until| –|–)(?: his \w+ on)? ?(?:{DATE.pattern}))?"
)
_PLACE_PHRASE = re.compile(r"\b(?:in|at|for|of|with|on|under) (?:the )?(?=[A-Z])")
_ADVERB = re.compile(r"\b(\w{4,}ly)\b")


def rewrite_all(question: str, readings: Sequence[Candidate]) -> list[str | None]:
    """A question for each reading, all different; None for a reading that nothing sets apart."""
    for kind in (_by_title, _by_adverb, _by_date, _by_name, _by_subject):
        rewritten = [
            kind(question, reading, [other for other in readings if other is not reading]) for reading in readings
        ]
        if all(rewritten) and len(set(rewritten)) == len(rewritten):
            return rewritten
    return _mixed(question, readings)


def _mixed(question: str, readings: Sequence[Candidate]) -> list[str | None]:
    """No single way fits all readings: each takes the first that fits it."""
    ways: tuple[_Way, ...] = (_by_title, _by_adverb, _by_date, _by_name, _by_subject)
    taken: set[str] = set()
    result: list[str | None] = []
    for reading in readings:
        others = [other for other in readings if other is not reading]
        options = (way(question, reading, others) for way in ways)
        text = next((option for option in options if option and option not in taken), None)
        taken.add(text or "")
        result.append(text)
    return result


_Way = Callable[[str, Candidate, Sequence[Candidate]], str | None]


def _by_title(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """ "The Lion King" becomes "The Lion King (1994 film)" where titles have qualifiers."""
    match = re.fullmatch(r"(.+?)(?:, | \()(.+?)\)?", reading.passage.title)
    if match is None or any(other.passage.title == reading.passage.title for other in others):
        return None
    name = match.group(1)
    found = re.search(rf"\b{re.escape(name)}\b(?! \()", question, re.IGNORECASE)
    return question[: found.start()] + reading.passage.title + question[found.end() :] if found else None


def _by_adverb(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """An adverb beside one of the question's own words: "married informally", "legally married"."""
    stems = content_stems(question)
    elsewhere = " ".join(other.sentence.text.lower() for other in others)
    text = reading.sentence.text
    for match in _ADVERB.finditer(text):
        if match.group().lower() in elsewhere or match.group().lower() in question.lower():
            continue
        before, after = re.search(r"(\w+) $", text[: match.start()]), re.match(r" (\w+)", text[match.end() :])
        for neighbour, form in ((before, "{} " + match.group()), (after, match.group() + " {}")):
            if neighbour and set(content_stems(neighbour.group(1))) & set(stems):
                found = re.search(rf"\b{re.escape(neighbour.group(1))}\b", question, re.IGNORECASE)
                if found:
                    return question[: found.start()] + form.format(found.group()) + question[found.end() :]
    return None


def _by_date(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """ "…, until 2 August 1830?" """
    asked = normalize_answer(question)
    for match in _DATE_PHRASE.finditer(reading.sentence.text):
        phrase = match.group()
        date = normalize_answer(phrase)
        if date in asked or normalize_answer(reading.answer) in date or set(date.split()) <= set(asked.split()):
            continue
        if not any(phrase in other.sentence.text for other in others):
            return _with(question, f", {phrase}")
    return None


def _by_name(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """ "… (Massachusetts)": a name in this sentence that no other reading has."""
    asked = normalize_answer(question)
    elsewhere = normalize_answer(
        " ".join(f"{other.passage.title} {other.sentence.text} {other.answer}" for other in others)
    )
    for match in _PLACE_PHRASE.finditer(reading.sentence.text):
        found = names("x " + reading.sentence.text[match.end() :])
        if not found or not reading.sentence.text[match.end() :].startswith(found[0]):
            continue
        name = normalize_answer(found[0])
        if name and name not in asked and name not in elsewhere and name not in normalize_answer(reading.answer):
            return _with(question, f" ({found[0]})")
    return None


def _by_subject(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """The document that gives the answer, when it is about something else than the others."""
    title = reading.passage.title
    normal = normalize_answer(title)
    if not normal or normal in normalize_answer(question) or normal in normalize_answer(reading.answer):
        return None
    if normalize_answer(reading.answer) in normal or any(other.passage.title == title for other in others):
        return None
    return _with(question, f" ({title})")


def _with(question: str, addition: str) -> str:
    return question.rstrip(" ?") + addition + "?"
