"""Files that are loaded once a process: threads that answer side by side share weights and tokenizers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

# One at a time: of two threads that want the same file, the second finds what the first has loaded.
_guard = threading.Lock()
# Weak: what nobody uses any more is freed, as if it had been loaded for its user alone.
_loaded: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()


def load_once(file: Path, options: Hashable, load: Callable[[], Any]) -> Any:
    """What `load` makes of a file with these options; what somebody has loaded already and still uses, is shared.

    Only for what may be used by several threads at a time and is not changed once it is loaded.
    """
    with _guard:
        key = (*_stamp(file), options)
        found = _loaded.get(key)
        if found is None:
            found = _loaded[key] = load()
        return found


def _stamp(file: Path) -> tuple[Hashable, ...]:
    """What tells a file from another that is written in its place later."""
    path = file.resolve()
    # What is not there has no stamp; loading it says so in its own words.
    status = path.stat() if path.exists() else None
    return (str(path), status.st_size, status.st_mtime_ns) if status else (str(path),)
