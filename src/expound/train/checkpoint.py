"""Checkpoints in safetensors: the weights that are trained, the optimiser's memory, and how far the run is."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from expound.errors import BadInput, UserError, WrongVersion
from expound.files import storage_error
from expound.train.training_settings import NumberFormat

CHECKPOINT, BEST = "checkpoint.safetensors", "best.safetensors"
_EARLIER = "checkpoint.pt"
_WEIGHT, _MEMORY = "weight.", "memory."
# What checkpoints do not tell that were written before it could be chosen: they go on.
_BEFORE_THE_CHOICE = {"precision": NumberFormat.FLOAT32, "frozen": 0}
_SYSTEM_ERROR = re.compile(r"\(os error (\d+)\)")


@dataclass
class Progress:
    """How far a run is, and how it did on dev."""

    step: int = 0
    cpu_seconds: float = 0.0
    best: float = float("-inf")
    best_step: int = 0
    """The step whose weights are kept; 0 while nothing was measured."""
    not_better: int = 0
    """Measurements since the best one."""
    figures: dict[str, float] = field(default_factory=dict)
    """Of the best measurement: dev is not gone through again for what is known."""


def save_checkpoint(
    out: Path, model: Any, optimizer: Any, progress: Progress, *, begun_with: Mapping[str, Any]
) -> None:
    """Write all that the next step depends on; an interrupted write leaves the file before it."""
    # Only what is trained: the base is known by its hash, and most of the file would be its word vectors.
    tensors = {f"{_WEIGHT}{name}": weight for name, weight in trained_weights(model).items()}
    for name, weight in trained_weights(model).items():
        memory = optimizer.state.get(weight, {})  # none for a weight that no loss has reached
        tensors |= {f"{_MEMORY}{key}.{name}": value for key, value in memory.items()}
    # Beside the weights in one file: neither can be newer than the other.
    notes = {"progress": json.dumps(asdict(progress)), "begun_with": json.dumps(begun_with)}
    _write(out / CHECKPOINT, tensors, notes)


def load_checkpoint(out: Path, model: Any, optimizer: Any, *, begun_with: Mapping[str, Any]) -> Progress:
    """Put model and optimiser back to where the last call left them; a fresh start where there is no checkpoint."""
    path = out / CHECKPOINT
    if not path.exists():
        # That one was pickled, and loading it could run any code.
        if (out / _EARLIER).exists():
            raise WrongVersion(f"{out / _EARLIER} is of an earlier version; remove it, or train into another folder")
        return Progress()
    tensors, notes = _read(path)
    _check_same({**_BEFORE_THE_CHOICE, **json.loads(notes["begun_with"])}, begun_with, out)
    _fill(model, {name.removeprefix(_WEIGHT): t for name, t in tensors.items() if name.startswith(_WEIGHT)}, path)
    weights = trained_weights(model)
    for name in (name for name in tensors if name.startswith(_MEMORY)):
        # Names of weights have dots of their own; the key of the memory has none.
        key, owner = name.removeprefix(_MEMORY).split(".", 1)
        optimizer.state[weights[owner]][key] = tensors[name]
    return Progress(**json.loads(notes["progress"]))


def save_best(out: Path, model: Any) -> None:
    """Keep the weights that did best on dev so far."""
    _write(out / BEST, trained_weights(model), {})


def load_best(out: Path, model: Any) -> None:
    """Take the weights that did best on dev."""
    tensors, _ = _read(out / BEST)
    _fill(model, tensors, out / BEST)


def trained_weights(model: Any) -> dict[str, Any]:
    """The weights that training moves; the others are the base's, and the base is known by its hash."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}


@contextmanager
def clear_storage_errors(path: Path) -> Iterator[None]:
    """A full disk as one clear line, also where a library of another language met it."""
    from safetensors import SafetensorError

    try:
        yield
    except SafetensorError as error:
        # safetensors is written in Rust and puts the system's number into its text.
        code = _SYSTEM_ERROR.search(str(error))
        if not code:
            raise
        raise storage_error(OSError(int(code[1]), os.strerror(int(code[1]))), path) from error
    except OSError as error:
        raise storage_error(error, path) from error


def _write(path: Path, tensors: Mapping[str, Any], notes: Mapping[str, str]) -> None:
    from safetensors.torch import save_file

    partial = path.with_name(f"{path.name}.part")
    try:
        save_file({name: tensor.detach().contiguous() for name, tensor in tensors.items()}, partial, dict(notes))
        with partial.open("rb") as file:
            # Before the rename: after a power cut the new name must not point to nothing.
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _read(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118 - no dict
    except (SafetensorError, FileNotFoundError) as error:
        raise _damaged(path) from error


def _fill(model: Any, tensors: Mapping[str, Any], path: Path) -> None:
    import torch

    weights = trained_weights(model)
    # A checkpoint of another base or head has other shapes, and part of it might fit by chance.
    if {name: weight.shape for name, weight in weights.items()} != {n: t.shape for n, t in tensors.items()}:
        raise _damaged(path)
    with torch.no_grad():
        for name, weight in weights.items():
            weight.copy_(tensors[name])


def _check_same(before: Mapping[str, Any], now: Mapping[str, Any], out: Path) -> None:
    changed = [name for name in now if before.get(name) != now[name]]
    if changed:
        # A hash says nothing to a reader; the words below stand for it.
        was = ", ".join(f"{name} {before.get(name)}" for name in changed if name != "identity")
        what = f"with {was}" if was else "on other files or from another base"
        raise UserError(f"{out} was begun {what}; go on with the same, or train into another folder: --out FOLDER")


def _damaged(path: Path) -> BadInput:
    return BadInput(f"{path} is damaged or not of this model; remove it to begin anew, or train into another folder")
