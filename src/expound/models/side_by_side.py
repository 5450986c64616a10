"""Calls side by side: several threads take prompts one after the other, and one listener hears all replies."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from expound.protocols import OnText


class Listener:
    """Hands pieces on, one at a time; once stopped, it ends the replies that are still being written."""

    def __init__(self, on_text: OnText | None) -> None:
        self._on_text, self._is_stopped, self._guard = on_text, False, threading.Lock()

    def hear(self, places: Iterable[int], text: str) -> None:
        # Raised inside the reply that is being read: that is how it ends.
        if self._is_stopped:
            raise _Stopped
        if self._on_text and text:
            with self._guard:
                for place in places:
                    self._on_text(place, text)

    def stop(self) -> None:
        self._is_stopped = True


class _Stopped(Exception):
    """Nobody waits for this reply any more."""


def work_through(work: Callable[[str], None], items: Sequence[str], jobs: int) -> None:
    """`work(item)` for every item; after an error no new one is begun, the running ones end, and it is raised."""
    if jobs == 1 or len(items) < 2:
        for item in items:
            work(item)
        return
    waiting, ended = deque(items), queue.SimpleQueue[BaseException | None]()

    def run() -> None:
        try:
            while (item := _next(waiting)) is not None:
                work(item)
        except BaseException as error:
            # No new work for the others; what they are at they finish.
            waiting.clear()
            ended.put(error)
        else:
            ended.put(None)

    workers = min(jobs, len(items))
    for _ in range(workers):
        # Daemons: Ctrl-C need not wait for an address that is silent.
        threading.Thread(target=run, daemon=True).start()
    try:
        # As many ends as workers, whichever comes first.
        errors = [error for _ in range(workers) if (error := ended.get())]
    finally:
        waiting.clear()
    if errors:
        raise errors[0]


def _next(waiting: deque[str]) -> str | None:
    try:
        return waiting.popleft()  # asking first whether there is one would let two threads take the last
    except IndexError:
        return None
