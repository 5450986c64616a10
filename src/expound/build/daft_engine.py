"""Shards by Daft, in this process or on a Ray cluster: the only file that knows either (extra `cluster`)."""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from expound.build.engines import Done, WorkersDied
from expound.errors import UserError


@dataclass(frozen=True)
class DaftEngine:
    """A Daft query with a row a shard: without an address in this process, else on the Ray cluster that it names."""

    address: str = ""
    jobs: int = 1

    def __post_init__(self) -> None:
        needed = ("daft", "ray") if self.address else ("daft",)
        if missing := [name for name in needed if find_spec(name) is None]:
            raise UserError(f"this engine needs {', '.join(missing)}: pip install 'expound[cluster]'")

    def run(self, work: Callable[[Any], Done], shards: Sequence[Any]) -> Iterator[Done]:
        import daft

        self._choose_runner()
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
        except Exception as error:  # Daft and Ray have classes of their own for every way to lose a worker
            raise WorkersDied(f"the engine failed: {type(error).__name__}: {error}") from error

    def _choose_runner(self) -> None:
        import daft

        if not self.address:
            daft.set_runner_native()
            return
        import ray

        if not ray.is_initialized():
            # Without its own lines between ours; "ray" alone is what the environment names, else this machine.
            address = None if self.address == "ray" else self.address
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        daft.set_runner_ray()


class _Worker:
    """The work, unpacked once in the process that does it."""

    def __init__(self, pickled: bytes) -> None:
        self._work = pickle.loads(pickled)  # our own, from the process that started this one

    def __call__(self, shard: bytes) -> list[str]:
        return list(self._work(pickle.loads(shard)))
