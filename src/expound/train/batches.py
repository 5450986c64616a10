"""Batches of items of like length, in an order that follows from the seed alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from expound.train.description import Description, Item
from expound.train.training_settings import TrainingSettings

# Sorted over a whole pass, every batch would hold one kind of text; over forty batches the padding is nearly as little.
_SORTED_TOGETHER = 40


def iter_batches(description: Description[Item], settings: TrainingSettings) -> Iterator[list[Item]]:
    """A batch for every step; each pass over the data is drawn and shuffled anew."""
    rng = random.Random(settings.seed)
    left = settings.steps
    while left > 0:
        batches = cut_pass(description.draw(rng), settings.batch, description.length, rng)
        # The last pass may have more batches than steps are left.
        yield from batches[:left]
        left -= len(batches)


def cut_pass(items: list[Item], size: int, length: Callable[[Item], float], rng: random.Random) -> list[list[Item]]:
    """Shuffle, sort by length inside large parts, cut into batches and shuffle those."""
    # Before sorting: which items meet in a batch must change from pass to pass.
    rng.shuffle(items)
    batches = []
    part_size = _SORTED_TOGETHER * size
    for start in range(0, len(items), part_size):
        part = sorted(items[start : start + part_size], key=length)
        batches += [part[i : i + size] for i in range(0, len(part), size)]
    # Else every part would be learnt from short texts to long ones.
    rng.shuffle(batches)
    return batches
