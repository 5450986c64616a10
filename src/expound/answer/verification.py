"""Every sentence of a written answer is proved from the evidence, mended, or left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import dropwhile, groupby
from typing import NamedTuple

from expound.answer.quoting import Place, places_of
from expound.answer.standalone import standalone
from expound.text.answer_types import DATE, typed_strings
from expound.text.normal import normalize_answer
from expound.text.sentences import split_sentences
from expound.text.support import LexicalSupport
from expound.text.words import STOP_WORDS, content_stems
from expound.types import Evidence, Interpretation, Sentence

# Where LexicalSupport agrees best with people's judgments.
SUPPORTED = 0.7
# Words that an unproved sentence must share with one of the evidence for that one to stand in its place.
_MENDABLE = 0.4
# Share of three words in a row that were said before, from which on a sentence says nothing new.
_SAID_BEFORE = 0.5
_MARKUP = re.compile(r"^\s*(?:[-*•]|\d+[.)])(?:\s+|$)|\*\*|__|^#+\s+|\s*\[\d+(?:, ?\d+)*\]|`")
_END = re.compile(r"[.!?…][\"'”’»)\]]*$")
_ORDINAL = re.compile(
    r"\b(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)\b",
    re.IGNORECASE,
)
# What may open a sentence or join two without standing in the source: it names nothing.
_JOINING = STOP_WORDS | frozenset(
    """
    although though whereas whether however instead meanwhile later earlier afterwards originally initially finally
    eventually previously similarly likewise conversely additionally moreover furthermore therefore thus hence because
    despite since depending regardless besides yet another others among within without upon around against today
    """.split()
)
_support = LexicalSupport()


def verify(text: str, evidence: Sequence[Evidence]) -> Sentence | None:
    """The sentence with the passage that proves it; a sentence of the evidence that says it instead; or nothing."""
    plain = " ".join(_MARKUP.sub("", text).split())
    # A heading or "Yes." says nothing that could be proved.
    if not content_stems(plain):
        return None
    return _prove_sentence(plain, evidence) or _mend_sentence(plain, evidence)


def is_whole(text: str) -> bool:
    """Whether a text ends as a sentence does: a heading, an item of a list and what was cut off do not."""
    return _END.search(text.rstrip()) is not None


def has_facts(source: str, text: str) -> bool:
    """Whether every name, number and date of a text stands in its source; what opens a sentence may be a name too.

    >>> has_facts("Charles X reigned until 2 August 1830.", "Until August 1830, Charles X was king.")
    True
    >>> has_facts("Charles X reigned until 2 August 1830.", "Louis reigned until 2 August 1830.")
    False
    """
    said = _said(source)
    numbers = [*typed_strings("number", text), *_ORDINAL.findall(text)]
    # "One of the kings" counts nothing.
    strings = [*_names(text), *(number for number in numbers if number.lower() != "one")]
    if not all(f" {_plain(string)} " in said.text for string in strings):
        return False
    # A date may be told with less: "August 1830" is proved by "2 August 1830", not the other way round.
    return all(any(date <= known for known in said.dates) for date in _dates(text))


def without_repetition(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Leave out every sentence that repeats those before it."""
    kept: list[Sentence] = []
    for sentence in sentences:
        if not repeats(sentence, kept):
            kept.append(sentence)
    return kept


def repeats(sentence: Sentence, said: Sequence[Sentence]) -> bool:
    """Whether half of a sentence's word triples were said before, and with them all its names and numbers.

    Readings are often told in the same words: "X voices the young Simba in the film of 1994", and so does Y.
    """
    before = {triple for other in said for triple in _triples(other.text)}
    triples = set(_triples(sentence.text))
    if len(triples & before) < _SAID_BEFORE * len(triples):
        return False
    return has_facts(" ".join(other.text for other in said), sentence.text)


def find_uncovered(sentences: Sequence[Sentence], readings: Sequence[Interpretation]) -> list[Interpretation]:
    """The readings whose answer no sentence gives."""
    text = " ".join(sentence.text for sentence in sentences)
    return [reading for reading in readings if not _gives(text, reading)]


def proof_of(reading: Interpretation, evidence: Sequence[Evidence]) -> Sentence | None:
    """A sentence of the cited evidence that gives a reading's answer and can be understood alone."""
    cited = [item for item in evidence if item.number in reading.citations]
    places = [place for place in places_of(cited) if _gives(place.text, reading)]
    # Stable: of equally near sentences the first in the evidence.
    nearest = sorted(places, key=lambda place: -_measure_shared(reading.question, place.text))
    return next((copy for place in nearest if (copy := _copy_sentence(place, evidence))), None)


def _prove_sentence(text: str, evidence: Sequence[Evidence]) -> Sentence | None:
    """The sentence as it is, if it is one and a passage has its words and all its names, numbers and dates."""
    if not is_whole(text) or _goes_round(text):
        return None
    # Facts first and then words: a sentence with one wrong year shares all its other words.
    proofs = [(_support(_said_by(item), text), item) for item in evidence if has_facts(_said_by(item), text)]
    support, best = max(proofs, key=lambda proof: proof[0], default=(0.0, None))
    source = _source(text, best) if best and support >= SUPPORTED else None
    return Sentence(text, source.text, (source.number,)) if source else None


def _source(text: str, item: Evidence) -> Place | None:
    """The sentence of a passage that says most of the text. The title need not be said again."""
    title = item.passage.title
    return max(places_of([item]), key=lambda place: _measure_shared(text, f"{title} {place.text}"), default=None)


def _mend_sentence(text: str, evidence: Sequence[Evidence]) -> Sentence | None:
    """The sentence of the evidence that is nearest to an unproved one, if it is near."""
    nearest = max(places_of(evidence), key=lambda place: _measure_shared(text, place.text), default=None)
    # Better a sentence that the source has than a hole in the paragraph; if none is near, the hole.
    return _copy_sentence(nearest, evidence) if nearest and _measure_shared(text, nearest.text) >= _MENDABLE else None


def _copy_sentence(place: Place, evidence: Sequence[Evidence]) -> Sentence | None:
    """A sentence of the evidence, its subject in brackets where it has a pronoun; None if it cannot stand alone."""
    passage = next(item.passage for item in evidence if item.number == place.number)
    before = split_sentences(passage.text)[: place.position]
    text = standalone(place.text, title=passage.title, before=before)
    return Sentence(text, place.text, (place.number,)) if text else None


class _Said(NamedTuple):
    """What a source says: its words, and each of its dates as a set of words."""

    text: str
    dates: list[frozenset[str]]


@lru_cache(maxsize=64)
def _said(source: str) -> _Said:
    return _Said(f" {_plain(source)} ", _dates(source))


def _names(text: str) -> list[str]:
    """Runs of capitalised words, without the joining words that open them."""
    tokens = re.findall(r"\w+|[^\w\s]", text)
    # Anything with a capital somewhere, "iPhone" too; the opening words of sentences are taken off below.
    runs = [list(run) for is_name, run in groupby(tokens, key=lambda token: token != token.lower()) if is_name]
    names = [" ".join(dropwhile(lambda word: word.lower() in _JOINING, run)) for run in runs]
    return [name for name in names if name]


def _dates(text: str) -> list[frozenset[str]]:
    return [frozenset(_plain(found.group()).split()) for found in DATE.finditer(text)]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _said_by(item: Evidence) -> str:
    return f"{item.passage.title}. {item.passage.text}"


def _gives(text: str, reading: Interpretation) -> bool:
    """Whether one of a reading's answers stands in a text as whole words."""
    # Blanks on both sides: "10" must not be found in "1810".
    normal = f" {normalize_answer(text)} "
    return any(f" {normalize_answer(answer)} " in normal for answer in reading.answers)


def _measure_shared(text: str, other: str) -> float:
    """Share of the content words of a text that another has."""
    words, said = content_stems(text), set(content_stems(other))
    return sum(word in said for word in words) / len(words) if words else 0.0


def _goes_round(text: str) -> bool:
    """Whether a sentence mostly repeats itself, as a model does that is caught in a loop."""
    triples = _triples(text)
    return len(set(triples)) <= _SAID_BEFORE * len(triples)


def _triples(text: str) -> list[tuple[str, ...]]:
    """Every three words in a row; all words of a text that has fewer."""
    words = re.findall(r"\w+", text.lower())
    return list(zip(words, words[1:], words[2:], strict=False)) or [tuple(words)]
