"""Pictures of findings: drawn by matplotlib, written whole or not at all."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.files import check_file_place
from expound.recipes.findings import Finding, numbers_of

SUFFIXES = (".png", ".svg")


def check_picture(path: Path) -> None:
    """Refuse a file name that says no kind of picture, or a folder that is not there."""
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(f"{path} cannot be drawn: name a file that ends in {' or '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise UserError(f"{path} cannot be drawn: there is no folder {path.parent}")
    check_file_place(path)


def draw_lines(title: str, findings: Sequence[Finding], path: Path) -> None:
    """One line a name over the rows, with intervals; a row without that number is left out of its line."""
    check_picture(path)
    picture = figure(figsize=(7, 4), layout="constrained")
    panel = picture.subplots()
    for name in dict.fromkeys(name for finding in findings for name in finding.values):
        points = numbers_of(findings, name)
        spread = [[point.value - point.low for _, point in points], [point.high - point.value for _, point in points]]
        panel.errorbar(
            [row for row, _ in points], [point.value for _, point in points], yerr=spread, marker="o", label=name
        )
    panel.set_title(title)
    # From nothing: an axis that begins at the lowest value makes a mountain of every small difference.
    panel.set_ylim(bottom=0)
    panel.set_ylabel("value")
    panel.legend()
    save(picture, path)


def figure(**options: Any) -> Any:
    """An empty picture; matplotlib comes with an extra."""
    try:
        # The class itself, not pyplot, which keeps every picture open and wants a screen.
        return importlib.import_module("matplotlib.figure").Figure(**options)
    except ImportError as error:
        raise UserError("plots need matplotlib: pip install 'expound[report]'") from error


def save(picture: Any, path: Path) -> None:
    """Write a picture, whole or not at all."""
    # With the suffix at its end: matplotlib tells by it what kind of picture to write.
    partial = path.with_name(f".{path.stem}.partial{path.suffix}")
    try:
        picture.savefig(partial)
        partial.replace(path)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)
