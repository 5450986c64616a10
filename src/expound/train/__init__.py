"""Train the models that ship with expound; needs the `train` extra (torch, transformers, onnx)."""

from __future__ import annotations

from expound.train.description import Description, Loss, TrainingFiles
from expound.train.loop import train
from expound.train.settings import TrainingSettings

__all__ = ["Description", "Loss", "TrainingFiles", "TrainingSettings", "train"]
