"""The reading view: answers beside their passages, what they share marked (Krishna et al. 2021, A.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from expound.audit.inputs import Inputs
from expound.audit.ngrams import mark_copied
from expound.audit.section import ShownExample

# A page that can be read in some minutes: answers, passages beside each, characters of a passage.
_EXAMPLES, _PASSAGES, _LONGEST = 8, 4, 900


def reading_view(inputs: Inputs, overlaps: Sequence[float]) -> tuple[ShownExample, ...]:
    """Some answers from the least to the most overlap with their passages."""
    order = sorted((value, place) for place, value in enumerate(overlaps) if not math.isnan(value))
    steps = min(_EXAMPLES, len(order))
    # Evenly from the least to the most, both ends included.
    chosen = [order[step * (len(order) - 1) // max(1, steps - 1)] for step in range(steps)]
    return tuple(_example(inputs, place, value) for value, place in chosen)


def _example(inputs: Inputs, place: int, overlap: float) -> ShownExample:
    answer, passages = inputs.answers()[place], inputs.passages[place]
    shown = [_cut(passage) for passage in passages[:_PASSAGES]]
    # The whole passages count, the shown ones are cut.
    parts = [(f"answer, {overlap:.0f} % of its words in the passages", mark_copied(answer, passages))]
    parts += [(f"passage {number}", mark_copied(text, [answer])) for number, text in enumerate(shown, start=1)]
    return ShownExample(inputs.questions[place].text, tuple(parts))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rsplit(' ', 1)[0]} …"
