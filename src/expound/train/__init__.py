"""Train the models that ship with expound; needs the `train` extra (torch, transformers, onnx)."""

from __future__ import annotations

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
