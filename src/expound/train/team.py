"""The processes that train one model together: alone, unless `accelerate launch` has started several."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from expound.errors import UserError
from expound.train.description import Item, Loss


class Team:
    """Which of how many processes this is. All have the same weights; each sees its share of every batch."""

    def __init__(self) -> None:
        # What every launcher tells its processes; without it there is one.
        self._size = int(os.environ.get("WORLD_SIZE", "1"))
        self._rank = int(os.environ.get("RANK", "0")) if self._size > 1 else 0
        if self._size > 1:
            _join()

    @property
    def is_several(self) -> bool:
        """Whether there are others."""
        return self._size > 1

    @property
    def is_first(self) -> bool:
        """Whether this process writes the files; the others only compute."""
        return self._rank == 0

    def share(self, batch: Sequence[Item]) -> list[Item]:
        """This process's part of a batch; of one with fewer items than processes, the first item."""
        return list(batch[self._rank :: self._size]) or list(batch[:1])

    def part_of(self, batch: Sequence[object], counted: int) -> float:
        """This process's part of what all losses of a batch are means of: longer texts count for more."""
        if self._size == 1:
            return 1.0
        import torch

        # One that was only lent an item has no say: its owner has counted it.
        own = counted if self._rank < len(batch) else 0
        total = torch.tensor([own], dtype=torch.float64)
        torch.distributed.all_reduce(total)
        return own / max(float(total.item()), 1.0)

    def add_gradients(self, model: Any, *, part: float) -> None:
        """The sum of these parts of all processes' gradients, so that all take the same step."""
        if self._size == 1:
            return
        import torch

        trained = [weight for weight in model.parameters() if weight.requires_grad]
        # One that this share did not reach may have been reached elsewhere; one that nobody did must not decay.
        reached = torch.tensor([float(weight.grad is not None) for weight in trained])
        torch.distributed.all_reduce(reached, op=torch.distributed.ReduceOp.MAX)
        for weight, is_reached in zip(trained, reached.tolist(), strict=True):
            if is_reached:
                weight.grad = torch.zeros_like(weight) if weight.grad is None else weight.grad
                weight.grad *= part
                torch.distributed.all_reduce(weight.grad)

    def gather(self, rows: Any, places: Sequence[int], total: int) -> Any:
        """The rows of all processes at their places; the gradient of this one's own goes back through it."""
        import torch

        # One that was only lent a row adds nothing to it.
        own = rows * float(self._rank < total)
        where = torch.tensor(places)
        whole = own.new_zeros(total, own.shape[1]).index_copy(0, where, own.detach())
        torch.distributed.all_reduce(whole)
        # The difference is nothing, and has the gradient.
        return whole.index_add(0, where, own - own.detach())

    def agree(self, number: float) -> float:
        """The first process's number: clocks differ, and all must end at the same step."""
        if self._size == 1:
            return number
        import torch

        told = torch.tensor([number], dtype=torch.float64)
        torch.distributed.broadcast(told, src=0)
        return float(told.item())

    def check_folder(self, folder: Path) -> None:
        """Refuse a folder that is another one for each: what the first writes must be there for the others."""
        if self._size == 1:
            return
        mark, token = folder / ".team", repr(self.agree(time.time()))
        if self.is_first:
            mark.write_text(token, encoding="utf-8")
        self.wait()
        if not self._agree_all(mark.is_file() and mark.read_text(encoding="utf-8") == token):
            raise UserError(
                f"the processes that train together do not share {folder}: name a folder that all see: --out"
            )
        if self.is_first:
            mark.unlink()

    def _agree_all(self, claim: bool) -> bool:
        import torch

        told = torch.tensor([float(claim)])
        torch.distributed.all_reduce(told, op=torch.distributed.ReduceOp.MIN)
        return bool(told.item())

    def wait(self) -> None:
        """Go on when all are here: a file that the first one writes is there for the others."""
        if self._size > 1:
            import torch

            torch.distributed.barrier()


@runtime_checkable
class HeldTogether(Protocol):
    """A description whose items are held against each other: a team shares the work on a batch, and not its items."""

    def loss_together(self, model: Any, batch: Sequence[Any], team: Team) -> Loss:
        """The loss of the whole batch, whose gradient goes back through this process's work alone."""
        ...


def _join() -> None:
    try:
        from accelerate import PartialState
    except ImportError as error:
        raise UserError("several processes need accelerate: pip install 'expound[train]'") from error
    # On the CPU: the loop puts no weights on other devices.
    PartialState(cpu=True)
