"""A judge by one criterion at a time: the nine aspects of Xu et al. 2023, or ASQA's three of Stelmakh et al. 2022."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from expound.errors import UnknownName, UserError, nearest
from expound.judge.judge_items import JudgeItem
from expound.judge.judge_shape import Said
from expound.judge.pairwise import ask_which
from expound.judge.replies import read_choice, read_ticks
from expound.judge.sampled import check_sampling
from expound.plugins import spec_text
from expound.prompts import prompt, quote, quote_lines
from expound.types import Prompt

CAPTURED = "captured"
"""ASQA's ACC: which readings a single answer lets a reader answer. Called as in the study's form, as are the others."""

ASPECTS: Mapping[str, str] = {
    "factuality": "Which answer has fewer factual mistakes?",
    "easy": "Which answer is easier to understand?",
    "relevance": "Which answer keeps closer to what the question asks?",
    "structure": "Which answer is better structured?",
    "completeness": "Which answer deals with more of what the question asks?",
    "grammar": "Which answer has better grammar and wording?",
    "example": "Which answer explains better by examples?",
    "specificity": "Which answer is more specific?",
    "conciseness": "Which answer is more concise?",
}
ASQA: Mapping[str, str] = {
    # Asked of one answer alone, in the words of the prompt `judge_readings`.
    CAPTURED: "",
    "resolving": "Which answer resolves the ambiguity of the question better?",
    "fluency": "Which answer is more fluent?",
}
_SETS = {"aspects": tuple(ASPECTS), "asqa": tuple(ASQA)}
# A number and a comma for each reading; no question of ASQA has more than some thirty.
_MOST_TOKENS_OF_TICKS = 96


@dataclass(frozen=True, repr=False)
class Rubric:
    """One question for each criterion. `by` is `aspects`, `asqa`, or criteria by name with spaces between them."""

    by: str = "aspects"
    swap: bool = True
    samples: int = 1
    temperature: float = 0.0
    top_p: float = 1.0

    # Without a type it is no field, and so no part of the spec: a rubric is asked without examples.
    examples = 0

    def __post_init__(self) -> None:
        check_sampling(self)
        known = [*ASPECTS, *ASQA]
        if not self.criteria:
            raise UserError(f"by={self.by!r} names no criterion; there are: {', '.join([*_SETS, *known])}")
        if unknown := [name for name in self.criteria if name not in known]:
            raise UnknownName(f"no criterion named {unknown[0]!r:.40}; {nearest(unknown[0], [*_SETS, *known])}")

    def __repr__(self) -> str:
        return spec_text(self, always=("by",))

    @property
    def criteria(self) -> tuple[str, ...]:
        """Each once, in the order in which they are asked."""
        return _SETS.get(self.by) or tuple(dict.fromkeys(self.by.split()))

    def rates_alone(self, criterion: str) -> bool:
        """Only what an answer captures is asked of it alone."""
        return criterion == CAPTURED

    def prompt(self, item: JudgeItem, criterion: str, examples: Sequence[JudgeItem]) -> Prompt:
        """The criterion's own question."""
        return _ask_ticks(item) if criterion == CAPTURED else ask_which(item, {**ASPECTS, **ASQA}[criterion])

    def read(self, reply: str, item: JudgeItem, criterion: str) -> Said:
        """`1`, `2` or `tie`; the numbers of readings for what an answer captures."""
        if criterion == CAPTURED:
            return read_ticks(reply, len(item.question.interpretations))
        return read_choice(reply)


def _ask_ticks(item: JudgeItem) -> Prompt:
    # Numbered from 1 as people count: the reply is these numbers.
    readings = "\n".join(
        f"{number}. {quote(reading.question)} — {quote(' / '.join(reading.answers))}"
        for number, reading in enumerate(item.question.interpretations, start=1)
    )
    question, answer = quote_lines(item.question.text), quote_lines(item.sides[0].text)
    return prompt(
        "judge_readings", max_tokens=_MOST_TOKENS_OF_TICKS, question=question, answer=answer, readings=readings
    )
