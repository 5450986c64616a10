"""A question without the name of what a whole corpus is about: "it" in its place.

Most passages of a manual say the program's name, if only in their title. To a ranker a question that says it is
therefore near to all of them, whatever it asks for (recipes/LOG.md, "Questions that name the program").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from expound.text.words import content_stems

EVERYWHERE = 0.5
"""Share of the passages that say a name from which on it tells none of them from the others."""
FEWEST_PASSAGES = 100
"""Of a few notes half may well say what one of them is about."""
_WORD = re.compile(r"[^\W_](?:[\w.+-]*\w)?")


def without_names(question: str, share_of: Callable[[str], float]) -> str:
    """The question with "it" for each name that is said everywhere; `share_of` tells in what share of the passages.

    >>> without_names("Which lasers does LinuxCNC's panel know?", lambda word: 1.0 if word == "LinuxCNC" else 0.1)
    'Which lasers does its panel know?'
    """
    asked = question
    for name in [word for word in dict.fromkeys(_names(question)) if share_of(word) >= EVERYWHERE]:
        word = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
        question = re.sub(rf"(?:\bthe )?{word}['’]s\b", "its", question)
        # "The Icinga web interface" is the web interface.
        question = re.sub(rf"\b(the|an?|my|our|this|your) {word} (?=[a-z])", r"\1 ", question, flags=re.IGNORECASE)
        question = re.sub(word, "it", question)
    # "What is LinuxCNC?" asks for the name itself: any "It is …" would answer "What is it?".
    return question if content_stems(question) else asked


def _names(question: str) -> Iterator[str]:
    """Words in capitals; the first word of a sentence has one anyway, unless another follows: "LinuxCNC"."""
    for match in _WORD.finditer(question):
        word, before = match.group(), question[: match.start()].rstrip()
        opens = not before or before[-1] in ".?!:"
        if any(map(str.isupper, word[1:])) or (word[0].isupper() and not opens and len(word) > 1):
            yield word
