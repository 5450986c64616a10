"""Which words of its evidence people would add to a question so that it asks for one answer only: a small tagger.

Its head reads the vectors that the shipped span reader has of question and evidence, and a few signs of every word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from expound import resources
from expound.errors import BadInput
from expound.files import user_path
from expound.models.embedder import open_session, open_tokenizer, usable_cores
from expound.models.inner_layer import open_layer
from expound.models.reader import READER_FILE
from expound.models.token_limits import TELLING_TOKENS
from expound.text.normal import normalize_answer
from expound.text.words import STOP_WORDS

if TYPE_CHECKING:
    from expound.protocols import Vectors

LAYER = 11
"""The reader's last one, counted from 0: what it has understood of question and sentence together."""
SIGNS = 10
"""How many `signs_of_word` gives; a head is built for so many."""
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_YEAR = re.compile(r"(?:1\d|20)\d\d")


@dataclass(frozen=True)
class Evidenced:
    """A question, one of its answers, where that stands, and the words that are said of the other answers."""

    question: str
    answer: str
    title: str
    sentence: str
    elsewhere: frozenset[str] = frozenset()

    @property
    def asked(self) -> str:
        """The question without its mark."""
        return self.question.rstrip(" ?")

    @property
    def text(self) -> str:
        """Title and sentence as they are read."""
        return f"{self.title}. {self.sentence}"


class PlacedWord(NamedTuple):
    """A word, which of the two texts it is of, where it begins there, and the token that it begins with."""

    side: int
    start: int
    text: str
    token: int


def place_words(evidenced: Evidenced, encoding: Any) -> list[PlacedWord]:
    """The words of question and evidence, as far as they were read."""
    texts = (evidenced.asked, evidenced.text)
    tokens = zip(encoding.offsets, encoding.sequence_ids, strict=True)
    # The marks have no side.
    known = {(side, start): token for token, ((start, _), side) in enumerate(tokens) if side is not None}
    return [
        PlacedWord(side, word.start(), word.group(), known[side, word.start()])
        for side, text in enumerate(texts)
        for word in _WORD.finditer(text)
        if (side, word.start()) in known
    ]


def signs_of_word(evidenced: Evidenced, word: PlacedWord) -> list[float]:
    """What can be seen of a word without a model."""
    normal = normalize_answer(word.text)
    is_evidence, is_title = word.side == 1, word.start < len(evidenced.title)
    asked, answer = (set(normalize_answer(text).split()) for text in (evidenced.question, evidenced.answer))
    signs = (
        not is_evidence,
        is_evidence and is_title,
        is_evidence and not is_title,
        normal in answer,
        is_evidence and normal in asked,
        normal in evidenced.elsewhere,
        word.text[0].isupper(),
        _YEAR.fullmatch(word.text) is not None,
        word.text[0].isdigit(),
        not normal or word.text.lower() in STOP_WORDS,
    )
    return [float(sign) for sign in signs]


def look_at(evidenced: Evidenced, encoding: Any, tokens: Vectors) -> tuple[list[PlacedWord], Vectors, Vectors]:
    """The words of tokens that a model has read, with a vector and signs for each."""
    import numpy as np

    words = place_words(evidenced, encoding)
    vectors: Vectors = tokens[[word.token for word in words]]
    return words, vectors, np.array([signs_of_word(evidenced, word) for word in words], dtype=np.float32)


class TellingWords:
    """The head of `expound train rewriter` on the shipped reader."""

    def __init__(self, head: Path, tokenizer: Path, *, reader: Path = READER_FILE, threads: int = 0) -> None:
        self._head, self._tokenizer_file, self._reader = head, tokenizer, reader
        self._threads = threads or usable_cores()

    def chances(self, evidenced: Evidenced) -> Mapping[str, float]:
        """The chance of every word of title and sentence, normalised, that people add it to the question."""
        words, vectors, signs = self.look(evidenced)
        if not any(word.side for word in words):
            return {}
        import numpy as np

        inputs = {"vectors": vectors[None].astype(np.float32), "signs": signs[None]}
        logits = self._session.run(None, inputs)[0][0]
        found: dict[str, float] = {}
        for word, logit in zip(words, logits, strict=True):
            for normal in normalize_answer(word.text).split() if word.side else ():
                # A word that stands twice is added once: the likelier place counts.
                found[normal] = max(found.get(normal, 0.0), float(1 / (1 + np.exp(-logit))))
        return found

    def look(self, evidenced: Evidenced) -> tuple[list[PlacedWord], Vectors, Vectors]:
        """The words with their vectors and signs, as the head reads them."""
        encoding = self._tokenizer.encode(evidenced.asked, evidenced.text)
        tokens = open_layer(self._reader, LAYER, self._threads).run(encoding.ids, encoding.type_ids)
        return look_at(evidenced, encoding, tokens)

    @cached_property
    def _session(self) -> Any:
        return open_session(self._head, self._threads)

    @cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._tokenizer_file, TELLING_TOKENS, pads=False, cut="only_second")


def open_telling_words(file: str) -> TellingWords | None:
    """A file of `expound train rewriter`; None without a name."""
    if not file:
        return None
    head = user_path(file)
    if not head.is_file():
        raise BadInput(f"no such file: {head}; make one: expound train rewriter --out FOLDER")
    return _open_telling_words(head, resources.path("minilm-tokenizer"))


# Kept open: every reading of every question is looked at by the same one.
@lru_cache(maxsize=2)
def _open_telling_words(head: Path, tokenizer: Path) -> TellingWords:
    return TellingWords(head, tokenizer)
