"""Shards as tasks of a Ray cluster: the only file that knows Ray (extra `cluster`)."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from expound.build.engines import Done
from expound.build.shards import Shard
from expound.errors import BuildFailed, UserError
from expound.text.plain import plain_line

_MOST_WAITING = 1000  # a round figure: more than clusters work on at once, few enough to be looked through
_LONGEST_REASON = 200  # characters: Ray explains at length what else may have happened


@dataclass(frozen=True)
class RayEngine:
    """A task of one core for each shard, wherever the cluster has room; the machines of it have the same expound.

    The address is `ray` (the cluster that RAY_ADDRESS names, else one of this machine) or `ray://HOST:PORT`.
    """

    address: str = "ray"

    def __post_init__(self) -> None:
        # An address of the second kind goes through Ray's client, which speaks gRPC.
        needed = ("ray", "grpc") if self.address != "ray" else ("ray",)
        if missing := [name for name in needed if find_spec(name) is None]:
            raise UserError(f"this engine needs {', '.join(missing)}: pip install 'expound[cluster]'")

    def run(self, work: Callable[[Any], Done], shards: Sequence[Shard]) -> Iterator[Done]:
        self._connect()
        import ray

        # Tried once: whoever called counts the attempts, and sets a shard aside that kills one worker after the other.
        task = ray.remote(num_cpus=1, max_retries=0)(_do)
        names: dict[Any, str] = {}
        left = iter(shards)
        try:
            while True:
                # The range first: it must not be found at its end with a shard in hand.
                for _, shard in zip(range(_MOST_WAITING - len(names)), left, strict=False):
                    names[task.remote(work, shard)] = shard.name
                if not names:
                    return
                [ready], _ = ray.wait(list(names))
                yield _result(names.pop(ready), ready)
        except (ray.exceptions.RaySystemError, ConnectionError) as error:
            raise BuildFailed(
                f"the cluster was lost ({_first_line(error)}); run the same command again: what is finished is kept"
            ) from error
        finally:
            # Stopped, or lost: nobody waits for the others any more.
            for reference in names:
                with suppress(Exception):
                    ray.cancel(reference, force=True)

    def _connect(self) -> None:
        # Ray tells its makers what it is used for, unless it is told not to.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        import ray

        if ray.is_initialized():
            return
        try:
            # Without its own lines between ours.
            ray.init(
                address=None if self.address == "ray" else self.address,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
            # What it has to say of dead workers goes to stdout, where results stand, and no option keeps it back.
            ray._private.worker._worker_logs_enabled = False
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise UserError(f"no Ray cluster at {self.address}: {_first_line(error)}") from error


def _do(work: Callable[[Any], Done], shard: Shard) -> Done:
    return work(shard)


def _result(name: str, reference: Any) -> Done:
    """What became of a shard; that its worker died is told as the shard's own failure."""
    import ray

    try:
        done: Done = ray.get(reference)
    except ray.exceptions.RaySystemError:
        raise
    except ray.exceptions.RayTaskError as error:
        # Work tells its own errors as a result: this is a machine that cannot even begin, for want of expound.
        return name, f"a machine of the cluster cannot do it: {type(error.cause).__name__}: {_first_line(error.cause)}"
    except ray.exceptions.RayError as error:
        return name, f"its worker died: {type(error).__name__}: {_first_line(error)}"
    return done


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    # A message that ends in a colon is followed by a traceback, whose last line is the reason.
    return plain_line(lines[-1] if lines[0].endswith(":") else lines[0])[:_LONGEST_REASON]
