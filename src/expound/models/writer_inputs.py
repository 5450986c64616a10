"""What a trained writer is given to read: the question and as much of its documents as the writer has room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from expound.models.model_inputs import open_book_input
from expound.models.writer_card import WriterCard
from expound.types import Evidence, Passage

TokenEnds: TypeAlias = Callable[[str], Sequence[int]]
"""Where in a text each of its tokens ends."""


def writer_source(card: WriterCard, question: str, passages: Sequence[Passage], ends: TokenEnds) -> str:
    """The question alone for a closed book; else with `k` passages in the card's order, each cut to its share.

    What is read does not depend on how long the answer is: a writer is asked exactly as it was trained.
    """
    read = passages[: card.k]
    if not read:
        return question
    room = card.most_tokens - card.answer_tokens - len(ends(question))
    # At least a few words of each: a question that fills all the room would leave documents without any.
    share = max(room // len(read), FEWEST_TOKENS)
    cut = [replace(passage, text=cut_tokens(passage.text, share, ends)) for passage in read]
    evidence = [Evidence(passage, number, 1.0 / number) for number, passage in enumerate(cut, start=1)]
    return open_book_input(card.input, question, evidence, k=card.k)


FEWEST_TOKENS = 24
"""A sentence or so."""


def cut_tokens(text: str, most: int, ends: TokenEnds) -> str:
    """The beginning of a text, up to so many tokens."""
    places = ends(text)
    if most < 1:
        return ""
    return text if len(places) <= most else text[: places[most - 1]].rstrip()
