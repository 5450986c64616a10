"""A process of its own: the most memory it ever had, after a step of 64 groups and after one of many."""

from __future__ import annotations

import sys
from pathlib import Path

from expound.train.data.group_files import Group
from expound.train.kinds.retriever_kind import RetrieverKind

_WORDS = ("tower", "market", "bridge", "harbour", "wall", "mill", "old", "town")


def peak_kilobytes() -> int:
    """As the kernel counts it for this process alone."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def take_step(base: Path, size: int) -> int:
    """The loss of a batch and its gradient."""
    texts = [" ".join(_WORDS[(place >> shift) % 8] for shift in range(0, 24, 2)) + f" {place}" for place in range(size)]
    groups = [Group(f"who built the {text[:20]}", (text,), ()) for text in texts]
    kind = RetrieverKind(groups, (), base)
    kind.loss(kind.new_model(), groups).value.backward()
    return peak_kilobytes()


if __name__ == "__main__":
    folder, largest = Path(sys.argv[1]), int(sys.argv[2])
    print(take_step(folder, 64), take_step(folder, largest))
