"""From what a judge was heard to say to what it decides: both orders together, where it is asked in both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from expound.errors import UserError
from expound.judge.courtroom import Heard, Hearing, Value
from expound.judge.judge_items import ORDERS, JudgeItem, draw_order
from expound.judge.judge_shape import AnyJudge
from expound.types import Judgment

FORM = "judge"
# Enough of a reply to see what went wrong; some models write pages.
_SHOWN_OF_A_REPLY = 120


@dataclass(frozen=True)
class Ruling:
    """What a judge decides on an item by a criterion; nothing, where its replies cannot be read."""

    heard: tuple[Heard, ...]
    value: Value

    @property
    def item(self) -> JudgeItem:
        """What was judged."""
        return self.heard[0].trial.item

    @property
    def criterion(self) -> str:
        """By what."""
        return self.heard[0].trial.criterion

    @property
    def is_flip(self) -> bool:
        """Whether it chose what stood on one side, whichever answer that was."""
        return {heard.value for heard in self.heard} == {"a", "b"}

    @property
    def unread(self) -> str:
        """A reply that cannot be read, if nothing is decided for want of one that can."""
        if self.value is not None:
            return ""
        return next((reply for one in self.heard for reply, said in zip(one.replies, one.said, strict=True)
                     if said is None), "")  # fmt: skip


def trials_of(judge: AnyJudge, items: Sequence[JudgeItem], seed: int) -> list[Hearing]:
    """What the judge has to be asked to decide on the items."""
    trials = [
        trial for item, criterion in product(items, judge.criteria) for trial in _trials(judge, item, criterion, seed)
    ]
    if not trials:
        raise UserError(f"{judge!r} finds nothing to judge: no question has readings; give --dataset with some")
    return trials


def decide(heard: Sequence[Heard]) -> list[Ruling]:
    """A decision for all that was heard of the same answers by the same criterion."""
    groups: dict[tuple[object, ...], list[Heard]] = defaultdict(list)
    for one in heard:
        item = one.trial.item
        groups[item.id, one.trial.criterion, *(side.system for side in item.sides)].append(one)
    return [Ruling(tuple(group), _decide(group)) for group in groups.values()]


def judgments_of_judge(decisions: Sequence[Ruling], *, judge: AnyJudge, model: str) -> Iterator[Judgment]:
    """A judgment for each decision, as a study exports those of people; the rater is the judge with its model."""
    for one in decisions:
        sides = [side.system for side in one.item.sides]
        is_choice = len(sides) > 1
        yield Judgment(
            study=repr(judge),
            form=FORM,
            item=one.item.id,
            question_id=one.item.question.id,
            rater=f"{judge!r} by {model}",
            criterion=one.criterion,
            a=sides[0],
            b=sides[1] if is_choice else "",
            choice=one.value if isinstance(one.value, str) else None,
            value=list(one.value) if isinstance(one.value, tuple) else None,
            shown=one.heard[0].trial.shown,
            domain=one.item.domain,
            comment=_remark(one),
        )


def votes_of_judge(heard: Sequence[Heard], *, judge: AnyJudge) -> Iterator[Judgment]:
    """Every single reply as a judgment: samples are raters, so that their agreement is the judge's consistency.

    A probe is a criterion of its own, and what is shown the other way round a rater of its own.
    """
    for one in heard:
        trial, sides = one.trial, [side.system for side in one.trial.item.sides]
        for sample, (reply, value) in enumerate(zip(one.replies, one.values, strict=True), start=1):
            yield Judgment(
                study=repr(judge),
                form=FORM,
                # A probe is another item: agreement must not mix what was said of the answers with what was said of
                # changed ones.
                item=f"{trial.item.id}/{trial.probe}" if trial.probe else trial.item.id,
                question_id=trial.item.question.id,
                rater=f"sample {sample} {trial.shown}",
                criterion=f"{trial.criterion}, {trial.probe}" if trial.probe else trial.criterion,
                a=sides[0],
                b=sides[1] if len(sides) > 1 else "",
                choice=value if isinstance(value, str) else None,
                value=list(value) if isinstance(value, tuple) else None,
                shown=trial.shown,
                domain=trial.item.domain,
                comment=reply,
            )


def _trials(judge: AnyJudge, item: JudgeItem, criterion: str, seed: int) -> Iterator[Hearing]:
    if judge.rates_alone(criterion):
        # Without readings there is nothing to tick.
        sides = item.sides if item.question.interpretations else ()
        yield from (Hearing(replace(item, sides=(side,)), criterion) for side in sides)
    else:
        yield from (Hearing(item, criterion, shown) for shown in (ORDERS if judge.swap else (draw_order(item, seed),)))


def _decide(group: Sequence[Heard]) -> Value:
    values = {heard.value for heard in group}
    # Unreadable in one order is unreadable in all: half of a double check is none.
    if None in values:
        return None
    # Who changes sides with the order, or sees a difference in one order only, has no preference.
    return values.pop() if len(values) == 1 else "tie"


def _remark(one: Ruling) -> str:
    if one.is_flip:
        return "a flip: the choice changes with the order of the answers"
    return f"cannot be read: {one.unread[:_SHOWN_OF_A_REPLY]}" if one.unread else ""
