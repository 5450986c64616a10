"""From `asqa:dev.json` to the questions in it: a dataset spec is a layout and a path."""

from __future__ import annotations

from pathlib import Path

from expound import plugins
from expound.errors import UnknownName, UserError
from expound.protocols import Dataset


def open_dataset(spec: str) -> Dataset:
    """The questions a spec names; they are read when they are asked for."""
    layout, path = split_spec(spec)
    if layout not in plugins.names("dataset"):
        raise UnknownName(
            f"no dataset layout named {layout!r}; write LAYOUT:PATH, where LAYOUT is one of: "
            f"{', '.join(plugins.names('dataset'))}"
        )
    if not path:
        raise UserError(f"where is the file? Write {layout}:PATH")
    dataset: Dataset = plugins.load("dataset", layout)(Path(path).expanduser())
    return dataset


def split_spec(spec: str) -> tuple[str, str]:
    """The layout and the path of a dataset spec."""
    layout, _, path = spec.partition(":")
    return layout.strip(), path.strip()
