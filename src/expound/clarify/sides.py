"""On which side of the question's verb an answer stands: who plays someone is named before "plays", not behind it."""

from __future__ import annotations

import re

from expound.text.words import content_stems

_ASKED = re.compile(r"who (?:also |else |first |originally )?([a-z]+)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
# "Who is …" and "Who did … marry?" ask for something else than the subject of an action.
_AUXILIARY = frozenset("am are can could did do does had has have is may might must should was were will would".split())


def is_acted_on(question: str, sentence: str, answer: str) -> bool:
    """Whether a sentence names an answer behind the verb whose subject is asked for, and so somebody else.

    >>> is_acted_on("Who plays the boss?", "Ann plays the boss, Michael.", "Michael")
    True
    >>> is_acted_on("Who plays the boss?", "The boss is played by Ann.", "Ann")
    False
    """
    asked = _ASKED.match(question)
    place = sentence.find(answer)
    if asked is None or asked.group(1).lower() in _AUXILIARY or place < 0:
        return False
    verb = content_stems(asked.group(1))
    ends = [found.end() for found in _WORD.finditer(sentence) if verb and content_stems(found.group()) == verb]
    # "… by Ann": in the passive the subject comes last.
    return bool(ends) and max(ends) <= place and " by " not in sentence[max(ends) : place]
