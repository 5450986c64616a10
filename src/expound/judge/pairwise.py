"""The plain judge: which of two answers is better? Asked in both orders; who changes sides with them says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.judge.judge_items import JudgeItem
from expound.judge.judge_shape import Said
from expound.judge.replies import read_choice
from expound.judge.sampled import check_sampling
from expound.judge.two_shot import OVERALL
from expound.plugins import spec_text
from expound.prompts import prompt, quote_lines
from expound.types import Prompt

# One word; a few more for models that begin with a line break.
MOST_TOKENS = 8


@dataclass(frozen=True, repr=False)
class Pairwise:
    """The better of two answers, or a tie; judged in both orders, and a flip is a tie."""

    swap: bool = True
    samples: int = 1
    temperature: float = 0.0
    top_p: float = 1.0

    # Without a type these are no fields, and no part of the spec.
    examples = 0
    criteria = (OVERALL,)

    def __post_init__(self) -> None:
        check_sampling(self)

    def __repr__(self) -> str:
        return spec_text(self)

    def rates_alone(self, criterion: str) -> bool:
        """It compares."""
        return False

    def prompt(self, item: JudgeItem, criterion: str, examples: Sequence[JudgeItem]) -> Prompt:
        """Question and answers, each quoted."""
        return ask_which(item, "Which answer is better?")

    def read(self, reply: str, item: JudgeItem, criterion: str) -> Said:
        """`1`, `2` or `tie`."""
        return read_choice(reply)


def ask_which(item: JudgeItem, asked: str) -> Prompt:
    """The prompt that shows two answers and asks something of them."""
    first, second = (quote_lines(side.text) for side in item.sides)
    question = quote_lines(item.question.text)
    return prompt("judge_pair", max_tokens=MOST_TOKENS, question=question, first=first, second=second, asked=asked)
