"""What this machine has to spare: memory and disk."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

_MEMORY = Path("/proc/meminfo")


def free_memory_bytes() -> int:
    """The memory a new program can have without swapping; where the system does not say, all the memory there is."""
    try:
        # Not what is free: Linux fills the memory with files, and gives it back when it is asked to.
        available = re.search(r"^MemAvailable:\s+(\d+) kB", _MEMORY.read_text(encoding="ascii"), re.MULTILINE)
    except OSError:
        available = None
    return int(available[1]) * 1024 if available else os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def free_disk_bytes(folder: Path) -> int:
    """The space left for files in a folder, or in the nearest parent that exists."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free
