"""The options of all `expound train` commands: each stands here once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from expound.train.training_settings import NumberFormat

Train = Annotated[list[Path] | None, typer.Option("--train", help="A file to learn from; repeatable.")]
Dev = Annotated[list[Path] | None, typer.Option("--dev", help="A file to measure on; what does best there is kept.")]
Base = Annotated[
    str,
    typer.Option("--base", metavar="NAME|FOLDER", help="The model to start from, such as RUN/model."),
]
Steps = Annotated[int, typer.Option("--steps", min=1, help="Updates of the weights.")]
Rate = Annotated[float, typer.Option("--rate", min=0, max=1, help="The highest learning rate.")]
Batch = Annotated[int, typer.Option("--batch", min=1, help="Windows, groups or texts a step.")]
Tokens = Annotated[int, typer.Option("--most-tokens", min=32, max=384, help="Longer texts are cut.")]
PresetSteps = Annotated[int | None, typer.Option("--steps", min=1, help="Updates of the weights; else the preset's.")]
PresetRate = Annotated[
    float | None, typer.Option("--rate", min=0, max=1, help="The highest learning rate; else the preset's.")
]
PresetBatch = Annotated[int | None, typer.Option("--batch", min=1, help="Rows or groups a step; else the preset's.")]
Hours = Annotated[float, typer.Option("--hours", min=0, help="CPU-hours to stop after; 0 is no limit.")]
Patience = Annotated[
    int, typer.Option("--patience", min=0, help="Stop after so many measurements without a better one; 0 never.")
]
Threads = Annotated[int, typer.Option("--threads", min=1, help="Cores to compute on.")]
ComputeIn = Annotated[
    NumberFormat,
    typer.Option("--precision", help="bfloat16 takes two thirds of the time where the processor computes in it."),
]
Frozen = Annotated[
    int, typer.Option("--frozen", min=0, help="Lowest layers that stay as the base has them: less to compute.")
]
Smoke = Annotated[bool, typer.Option("--smoke", help="A few steps of a tiny model on a made-up town.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Read the files, say what would be done, and stop.")]
Out = Annotated[Path, typer.Option("--out", "-o", help="The folder for what is made; a run in it goes on.")]
Seed = Annotated[int, typer.Option("--seed", help="For every random choice.")]


def given(told: Mapping[str, Any]) -> dict[str, Any]:
    """What was told: the rest is the preset's."""
    return {name: value for name, value in told.items() if value is not None}
