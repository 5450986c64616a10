"""The short answer that a sentence gives to a question, by its kind and its place among the question's words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from expound.text.answer_types import (
    DATE,
    AnswerType,
    asked_noun,
    counted_strings,
    expected_type,
    is_person_like,
    typed_strings,
)
from expound.text.normal import normalize_answer
from expound.text.words import content_stems
from expound.types import Passage, ScoredSentence

# What stands right before an answer of a kind: "directed by", "born in", "is the".
_CUES: dict[AnswerType, re.Pattern[str]] = {
    "person": re.compile(r"\b(?:by|is|was|are|were|named|called|actor|actress|singer)$", re.IGNORECASE),
    "name": re.compile(r"\b(?:by|is|was|are|were|named|called)(?: the)?$", re.IGNORECASE),
    "place": re.compile(r"\b(?:in|at|near|to|from|on)(?: the)?$", re.IGNORECASE),
    "date": re.compile(r"\b(?:in|on|until|since|from|by|after|before|of)$", re.IGNORECASE),
}
_WORD = re.compile(r"\w+")
_RANK = re.compile(
    r"\b(?:King|Queen|Prince|Princess|Duke|Duchess|Earl|Count|Countess|Emperor|Marquess|Lord|Lady|Pope)\b"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A short answer with the sentence that gives it."""

    answer: str
    sentence: ScoredSentence
    passage: Passage


def best_candidate(question: str, sentence: ScoredSentence, passage: Passage) -> Candidate | None:
    """The most likely short answer in a sentence; None if nothing in it has the wanted kind."""
    kind = expected_type(question)
    asked = set(normalize_answer(question).split())
    options = [
        string
        for string in _strings(kind, question, sentence.text, passage.text)
        # What the question says already is no answer to it.
        if (words := set(normalize_answer(string).split())) and not words <= asked
        # People only: a band or a place that stands where a person is asked for is skipped.
        if kind not in ("person", "place") or is_of_kind(string, kind, passage.title)
    ]
    if not options:
        return None
    stems = set(content_stems(question))
    best = max(options, key=lambda option: closeness_of(option, kind, sentence.text, stems))
    return Candidate(best, sentence, passage)


def is_of_kind(string: str, kind: AnswerType, title: str) -> bool:
    """Whether a string may be of a kind, by its form: a person has two names, or one that the page is about."""
    if kind == "person":
        return is_person_like(string) or _names_subject(string, title)
    if kind == "place":
        return string[:1].isupper() and not _RANK.search(string)
    if kind == "date":
        return DATE.fullmatch(string) is not None
    if kind == "number":
        return bool(typed_strings("number", string))
    return kind == "name" and string[:1].isupper()


def _strings(kind: AnswerType, question: str, text: str, context: str) -> list[str]:
    noun = asked_noun(question)
    counted = counted_strings(noun, text) if noun else []
    # "Eight planets" answers "how many planets" better than any other number of the sentence.
    found = counted or typed_strings(kind, text, context=context)
    return [without_origin(string) for string in found] if kind == "person" else found


def _names_subject(string: str, title: str) -> bool:
    """Whether a short name is the document's own subject: Charles X, or Curry for Stephen Curry."""
    return title.startswith(string) or (title.endswith(string) and is_person_like(title))


def without_origin(name: str) -> str:
    """ "Joseph Swan of England" is Joseph Swan; "William of Orange" and "the Duke of York" stay."""
    head, _, _ = name.partition(" of ")
    return head if is_person_like(head) and not _RANK.search(head) else name


def closeness_of(option: str, kind: AnswerType, text: str, stems: set[str]) -> float:
    """Closeness to the question's words, a fitting word before it, and for people the place of the subject."""
    start = text.find(option)
    head = text[:start].rstrip(' "“(')
    cue = _CUES.get(kind)
    # Round figures: no table of recipes/LOG.md is about them.
    fit = 0.5 if cue and cue.search(head) else 0.0
    # The subject of a sentence is mostly who the sentence is about.
    if kind in ("person", "name") and head in ("", "The"):
        fit += 0.6
    # A little for length: the full name rather than a part of it, where both stand at the same place.
    return fit + _closeness(start, start + len(option), text, stems) + min(len(option), 30) / 300


def _closeness(start: int, end: int, text: str, stems: set[str]) -> float:
    """How near the question's words stand, 1 for neighbours."""
    total = 0.0
    for match in _WORD.finditer(text):
        if start <= match.start() < end or not set(content_stems(match.group())) & stems:
            continue
        # Not below nothing: an option may begin within a word.
        gap = max(0, start - match.end() if match.end() <= start else match.start() - end)
        # Ten characters, about two words away, halve what a word counts.
        total += 1 / (1 + gap / 10)
    return total / max(1, len(stems))
