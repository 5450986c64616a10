"""Words that go on with a sentence: a text that begins with one in lower case lost what came before."""

from __future__ import annotations

import re

# A lower-case noun may be a program's name; these words are nobody's.
_CONTINUES = re.compile(
    r"(?:and|or|but|of|to|the|an?|in|is|are|was|were|which|that|with|for|by|on|as|from|it|its|this|these|those|be|been|"
    r"has|have|will|can|should|must|may|than|then|so|because|while|where|when|if|not|you|your|we|they|their|into|also)\s"
)


def begins_within(text: str) -> bool:
    """Whether a text begins in the middle of a sentence.

    >>> begins_within("where the port is 7001."), begins_within("where(1) finds files."), begins_within("It is 7001.")
    (True, False, False)
    """
    return _CONTINUES.match(text) is not None
