"""The same work on many items, by several processes, with the results in the items' order."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from expound.errors import ExpoundError

_SAFE_PATH = "PYTHONSAFEPATH"

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    jobs: int = 1,
) -> Iterator[Result]:
    """`work(item)` for every item; `jobs` processes share it (0: one per core).

    Items are taken as they are needed, so a stream stays a stream. With one job everything happens in this process.
    """
    workers = jobs or os.cpu_count() or 1
    if workers == 1:
        yield from map(work, items)
        return
    from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor  # not free to import
    from multiprocessing import get_context

    with _safe_path():
        # Spawned, not forked: threads of libraries do not survive a fork, and locks may be held for ever.
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_serve)
    with pool:
        running: deque[Future[Result]] = deque()
        try:
            for item in items:
                with _safe_path():
                    running.append(pool.submit(work, item))
                # A few more than there are workers, so that none waits; more would read the whole stream into memory.
                if len(running) > 2 * workers:
                    # In the order in which they were given, whoever finishes first.
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        except BrokenExecutor as error:
            raise ExpoundError("a worker process was killed, perhaps for want of memory; try fewer --jobs") from error
        finally:
            for waiting in running:
                waiting.cancel()


@contextmanager
def _safe_path() -> Iterator[None]:
    """Start Python so that it imports nothing from the current folder, where a file may be called `signal.py`."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = before or "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]


def _serve() -> None:
    """Ctrl-C is for the process that the user started, which ends the others; and nobody outlives it.

    Programs of the user's are their own: they may import from the current folder.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.pop(_SAFE_PATH, None)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed cannot tell its workers, and they would wait for work for ever."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        # Ends with the parent, however that ended.
        parent.join()
        os._exit(1)
