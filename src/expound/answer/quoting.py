"""Answers made of whole sentences: quoted from the evidence with their citations, or written without any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from expound.text.sentences import split_sentences
from expound.types import Answer, Evidence, Sentence


class Place(NamedTuple):
    """A sentence of the evidence: the number of its passage, its position there, and its text."""

    number: int
    position: int
    text: str


def places_of(evidence: Sequence[Evidence]) -> list[Place]:
    """Every sentence of the evidence, in order."""
    return [
        Place(item.number, position, text)
        for item in evidence
        for position, text in enumerate(split_sentences(item.passage.text))
    ]


def quote_sentence(places: Iterable[Place]) -> Answer:
    """The sentences as they stand in the evidence, each with its citation."""
    # Said and source are one text: that is what makes it a quotation, and can be looked up.
    return _answer(Sentence(place.text, place.text, (place.number,)) for place in places)


def cite_nothing(text: str) -> Answer:
    """A text that stands in no evidence: nothing is cited."""
    # An empty source text says that the words are not quoted.
    sentences = tuple(Sentence(sentence, "", ()) for sentence in split_sentences(text))
    return Answer(text.strip(), sentences)


def _answer(sentences: Iterable[Sentence]) -> Answer:
    parts = tuple(sentences)
    return Answer(" ".join(part.text for part in parts), parts)
