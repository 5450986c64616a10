"""What may sway a rater besides the answers: the side they stand on, and their length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from expound.agreement.labels import Unit, choice_labels, majority
from expound.stats.binomial import sign_test
from expound.stats.proportions import Figure, share
from expound.types import Judgment

Lengths: TypeAlias = Mapping[tuple[str, str], float]
"""The length of an answer by its item and system."""


@dataclass(frozen=True, slots=True)
class SideBias:
    """How often the answer on the left was preferred, ties left out; 1/2 where sides play no part."""

    left: Figure
    p_value: float


@dataclass(frozen=True, slots=True)
class LengthBias:
    """How often the longer answer was preferred, ties and answers of one length left out.

    `judgments` counts every judgment, `items` the majority of each item; the `equal` ones have answers of one length.
    The p-value is of the sign test over items.
    """

    judgments: Figure
    equal_judgments: int
    items: Figure
    equal_items: int
    p_value: float


def side_bias(judgments: Iterable[Judgment]) -> SideBias:
    """Left against right, over all judgments."""
    # What stood on the left is the first letter of `shown`.
    sides = Counter(one.shown[0] == one.choice for one in judgments if one.choice in ("a", "b"))
    return SideBias(share(sides[True], sides.total()), sign_test(sides[True], sides[False]))


def length_bias(judgments: Sequence[Judgment], lengths: Lengths) -> LengthBias:
    """Long against short, where the lengths of both answers are known."""
    known = [one for one in judgments if (one.item, one.a) in lengths and (one.item, one.b) in lengths]
    each = Counter(_longer(one.item, one.a, one.b, one.choice, lengths=lengths) for one in known)
    # Reversed, so that the first judgment of a unit is the one that stays.
    firsts: dict[Unit, Judgment] = {(one.item, *sorted((one.a, one.b))): one for one in reversed(known)}
    voted = ((firsts[unit], majority(said)) for unit, said in choice_labels(known).items())
    items = Counter(_longer(one.item, one.a, one.b, choice, lengths=lengths) for one, choice in voted)
    return LengthBias(
        judgments=share(each["longer"], each["longer"] + each["shorter"]),
        equal_judgments=each["equal"],
        items=share(items["longer"], items["longer"] + items["shorter"]),
        equal_items=items["equal"],
        # Raters of one item see the same two lengths: their judgments are no independent throws.
        p_value=sign_test(items["longer"], items["shorter"]),
    )


def _longer(item: str, a: str, b: str, choice: str | None, lengths: Lengths) -> str:
    """Whether the longer or the shorter answer was chosen, or none that is."""
    if choice not in ("a", "b"):
        return "tie"
    difference = lengths[item, a] - lengths[item, b]
    if not difference:
        return "equal"
    return "longer" if (difference > 0) == (choice == "a") else "shorter"
