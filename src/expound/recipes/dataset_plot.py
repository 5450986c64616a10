"""The shares of a dataset's statistics as bars, one panel a group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from expound.datasets.stats import Statistic
from expound.errors import UserError
from expound.recipes.pictures import check_picture, figure, save

# Longer names would run into their neighbours under a bar, and are slanted.
_LONGEST_LEVEL_NAME = 10


def plot_statistics(statistics: Sequence[Statistic], path: Path, *, title: str = "") -> None:
    """Draw every group of shares into one file; what the file is follows from its name."""
    check_picture(path)
    groups = share_groups(statistics)
    if not groups:
        raise UserError("there is nothing to draw: this dataset has no shares")
    picture = figure(figsize=(6, 2.2 * len(groups) + 0.5), layout="constrained")
    for panel, (name, bars) in zip(picture.subplots(len(groups), squeeze=False)[:, 0], groups.items(), strict=True):
        _draw(panel, name, bars)
    # A path may hold dollar signs, which are no formula.
    picture.suptitle(title, parse_math=False)
    save(picture, path)


def share_groups(statistics: Sequence[Statistic]) -> dict[str, list[Statistic]]:
    """The statistics that are shares, by group; a share that stands alone is no distribution."""
    shares = (statistic for statistic in statistics if statistic.unit == "%")
    groups = {name: list(bars) for name, bars in groupby(shares, key=lambda statistic: statistic.group)}
    # Two shares are one number and what it lacks to a hundred.
    return {name: bars for name, bars in groups.items() if len(bars) > 2}


def _draw(panel: Any, group: str, bars: Sequence[Statistic]) -> None:
    names = [bar.name for bar in bars]
    panel.bar(range(len(bars)), [bar.value for bar in bars], color="#4878a8")
    slanted = {"rotation": 20, "ha": "right"} if max(map(len, names)) > _LONGEST_LEVEL_NAME else {}
    panel.set_xticks(range(len(bars)), names, fontsize=7, parse_math=False, **slanted)
    panel.set_title(f"{group} (n = {bars[0].n:,})", loc="left", fontsize=9)
    panel.set_ylabel("%")
