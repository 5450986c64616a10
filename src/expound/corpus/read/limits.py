"""How much memory and work the reading of one file may take; the process that reads it sets the bounds for itself."""

from __future__ import annotations

import os
from pathlib import Path

# With what the asking process holds besides, an `add` stays below 900 MB. A manual of 1,400 pages takes 200 MB.
MOST_MEMORY = 640 << 20
# Recognising the letters of scanned pages takes a model and pictures of the pages.
_MOST_MEMORY_TO_SEE = 3 << 30
# The largest manuals take 20 seconds a megabyte; a scanned page takes up to ten seconds.
_SECONDS, _SECONDS_PER_MEGABYTE = 60, 60
_SECONDS_TO_SEE = 24 * 3600


def seconds_for(path: Path) -> int:
    """The seconds of work that a file of this size may take."""
    return _SECONDS + _SECONDS_PER_MEGABYTE * (path.stat().st_size >> 20)


def bound(memory: int, seconds: int) -> None:
    """From here on take no more memory, and so much more time: else a MemoryError, or the end of this process."""
    import resource  # POSIX only; macOS has no bound on memory that holds

    # Data, not address space: libraries map far more than they use.
    _set(resource.RLIMIT_DATA, memory)
    used = resource.getrusage(resource.RUSAGE_SELF)
    # From what was used so far: the system's clock for this process never starts again.
    _set(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + seconds)


def widen_for_pictures() -> None:
    """Let a bounded process take what looking at pages takes; one without bounds stays as it is."""
    import resource

    # Only the usual bound is widened: a stricter one was set by somebody else.
    if resource.getrlimit(resource.RLIMIT_DATA)[0] == MOST_MEMORY:
        bound(_MOST_MEMORY_TO_SEE, _SECONDS_TO_SEE)


def memory_used() -> int:
    """The bytes of memory that this process has now; 0 where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _set(kind: int, value: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
