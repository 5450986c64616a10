"""Support documents by compiled loops: what `expound.answer.support_document` makes, several times as fast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, groupby

import numpy as np

from expound.answer.support_document import CONTEXT, PASSAGES, Piece, support_document
from expound.build import support_kernel as kernel
from expound.text.sentences import ABBREVIATIONS, BEFORE_NUMBERS, WEAK_ABBREVIATIONS
from expound.types import Evidence

# The rules of `expound.text.sentences`, character by character and word by word.
_WORDS = {
    kernel.ABBREVIATION: [*ABBREVIATIONS, *BEFORE_NUMBERS],
    kernel.WEAK: [*WEAK_ABBREVIATIONS],
    kernel.BEFORE_NUMBER: [*BEFORE_NUMBERS],
    kernel.ARTICLE: "The A An It He She They In On At This These Its His Her".split(),
}
_SLOTS = 1 << 10
# Their lower case has more than one letter, or depends on their neighbours.
_STRANGE = "İΣ"
_CHARACTERS = {
    kernel.STOP: ".!?…",
    kernel.CLOSING: "\"'”’»)]⁰¹²³⁴⁵⁶⁷⁸⁹",
    kernel.OPENING: "\"'“‘«([",
    kernel.BEFORE_INITIAL: '.("“',
    kernel.IN_WORD: ".'’-",
    kernel.AROUND_WORD: '"”»)]%',
    kernel.ENDING: ".!?…\n" + _STRANGE,
    kernel.STRANGE: _STRANGE,
}


def compiled_support(
    question: str, evidence: Sequence[Evidence], *, passages: int = PASSAGES, context: int = CONTEXT
) -> list[Piece]:
    """The same as `support_document`, which also gets the few texts that have strange characters."""
    texts = [*(item.passage.text for item in evidence), question]
    limits = np.fromiter(accumulate(map(len, texts), initial=0), np.int32, len(texts) + 1)
    text = "".join(texts)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    chosen = kernel.choose_rows(codes, limits, _marks(), *_kinds(), passages, context)
    if chosen.is_strange:
        return support_document(question, evidence, passages=passages, context=context)
    return list(_pieces(text, evidence, chosen))


def _pieces(text: str, evidence: Sequence[Evidence], chosen: kernel.Chosen) -> Iterator[Piece]:
    rows = list(zip(*(column.tolist() for column in chosen[:4]), strict=True))
    # In a stretch places rise as their number does.
    for (document, _), stretch in groupby(enumerate(rows), key=lambda row: (row[1][0], row[1][1] - row[0])):
        places = [row for _, row in stretch]
        sentences = tuple(text[start:stop].strip() for _, _, start, stop in places)
        yield Piece(evidence[document].number, places[0][1], sentences)


@cache
def _marks() -> kernel.Codes:
    """What every character is."""
    marks = np.full(kernel.CHARACTERS, kernel.STRANGE | kernel.ENDING)
    marks[: kernel.KNOWN_CHARACTERS] = [_mark(chr(code)) for code in range(kernel.KNOWN_CHARACTERS)]
    for kind, characters in _CHARACTERS.items():
        marks[[ord(character) for character in characters]] |= kind
    return marks


def _mark(character: str) -> int:
    is_letter = character == "_" or (character.isalnum() and character not in _STRANGE)
    mark = ord(character.lower()[0])
    mark |= int(kernel.WORD | kernel.IN_WORD) * is_letter
    mark |= int(kernel.SPACE | kernel.BEFORE_INITIAL) * character.isspace()
    return mark | int(kernel.SMALL) * character.islower() | int(kernel.DECIMAL) * character.isdecimal()


@cache
def _kinds() -> tuple[kernel.Hashes, kernel.Kinds]:
    """A table of the words that the rules know."""
    hashes, kinds = np.zeros(_SLOTS, np.uint64), np.zeros(_SLOTS, np.uint8)
    for kind, word in ((kind, word) for kind, words in _WORDS.items() for word in words):
        hashed = np.uint64(kernel.hash_word(np.array([*map(ord, word)], np.uint32)))
        slot = kernel.find_slot(hashes, hashed)
        hashes[slot] = hashed
        kinds[slot] |= kind
    return hashes, kinds
