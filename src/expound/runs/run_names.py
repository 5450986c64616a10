"""What runs are called, the same wherever they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def name_runs(plans: Sequence[str], folders: Sequence[str]) -> list[str]:
    """A name for each run: its plan's, and its folder where others have that plan or none was written down yet.

    >>> name_runs(["extractive", "echo", "echo", ""], ["first", "second", "third", "running"])
    ['extractive', 'second', 'third', 'running']
    """
    times = Counter(plans)
    names = [plan if plan and times[plan] == 1 else folder for plan, folder in zip(plans, folders, strict=True)]
    # A folder may be called what the plan of another run is.
    return names if len(set(names)) == len(names) else list(folders)
