"""Two pairs of our own, for a judge that wants examples where nobody names people's choices."""

from __future__ import annotations

from expound.judge.judge_items import JudgeItem, JudgeSide
from expound.types import Question

# Once the first is better and once the second, once the longer and once the shorter: no place and no length is learnt.
_PAIRS = (
    (
        "Why do onions make people cry?",
        "Cutting an onion breaks its cells, and an enzyme in them turns a sulfur compound into a gas. In the eye "
        "the gas becomes a weak acid, and tears come to wash it out.",
        "Because onions have a strong smell that nobody likes.",
        "a",
    ),
    (
        "How does a thermos keep coffee hot?",
        "A thermos is a very useful thing that many people take to work, on journeys and on walks in winter, and there "
        "are large and small ones, of steel and of glass, so that everybody finds one that suits.",
        "Between its two walls there is hardly any air to carry heat away, and their mirror sends radiant heat back.",
        "b",
    ),
)


def own_examples() -> tuple[JudgeItem, ...]:
    """The pairs, with what we would choose."""
    return tuple(
        JudgeItem(
            id=f"expound:own-{number}",
            question=Question(f"expound:own-{number}", asked),
            sides=(JudgeSide("a", first), JudgeSide("b", second)),
            votes={"overall": {choice: 1}},
        )
        for number, (asked, first, second, choice) in enumerate(_PAIRS, start=1)
    )
