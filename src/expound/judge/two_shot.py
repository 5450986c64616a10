"""The judge of Xu et al. 2023 (A.4.2): two pairs with what people chose, then the pair to judge, in one layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.errors import UserError
from expound.judge.judge_items import JudgeItem
from expound.judge.judge_shape import Said
from expound.judge.replies import read_better
from expound.judge.sampled import check_sampling
from expound.plugins import spec_text
from expound.prompts import quote
from expound.types import Prompt

OVERALL = "overall"
# "ANSWER1 is better." has six or seven tokens with most tokenizers, and twelve after another "BETTER ANSWER:", which is
# read too; the rest is for the line break behind it.
_MOST_TOKENS = 16


@dataclass(frozen=True, repr=False)
class TwoShot:
    """Choose the better answer, three times at temperature 0.7 as in the paper; most of the three decide."""

    examples: int = 2
    samples: int = 3
    temperature: float = 0.7
    top_p: float = 1.0

    # No fields, so that no spec can change them: the paper tells of no second order, and of one criterion.
    swap = False
    criteria = (OVERALL,)

    def __post_init__(self) -> None:
        check_sampling(self)
        if self.examples < 0:
            raise UserError(f"examples={self.examples}: there cannot be fewer than none")

    def __repr__(self) -> str:
        return spec_text(self, always=("examples",))

    def rates_alone(self, criterion: str) -> bool:
        """It compares."""
        return False

    def prompt(self, item: JudgeItem, criterion: str, examples: Sequence[JudgeItem]) -> Prompt:
        """The paper's layout, once for each example with what people chose."""
        shown = [f"{_layout(one)} {name_better(one)}" for one in examples]
        return Prompt("\n\n".join([*shown, _layout(item)]), max_tokens=_MOST_TOKENS)

    def read(self, reply: str, item: JudgeItem, criterion: str) -> Said:
        """`ANSWER1 is better.`"""
        return read_better(reply)


def _layout(item: JudgeItem) -> str:
    first, second = item.sides
    return (
        # One line each: a line break within an answer would look like the end of its place in the layout.
        f"QUESTION: {quote(item.question.text)}\nANSWER1: {quote(first.text)}\nANSWER2: {quote(second.text)}\n"
        "TASK: Choose the better answer.\nBETTER ANSWER:"
    )


def name_better(item: JudgeItem) -> str:
    """The reply that people's choice would be."""
    return f"ANSWER{1 if item.preferred(OVERALL) == 'a' else 2} is better."
