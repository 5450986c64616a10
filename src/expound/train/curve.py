"""Draw what a training log says: the loss, and the dev figures beside it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.records import read_lines


def draw_curve(log: Path, picture: Path, *, figures: Sequence[str], unit: str = "step") -> None:
    """The loss on the left axis and some figures on the right one, by step; the file's ending says which format.

    `unit` is what a step of the log is called.
    """
    records = [record for _, record in read_lines(log)]
    figure = _new_figure(figsize=(7, 4), layout="constrained")
    losses = figure.add_subplot(xlabel=unit, ylabel="loss")
    _plot(losses, records, "loss", color="grey")
    right = losses.twinx()
    right.set_ylabel("F1")
    for name in figures:
        _plot(right, records, name, marker="o")
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    figure.savefig(picture)


def _plot(axes: Any, records: Sequence[dict[str, Any]], name: str, **style: str) -> None:
    # A step that a resumed run took again counts as it was the last time.
    points = sorted({record["step"]: record[name] for record in records if name in record}.items())
    axes.plot([step for step, _ in points], [value for _, value in points], label=name.replace("_", " "), **style)


def _new_figure(**options: Any) -> Any:
    try:
        return importlib.import_module("matplotlib.figure").Figure(**options)
    except ModuleNotFoundError as error:
        raise UserError("curves need matplotlib: pip install 'expound[report]'") from error
