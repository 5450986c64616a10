"""Justifications whose references to the two answers are masked (Xu et al. 2023, 3.3.1)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from expound.study.design.collected import Collected
from expound.study.design.items import in_order

# As the paper writes them: the sentinels that T5 was trained to fill in.
MASK = "<extra_id_{}>"

# “A” is mostly the article: alone it means the answer only before a verb, a full stop or another answer.
PAIRINGS = ("original", "flipped", "random")

_MENTION = re.compile(
    r"\b(?:(?:answers?|options?)\s+([AB])|(B)|(A)(?=\s+(?:is|was|has|had|does|did|and|or|but|gives|explains|provides|"
    r"contains|covers|states|says|answers|mentions)\b|[.,;:)]|$))(?=\W|$)",
    re.IGNORECASE,
)


def masked_lines(collected: Sequence[Collected]) -> str:
    """A line for each justification that mentions an answer; others are left out."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in _make_masked_records(collected))


def mask_references(text: str) -> tuple[str, list[str]]:
    """The text with every mention as “Answer” and a mask, and the letters behind the masks."""
    targets: list[str] = []

    def mask(match: re.Match[str]) -> str:
        letter = next(group for group in match.groups() if group)
        # The pattern ignores case for the words around it; a small "a" is the article in any case.
        if not letter.isupper():
            return match[0]
        targets.append(letter)
        return f"Answer {MASK.format(len(targets) - 1)}"

    return _MENTION.sub(mask, text), targets


@dataclass(frozen=True)
class MaskedComment:
    """A justification with its masks, the question and the two answers that it is shown with, and what is masked."""

    id: str
    question: str
    a: str
    b: str
    masked: str
    targets: tuple[str, ...]
    pairing: str = "original"

    @property
    def gaps(self) -> str:
        """The justification as people and models see it: every mask is a gap with a number."""
        text = self.masked
        for place in range(len(self.targets)):
            text = text.replace(MASK.format(place), f"[gap {place + 1}]")
        return text


def masked_comments(collected: Sequence[Collected]) -> list[MaskedComment]:
    """Every justification that mentions an answer, as it was written."""
    found = []
    for number, one in enumerate(collected, start=1):
        masked, targets = mask_references(one.answers.get("justification", ""))
        if targets:
            item = one.placed.item
            left, right = (candidate.text for candidate in in_order(item.candidates, one.placed.shown))
            found.append(
                MaskedComment(
                    f"{item.id}-m{number}", item.question, a=left, b=right, masked=masked, targets=tuple(targets)
                )
            )
    return found


def pair_answers(comments: Sequence[MaskedComment], pairing: str, *, seed: int) -> list[MaskedComment]:
    """The comments with their own answers, with these exchanged, or with the question and answers of another one.

    A model that understands them is right with the first, wrong with the second, and guesses with the third.
    """
    if pairing == "flipped":
        return [replace(one, a=one.b, b=one.a, pairing=pairing) for one in comments]
    if pairing == "random":
        # Everyone gets those of the next one in a random order, so nobody gets their own.
        order = random.Random(seed).sample(range(len(comments)), len(comments))
        other = {one: comments[order[(place + 1) % len(order)]] for place, one in enumerate(order)}
        return [
            replace(one, question=other[place].question, a=other[place].a, b=other[place].b, pairing=pairing)
            for place, one in enumerate(comments)
        ]
    return list(comments)


def _make_masked_records(collected: Sequence[Collected]) -> Iterator[Mapping[str, Any]]:
    for one in collected:
        item = one.placed.item
        masked, targets = mask_references(one.answers["justification"])
        if targets:
            left, right = (candidate.text for candidate in in_order(item.candidates, one.placed.shown))
            shared = {"item": item.id, "rater": one.rater, "question": item.question}
            yield {**shared, "answer_a": left, "answer_b": right, "masked": masked, "targets": targets}
