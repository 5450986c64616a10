"""How probable a language model finds a text: the logarithm of each token's probability, given what comes before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

# GPT-2's context, by which the published perplexities were cut.
MOST_TOKENS = 1024
# A model that goes on from a text would glue the next word to its last one.
NEW_LINE = "\n"


class Likelihood(Protocol):
    """A language model that is asked for probabilities alone."""

    @property
    def weights(self) -> str:
        """The sha256 of its weights."""
        ...

    def log_probabilities(self, text: str, given: str = "") -> list[float]:
        """Of every token of the text after what is given; without it, of every token but the first."""
        ...


def place_tokens(before: Sequence[int], after: Sequence[int], room: int) -> tuple[list[int], list[int]]:
    """What is given and the text, cut to the room: the end of what is given stays, as the instruction stands there."""
    kept = list(after[:room])
    # Written so that no room left means nothing, and not all of it.
    return list(before[max(0, len(before) - (room - len(kept))) :]), kept
