"""Rows that are writers: each is trained, or taken from where it was trained, before it is measured."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from expound.errors import BadInput
from expound.models.model_folder import load_tokenizer
from expound.models.torch_writer import TorchWriter, load_writer, open_writer
from expound.recipes.shape import Ingredients
from expound.train.data.writer_files import read_writer_rows, write_writer_rows
from expound.train.description import TrainingFiles
from expound.train.kinds.writer_kind import WriterKind
from expound.train.training_settings import WRITER, TrainingSettings, WriterSettings
from expound.train.writer_bases import SMALL, open_writer_base
from expound.train.writer_request import WriterRequest, train_writer

# Sixty steps of two answers are about two minutes of a core with SmolLM2.
ADAPTED = replace(WRITER, steps=60, learning_rate=3e-4, threads=1)
# From nothing, with larger batches of what is far smaller.
FROM_NOTHING = replace(WRITER, steps=150, learning_rate=1e-3, batch=8, threads=1)
# Answers of ELI5-Category have 61 words at the median; 256 tokens leave a document some 130.
SHORT = WriterSettings(answer_words=60, most_tokens=256)
_NO_LETTERS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class WriterPlan:
    """A writer to be trained, or the base as it is."""

    writing: WriterSettings = SHORT
    training: TrainingSettings = ADAPTED
    scratch: str = ""
    share: float = 1.0
    """Of the training rows."""
    is_trained: bool = True


@dataclass(frozen=True)
class WriterTable:
    """The rows to train on, and where writers go."""

    train: Path
    folder: Path
    given: Ingredients = field(repr=False)

    def folder_of(self, name: str) -> Path:
        """Where the writer of a row is trained."""
        return self.folder / _NO_LETTERS.sub("-", name.lower()).strip("-")

    def train_row(self, name: str, plan: WriterPlan) -> float:
        """Train the writer of a row, or go on, or find it trained; the CPU-seconds that it took in all."""
        out = self.folder_of(name)
        files = TrainingFiles((self._share(plan.share),), ())
        steps = self.given.steps or plan.training.steps
        training = replace(plan.training, steps=steps, precision=self.given.precision)
        request = WriterRequest(files, training, plan.writing, scratch=plan.scratch)
        seconds: float = train_writer(request, out, report=self.given.report)["cpu_seconds"]
        return seconds

    def open_row(self, name: str, plan: WriterPlan) -> TorchWriter:
        """The trained writer of a row, or the base, asked as a trained one would be."""
        if plan.is_trained:
            return open_writer(str(self.folder_of(name) / "model"))
        return untrained_writer(SMALL, plan.writing)

    def _share(self, share: float) -> Path:
        if share >= 1:
            return self.train
        rows = read_writer_rows([self.train])
        # The first of them, so that a smaller share is part of a larger one.
        kept = rows[: round(len(rows) * share)]
        if not kept:
            raise BadInput(f"{self.train} has too few rows ({len(rows)}) to take {share:.0%}; name a longer file")
        part = self.folder / f"train-{share:.2f}.jsonl"
        write_writer_rows(part, kept)
        return part


def untrained_writer(base: str, writing: WriterSettings) -> TorchWriter:
    """A base as it is, asked by the same card as a trained one: else a row would measure the layout of the prompt."""
    folder, kind = open_writer_base(base), WriterKind([], [], Path(), writing)
    return TorchWriter(load_writer(folder, writing.shape, threads=1), load_tokenizer(folder), kind.card)
