"""The processes that train one model together: alone, unless `accelerate launch` has started several."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from expound.errors import UserError
from expound.train.description import Item


class Team:
    """Which of how many processes this is. All have the same weights; each sees its share of every batch."""

    def __init__(self) -> None:
        # What every launcher tells its processes; without it there is one.
        self._size = int(os.environ.get("WORLD_SIZE", "1"))
        self._rank = int(os.environ.get("RANK", "0")) if self._size > 1 else 0
        if self._size > 1:
            _join()

    @property
    def is_first(self) -> bool:
        """Whether this process writes the files; the others only compute."""
        return self._rank == 0

    def share(self, batch: Sequence[Item]) -> list[Item]:
        """This process's part of a batch; of one with fewer items than processes, the first item."""
        return list(batch[self._rank :: self._size]) or list(batch[:1])

    def average_gradients(self, model: Any) -> None:
        """The mean of all processes' gradients, so that all take the same step."""
        if self._size == 1:
            return
        import torch

        for weight in model.parameters():
            if weight.requires_grad:
                # One that this share did not reach may have been reached elsewhere.
                weight.grad = torch.zeros_like(weight) if weight.grad is None else weight.grad
                torch.distributed.all_reduce(weight.grad)
                weight.grad /= self._size

    def agree(self, number: float) -> float:
        """The first process's number: clocks differ, and all must end at the same step."""
        if self._size == 1:
            return number
        import torch

        told = torch.tensor([number], dtype=torch.float64)
        torch.distributed.broadcast(told, src=0)
        return float(told.item())

    def wait(self) -> None:
        """Go on when all are here: a file that the first one writes is there for the others."""
        if self._size > 1:
            import torch

            torch.distributed.barrier()


def _join() -> None:
    try:
        from accelerate import PartialState
    except ImportError as error:
        raise UserError("several processes need accelerate: pip install 'expound[train]'") from error
    # On the CPU: the loop puts no weights on other devices.
    PartialState(cpu=True)
