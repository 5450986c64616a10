"""Train the models that ship with expound; needs the `train` extra (torch, transformers, onnx)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.train.cotrain_request import CotrainRequest, cotrain, rehearse_cotrain
    from expound.train.description import Description, Loss, TrainingFiles
    from expound.train.loop import train
    from expound.train.reader_figures import measure_reader
    from expound.train.request import TrainingRequest, fulfil, needed_files, rehearse
    from expound.train.training_settings import (
        NLI,
        RANKER,
        READER,
        RETRIEVER,
        SENTENCES,
        TAGGER,
        WRITER,
        TrainingSettings,
        WriterSettings,
    )
    from expound.train.writer_figures import WriterMeasure, choose_lengths, measure_attention, measure_writer
    from expound.train.writer_request import WriterRequest, rehearse_writer, train_writer
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "cotrain_request": "CotrainRequest cotrain rehearse_cotrain",
            "description": "Description Loss TrainingFiles",
            "loop": "train",
            "reader_figures": "measure_reader",
            "request": "TrainingRequest fulfil needed_files rehearse",
            "training_settings": "NLI RANKER READER RETRIEVER SENTENCES TAGGER WRITER TrainingSettings WriterSettings",
            "writer_figures": "WriterMeasure choose_lengths measure_attention measure_writer",
            "writer_request": "WriterRequest rehearse_writer train_writer",
        },
    )

__all__ = [
    "NLI",
    "RANKER",
    "READER",
    "RETRIEVER",
    "SENTENCES",
    "TAGGER",
    "WRITER",
    "CotrainRequest",
    "Description",
    "Loss",
    "TrainingFiles",
    "TrainingRequest",
    "TrainingSettings",
    "WriterMeasure",
    "WriterRequest",
    "WriterSettings",
    "choose_lengths",
    "cotrain",
    "fulfil",
    "measure_attention",
    "measure_reader",
    "measure_writer",
    "needed_files",
    "rehearse",
    "rehearse_cotrain",
    "rehearse_writer",
    "train",
    "train_writer",
]
