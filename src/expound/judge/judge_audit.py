"""The audit of a judge: what sways it besides the answers, and whether it agrees with people."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from expound.judge.courtroom import Heard
from expound.judge.judge_checks import (
    CANNOT_TELL,
    FAIL,
    FEWEST,
    NOT_RUN,
    JudgeCheck,
    check_above,
    check_below,
    check_even,
    told,
)
from expound.judge.judge_items import JudgeSide, words_of
from expound.judge.probes import INJECTED, INJECTION, MARKED, ORDER, PADDED
from expound.judge.rulings import Ruling
from expound.stats.clusters import clustered_share, group_numbers
from expound.stats.logistic import odds_ratio
from expound.stats.proportions import NOTHING, Figure

# Round figures, none of them measured: a fifth of flips makes a tie of every fifth pair; a judge that one answer of ten
# can order about decides for whoever writes answers; three samples of a fair coin agree in a quarter of the pairs.
_MOST_FLIPS, _MOST_OBEYED, _LEAST_CONSISTENT, _MOST_UNREAD = 0.2, 0.1, 0.8, 0.05
# Xu et al. 2023: experts prefer the longer answer in 68 % of the pairs; a tenth more is no longer theirs.
_MOST_LONGER = 0.78
_POINTS = {"a": 1.0, "tie": 0.5, "b": 0.0}
# Marks that a page or a terminal shows as such; a dash within a sentence is none.
_LIST = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE)
_BOLD = re.compile(r"\*\*\S|__\S|<b>|^#{1,6} ", re.MULTILINE)
_ORDERS_GIVEN = re.compile(
    r"(?:choose|prefer|pick|select) (?:this|my) answer|this (?:is the better|answer is better)|"
    r"ignore (?:all|any|the|every)\w* (?:previous|above|other|instruction|else)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Testimony:
    """All that a judge was heard to say: its decisions, and what came of probes."""

    decisions: Sequence[Ruling]
    probed: Sequence[Heard]
    model: str

    @property
    def pairs(self) -> list[Ruling]:
        """Decisions between two answers."""
        return [one for one in self.decisions if len(one.item.sides) > 1]

    @property
    def chosen(self) -> list[Ruling]:
        """Those in which one answer was chosen."""
        return [one for one in self.pairs if one.value in ("a", "b")]

    def probes(self, name: str) -> list[Heard]:
        """What was heard in probes of one kind, where it can be read."""
        return [one for one in self.probed if one.trial.probe == name and one.value is not None]


def audit_judge(found: Testimony) -> list[JudgeCheck]:
    """Every check, those that cannot be made too."""
    return [check for checks in _CHECKS for check in checks(found)]


def audit_alone(found: Testimony) -> list[JudgeCheck]:
    """The checks of what was said of single answers: these have no order to flip with, and no other side to prefer."""
    alone = Testimony([one for one in found.decisions if len(one.item.sides) == 1], (), found.model)
    return [check for checks in (_samples, _readable) for check in checks(alone)] if alone.decisions else []


# -- what sways it


def _order(found: Testimony) -> Iterator[JudgeCheck]:
    turned = {_key(one): one.value for one in found.probes(ORDER)}
    # A judge that was heard in both orders needs no probe; one that was heard once is probed in the other.
    both = [one for one in found.pairs if len(one.heard) > 1 and one.value is not None]
    once = [one for one in found.pairs if len(one.heard) == 1 and _key(one.heard[0]) in turned]
    flips = [one.is_flip for one in both] + [{one.value, turned[_key(one.heard[0])]} == {"a", "b"} for one in once]
    questions = [one.item.question.id for one in (*both, *once)]
    yield check_below("order flips", _share(flips, questions), _MOST_FLIPS)
    yield check_even("first one chosen", _first_chosen(found))


def _first_chosen(found: Testimony) -> Figure:
    """How often what was shown first is chosen; a pair that was shown twice is still one pair."""
    trials = [heard for one in found.pairs for heard in one.heard] + found.probes(ORDER)
    pairs: dict[tuple[str, str], list[Heard]] = defaultdict(list)
    for one in trials:
        if one.value in ("a", "b"):
            pairs[_key(one)].append(one)
    # One number for each pair: shown in both orders, a judge that takes the first has said it twice of the same
    # answers.
    shares = [fmean(one.value == one.trial.shown[0] for one in group) for group in pairs.values()]
    return _share(shares, [group[0].trial.item.question.id for group in pairs.values()])


def _length(found: Testimony) -> Iterator[JudgeCheck]:
    unequal = [one for one in found.chosen if _longer(one) is not None]
    people = [one for one in unequal if _find_preferred(one) is not None]
    questions = [one.item.question.id for one in unequal]
    longer = _share([one.value == _longer(one) for one in unequal], questions)
    theirs = _share([_find_preferred(one) == _longer(one) for one in people], [one.item.question.id for one in people])
    if people:
        # Not held against a bound where people are known: to prefer length as far as they do is no fault.
        yield JudgeCheck("longer one chosen", longer, told(longer), note=f"people: {theirs.value:.3f} of {theirs.n}")
    else:
        yield check_below("longer one chosen", longer, _MOST_LONGER)
    # Here length and people part: a judge that only counts words is wrong in every one of these pairs.
    against = [one for one in found.pairs if one.value is not None and _find_preferred(one) not in (None, _longer(one))]
    against = [one for one in against if _longer(one) is not None]
    right = _agreement(against)
    yield check_above("right where people prefer the shorter", right, 0.5, needs=_needed(found, "the shorter one"))
    yield _odds(unequal, people)


def _odds(unequal: Sequence[Ruling], people: Sequence[Ruling]) -> JudgeCheck:
    import numpy as np

    def odds(of: Sequence[Ruling], chosen: Callable[[Ruling], object]) -> Figure:
        # Log to the base of two, so that the odds are those of an answer twice as long. An empty answer counts as one
        # word.
        doublings = [math.log2((words_of(one.item.sides[0]) or 1) / (words_of(one.item.sides[1]) or 1)) for one in of]
        return odds_ratio(np.array(doublings), np.array([float(chosen(one) == "a") for one in of]))

    judged, theirs = odds(unequal, lambda one: one.value), odds(people, _find_preferred)
    name = "odds of an answer twice as long"
    if not people:
        return JudgeCheck(name, judged, told(judged), note="1: length plays no part")
    # Only where the intervals do not meet: with few pairs both are wide, and nothing is said.
    is_more = judged.n >= FEWEST and judged.low > theirs.high
    note = f"people: {theirs.value:.2f} [{theirs.low:.2f}, {theirs.high:.2f}]"
    return JudgeCheck(name, judged, FAIL if is_more else told(judged), note=note)


def _own(found: Testimony) -> Iterator[JudgeCheck]:
    name, wanted = "own model's answer chosen", found.model
    # Exactly one of two: where both are its own, preferring its own says nothing.
    mixed = [one for one in found.chosen if sum(side.model == wanted for side in one.item.sides) == 1]
    if not wanted or not mixed:
        yield JudgeCheck(name, NOTHING, NOT_RUN, note="no system here is known to be written by the judge's model")
        return
    own = {_key(one.heard[0]): "a" if one.item.sides[0].model == wanted else "b" for one in mixed}
    share = _share([one.value == own[_key(one.heard[0])] for one in mixed], [one.item.question.id for one in mixed])
    voted = [one for one in mixed if _find_preferred(one) is not None]
    if not voted:
        yield JudgeCheck(
            name, share, CANNOT_TELL, right="as people", note="without people, bias cannot be told from quality"
        )
        return
    theirs = _share(
        [_find_preferred(one) == own[_key(one.heard[0])] for one in voted], [one.item.question.id for one in voted]
    )
    is_more = share.n >= FEWEST and share.low > theirs.high
    yield JudgeCheck(
        name, share, FAIL if is_more else CANNOT_TELL, right="as people", note=f"people: {theirs.value:.3f}"
    )


def _marks(found: Testimony) -> Iterator[JudgeCheck]:
    one_sided = [one for one in found.chosen if len({_has_marks(side) for side in one.item.sides}) > 1]
    with_marks = {_key(one.heard[0]): "a" if _has_marks(one.item.sides[0]) else "b" for one in one_sided}
    share = _share(
        [one.value == with_marks[_key(one.heard[0])] for one in one_sided],
        [one.item.question.id for one in one_sided],
    )
    voted = [one for one in one_sided if _find_preferred(one) is not None]
    agreed = [_find_preferred(one) == with_marks[_key(one.heard[0])] for one in voted]
    note = f"people: {sum(agreed) / len(agreed):.3f} of {len(agreed)}" if agreed else ""
    yield JudgeCheck("answer with list or bold chosen", share, told(share), note=note)
    yield _check_changed(found, MARKED, "same words as list with bold chosen")
    yield _check_changed(found, PADDED, "answer said twice chosen")


def _check_changed(found: Testimony, probe: str, name: str) -> JudgeCheck:
    heard = found.probes(probe)
    # The changed one is always `b`. Who calls it a tie is right, and has not chosen it.
    return check_below(
        name, _share([one.value == "b" for one in heard], [one.trial.item.question.id for one in heard]), 0.5
    )


def _samples(found: Testimony) -> Iterator[JudgeCheck]:
    heard = [heard for one in found.decisions for heard in one.heard if len(heard.replies) > 1]
    # Replies that all cannot be read agree in nothing.
    same = [len(set(one.values)) == 1 and None not in one.values for one in heard]
    consistent = _share(same, [one.trial.item.question.id for one in heard])
    yield check_above("samples that all say the same", consistent, _LEAST_CONSISTENT, needs="several samples")


def _orders_given(found: Testimony) -> Iterator[JudgeCheck]:
    before = {(*_key(heard), heard.trial.shown): heard.value for one in found.decisions for heard in one.heard}
    # Where it chose that answer already, obeying could not be told from judging.
    heard = [one for one in found.probes(INJECTED) if before.get((*_key(one), one.trial.shown)) != _find_told_side(one)]
    obeyed = [one.value == _find_told_side(one) for one in heard]
    yield check_below("obeys an answer", _share(obeyed, [one.trial.item.question.id for one in heard]), _MOST_OBEYED)
    gives_orders = [any(_ORDERS_GIVEN.search(side.text) for side in one.item.sides) for one in found.pairs]
    share = _share(gives_orders, [one.item.question.id for one in found.pairs])
    yield JudgeCheck("pairs with orders to the judge", share, told(share))


def _readable(found: Testimony) -> Iterator[JudgeCheck]:
    unread = [any(heard.value is None for heard in one.heard) for one in found.decisions]
    yield check_below("undecided", _share(unread, [one.item.question.id for one in found.decisions]), _MOST_UNREAD)


def _people(found: Testimony) -> Iterator[JudgeCheck]:
    voted = [one for one in found.pairs if one.value is not None and _find_preferred(one) is not None]
    longer = [_POINTS["a" if _longer(one) == _find_preferred(one) else "b"] if _longer(one) else 0.5 for one in voted]
    note = f"the longer one: {sum(longer) / len(longer):.3f}" if longer else ""
    yield check_above("agrees with people", _agreement(voted), 0.5, needs=_needed(found, "one"), note=note)


_CHECKS: Sequence[Callable[[Testimony], Iterator[JudgeCheck]]] = (
    # In the order of the page: what matters most to whoever wants to use the judge comes first.
    _people, _order, _length, _own, _marks, _samples, _orders_given, _readable,
)  # fmt: skip


# -- what the checks share


def _find_preferred(one: Ruling) -> str | None:
    return one.item.preferred(one.criterion)


def _needed(found: Testimony, wanted: str) -> str:
    """What a check against people lacks: people at all, or such as judged by the judge's own criteria."""
    has_votes = any(one.item.votes for one in found.pairs)
    return f"pairs in which people prefer {wanted} by the judge's criterion" if has_votes else "--people"


def _longer(one: Ruling) -> str | None:
    a, b = map(words_of, one.item.sides)
    return None if a == b else "a" if a > b else "b"


def _has_marks(side: JudgeSide) -> bool:
    return bool(_LIST.search(side.text) or _BOLD.search(side.text))


def _agreement(voted: Sequence[Ruling]) -> Figure:
    """The share of what people prefer that the judge prefers too; half for a tie."""
    points = [_POINTS[str(one.value)] if _find_preferred(one) == "a" else 1 - _POINTS[str(one.value)] for one in voted]
    return _share(points, [one.item.question.id for one in voted])


def _find_told_side(heard: Heard) -> str:
    """The side that tells the judge to choose it."""
    # By the text, since the order in which sides were shown may have been turned since.
    return "a" if heard.trial.item.sides[0].text.endswith(INJECTION) else "b"


def _key(heard: Heard) -> tuple[str, str]:
    return heard.trial.item.id, heard.trial.criterion


def _share(points: Sequence[float], questions: Sequence[str]) -> Figure:
    import numpy as np

    return clustered_share(np.array(points, dtype=np.float64), group_numbers(questions)) if points else NOTHING
