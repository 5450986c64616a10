"""Which answer stands on the left: balanced for every pair of systems and every rater, drawn from the study's seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from expound.study.design.items import AS_WRITTEN, ORDERS, Item


def draw_order(item: Item, *, seed: int, rater: int, seen: int) -> str:
    """The order of sides for a rater who has had `seen` items of the same pair before."""
    if len(item.candidates) < 2 or item.extra.get("is_fixed") or item.kind in AS_WRITTEN:
        return ORDERS[0]
    # Two by two: after one order comes the other, so nobody is further from half and half than one item. Two raters
    # in a row are mirror images, so what one of them has too much the other has too little.
    drawn = sha256(f"sides {seed} {pair_of(item)} {seen // 2} {rater // 2}".encode()).digest()[0]
    turn = (drawn + seen + rater) % 2
    # By name and not by place: an item may list the two systems either way, and sides are balanced within the pair.
    first, *_, last = (candidate.system for candidate in item.candidates)
    return ORDERS[turn if first <= last else 1 - turn]


def pair_of(item: Item) -> tuple[str, ...]:
    """What sides are balanced within: the two systems, whichever is listed first; checks are apart from the data."""
    return (item.kind, *sorted(candidate.system for candidate in item.candidates))


def draw_orders(items: Iterable[Item], *, seed: int) -> Iterator[str]:
    """The orders of a sheet or of tasks for another tool, which all raters share."""
    seen: Counter[tuple[str, ...]] = Counter()
    for item in items:
        yield draw_order(item, seed=seed, rater=0, seen=seen[pair_of(item)])
        seen[pair_of(item)] += 1
