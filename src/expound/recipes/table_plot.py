"""A table as a picture: one line per metric over the rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from expound.recipes.dataset_plot import check_picture, figure, save
from expound.recipes.table import Measured


def plot_rows(title: str, measured: Sequence[Measured], path: Path) -> None:
    """Draw every metric's values with their intervals, row by row; a row without a metric is left out of its line."""
    check_picture(path)
    run = [item for item in measured if item.results]
    names = list(dict.fromkeys(name for item in run for name in item.results))
    picture = figure(figsize=(7, 4), layout="constrained")
    panel = picture.subplots()
    for name in names:
        rows = [item.row.name for item in run if name in item.results]
        results = [item.results[name] for item in run if name in item.results]
        spread = [[r.value - r.low for r in results], [r.high - r.value for r in results]]
        panel.errorbar(rows, [r.value for r in results], yerr=spread, marker="o", label=name)
    panel.set_title(title)
    panel.set_ylim(bottom=0)
    panel.set_ylabel("value")
    panel.legend()
    save(picture, path)
