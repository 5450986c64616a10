"""Shards by Daft, in processes of this machine: the only file that knows it (extra `cluster`)."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from expound.build.engines import Done, WorkersDied
from expound.errors import UserError


@dataclass(frozen=True)
class DaftEngine:
    """A Daft query with a row a shard. On Ray a shard is a task of Ray's own (`ray_engine`), which takes less."""

    jobs: int = 1

    def __post_init__(self) -> None:
        if find_spec("daft") is None:
            raise UserError("this engine needs daft: pip install 'expound[cluster]'")

    def run(self, work: Callable[[Any], Done], shards: Sequence[Any]) -> Iterator[Done]:
        # Daft tells its makers that it is used, unless it is told not to.
        os.environ.setdefault("DAFT_ANALYTICS_ENABLED", "0")
        import daft

        # It takes a runner once in a process, and a build has several stages and attempts.
        with suppress(daft.exceptions.DaftCoreException):
            daft.set_runner_native()
        jobs = self.jobs or os.cpu_count() or 1

        # A class, and in processes of its own: functions share one interpreter, in which only one at a time computes.
        worker: Any = daft.cls(use_process=True, max_concurrency=jobs)(_Worker)
        rows = {"shard": [pickle.dumps(shard) for shard in shards]}
        # One row a batch: a worker that is done takes the next shard, however long the others take.
        query = daft.from_pydict(rows).into_batches(1)
        query = query.select(worker(pickle.dumps(work))(daft.col("shard")).alias("done"))
        try:
            for row in query.iter_rows():
                name, reason = row["done"]
                yield name, reason
        except Exception as error:  # Daft has classes of its own for every way to lose a worker
            raise WorkersDied(f"the engine failed: {type(error).__name__}: {error}") from error


class _Worker:
    """The work, unpacked once in the process that does it."""

    def __init__(self, pickled: bytes) -> None:
        self._work = pickle.loads(pickled)  # our own, from the process that started this one

    def __call__(self, shard: bytes) -> list[str]:
        return list(self._work(pickle.loads(shard)))
