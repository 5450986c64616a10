"""Which words of a text are nouns, verbs and adjectives, by spaCy."""

from __future__ import annotations

from expound.text.spacy_pipeline import open_spacy

PARTS = {"NOUN": "noun", "VERB": "verb", "ADJ": "adjective"}
"""The parts of speech that carry the meaning (FILL-1 of Fan et al. 2019), as spaCy and as we call them."""


def word_parts(text: str) -> list[str]:
    """For every word between white space, what it is: noun, verb, adjective, or nothing of the three.

    A word of several pieces, such as "light's", is what its first such piece is.
    """
    parts = [""] * len(text.split())
    place, after_space = -1, True
    # spaCy cuts words into pieces, and never joins two.
    for token in open_spacy("parser", "ner")(text):
        if after_space and not token.is_space:
            place += 1
        if 0 <= place < len(parts):
            parts[place] = parts[place] or PARTS.get(token.pos_, "")
        after_space = bool(token.whitespace_) or token.is_space
    return parts
