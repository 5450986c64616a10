"""Whether work on a text takes time in proportion to its length, on a busy machine too."""

from __future__ import annotations

import time
from collections.abc import Callable


def takes_time_in_proportion(work: Callable[[str], object], piece: str, size: int) -> bool:
    """Whether a text of eight times the characters, a piece repeated, takes far less than 64 times the CPU time."""
    short, long = (piece * (length // len(piece)) for length in (size, 8 * size))
    # The best of three: whatever else the machine does can make any one run slow, and none of them fast.
    return min(_seconds(work, long) for _ in range(3)) < 40 * min(_seconds(work, short) for _ in range(3)) + 0.5


def _seconds(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start
