"""Train the models that ship with expound; needs the `train` extra (torch, transformers, onnx)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from expound.train.description import Description, Loss, TrainingFiles
    from expound.train.loop import train
    from expound.train.request import TrainingRequest, fulfil, rehearse
    from expound.train.training_settings import TrainingSettings

__all__ = [
    "Description",
    "Loss",
    "TrainingFiles",
    "TrainingRequest",
    "TrainingSettings",
    "fulfil",
    "rehearse",
    "train",
]

_WHERE = {
    "Description": "description",
    "Loss": "description",
    "TrainingFiles": "description",
    "TrainingRequest": "request",
    "TrainingSettings": "training_settings",
    "fulfil": "request",
    "rehearse": "request",
    "train": "loop",
}


def __getattr__(name: str) -> Any:
    # When first asked for: `expound --help` shows the options of training, and needs none of the rest.
    if name in _WHERE:
        return getattr(importlib.import_module(f"expound.train.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
