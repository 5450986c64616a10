"""Draw what a training log says: the loss, and a figure on dev beside it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.records import read_lines


def draw_curve(log: Path, picture: Path, *, figure: str) -> None:
    """The loss on the left axis and the figure on the right one, by step; the file's ending says which format."""
    records = [record for _, record in read_lines(log)]
    drawn = _new_figure(figsize=(7, 4), layout="constrained")
    losses = drawn.add_subplot(xlabel="step", ylabel="loss")
    _plot(losses, records, "loss", color="grey")
    right = losses.twinx()
    right.set_ylabel(f"{figure.replace('_', ' ')} on dev")
    _plot(right, records, figure, marker="o")
    drawn.legend(loc="outside upper center", ncols=4, frameon=False)
    drawn.savefig(picture)


def _plot(axes: Any, records: Sequence[dict[str, Any]], name: str, **style: str) -> None:
    # A step that a resumed run took again counts as it was the last time.
    points = sorted({record["step"]: record[name] for record in records if name in record}.items())
    axes.plot([step for step, _ in points], [value for _, value in points], label=name.replace("_", " "), **style)


def _new_figure(**options: Any) -> Any:
    try:
        return importlib.import_module("matplotlib.figure").Figure(**options)
    except ModuleNotFoundError as error:
        raise UserError("curves need matplotlib: pip install 'expound[report]'") from error
