"""Who works on the shards: this process or some of its own, or an engine that exists (Daft, here or on Ray)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from expound.errors import ExpoundError
from expound.parallel import in_order

Done = tuple[str, str]
"""The name of a shard, and why it broke; nothing if it is finished."""


class WorkersDied(ExpoundError):
    """An engine lost workers, or itself: what is not finished is to be given to it again."""


class ShardEngine(Protocol):
    """Does the same work on many shards; in which order they are finished is its own affair."""

    def run(self, work: Callable[[Any], Done], shards: Sequence[Any], /) -> Iterator[Done]: ...


@dataclass(frozen=True)
class Here:
    """This process, or with several jobs processes of its own."""

    jobs: int = 1

    def run(self, work: Callable[[Any], Done], shards: Sequence[Any]) -> Iterator[Done]:
        # One shard alone is a suspect: it must not take this process with it.
        try:
            yield from in_order(work, shards, jobs=self.jobs)
        except ExpoundError as error:
            # ShardWork tells its own errors as a result: what is raised here is the end of a worker.
            raise WorkersDied(str(error)) from error
