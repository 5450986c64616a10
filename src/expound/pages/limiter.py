"""How often one may try: a count for each key within a window of time."""

from __future__ import annotations

import threading
import time
from collections import deque

# Far more addresses than a study or a page has readers; a key takes a few hundred bytes.
_MOST_KEYS = 10_000


class Limiter:
    """At most so many in a window of time for each key; what is older is forgotten."""

    def __init__(self, limit: int, seconds: float) -> None:
        self._limit, self._seconds = limit, seconds
        self._seen: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def count(self, key: str) -> None:
        """Note that it happened."""
        with self._lock:
            self._recent(key).append(time.monotonic())

    def is_over(self, key: str) -> bool:
        """Whether the limit is reached."""
        with self._lock:
            return len(self._recent(key)) >= self._limit

    def _recent(self, key: str) -> deque[float]:
        if len(self._seen) > _MOST_KEYS:  # whoever fills it with keys makes it forget, not grow
            self._seen.clear()
        # Never longer than the limit: more could not make it any more reached.
        seen = self._seen.setdefault(key, deque(maxlen=self._limit))
        while seen and seen[0] < time.monotonic() - self._seconds:
            seen.popleft()
        return seen
