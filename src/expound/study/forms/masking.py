"""Justifications whose references to the two answers are masked (Xu et al. 2023, 3.3.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from expound.study.design.collected import Collected
from expound.study.design.items import in_order

# As the paper writes them: the sentinels that T5 was trained to fill in.
_MASK = "<extra_id_{}>"

# “A” is mostly the article: alone it means the answer only before a verb, a full stop or another answer.
_MENTION = re.compile(
    r"\b(?:(?:answers?|options?)\s+([AB])|(B)|(A)(?=\s+(?:is|was|has|had|does|did|and|or|but|gives|explains|provides|"
    r"contains|covers|states|says|answers|mentions)\b|[.,;:)]|$))(?=\W|$)",
    re.IGNORECASE,
)


def masked_lines(collected: Sequence[Collected]) -> str:
    """A line for each justification that mentions an answer; others are left out."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in _masked_records(collected))


def mask_references(text: str) -> tuple[str, list[str]]:
    """The text with every mention as “Answer” and a mask, and the letters behind the masks."""
    targets: list[str] = []

    def mask(match: re.Match[str]) -> str:
        letter = next(group for group in match.groups() if group)
        if not letter.isupper():
            return match[0]
        targets.append(letter)
        return f"Answer {_MASK.format(len(targets) - 1)}"

    return _MENTION.sub(mask, text), targets


def _masked_records(collected: Sequence[Collected]) -> Iterator[Mapping[str, Any]]:
    for one in collected:
        item = one.placed.item
        masked, targets = mask_references(one.answers["justification"])
        if targets:
            left, right = (candidate.text for candidate in in_order(item.candidates, one.placed.shown))
            shared = {"item": item.id, "rater": one.rater, "question": item.question}
            yield {**shared, "answer_a": left, "answer_b": right, "masked": masked, "targets": targets}
