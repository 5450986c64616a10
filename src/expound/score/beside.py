"""What is known beside the answers, in files of its own: a reader's short answers, probabilities, filled gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.predictions import (
    PREDICTIONS,
    answers_file,
    read_fills,
    read_log_probabilities,
    read_probabilities,
    read_short_answers,
    with_meta,
)
from expound.errors import UserError
from expound.score.results import Predictions, as_predictions

_META: Mapping[str, tuple[str, Callable[[Path], Mapping[str, Any]]]] = {
    "short_answers": ("short_answers", read_short_answers),
    "no_answer_probabilities": ("no_answer_probability", read_probabilities),
    "log_probabilities": ("log_probabilities", read_log_probabilities),
    "fills": ("fills", read_fills),
}
"""Under which name metrics look for the entry of a file in a prediction's `meta`, and how the file is read."""


@dataclass(frozen=True, kw_only=True)
class SideFiles:
    """The side files of one system; what is not given is not known."""

    short_answers: Path | None = None
    """A reader's answers `{<id>_<index>: answer}` (asqa)."""
    no_answer_probabilities: Path | None = None
    """`{id: probability}` that there is no answer (squad2)."""
    log_probabilities: Path | None = None
    """`{id: [log p, …]}` for perplexity (eli5)."""
    fills: Path | None = None
    """`{id: [{gold, predicted}, …]}` for FILL-1 (eli5)."""

    @property
    def given(self) -> dict[str, Path]:
        """The files that are there, by what they hold."""
        files = {name: getattr(self, name) for name in _META}
        return {name: file for name, file in files.items() if file is not None}


NO_SIDE_FILES = SideFiles()


def with_side_files(predictions: Predictions, side_files: SideFiles, *, allow_missing: bool = False) -> Predictions:
    """The predictions with what the side files say about each; as they are, if there is nothing to add."""
    if not side_files.given:
        return predictions
    found = as_predictions(predictions)
    for name, file in side_files.given.items():
        meta, read = _META[name]
        found = with_meta(found, meta, read(file), where="" if allow_missing else str(file))
    return found


def name_systems(paths: Sequence[Path]) -> dict[str, Path]:
    """Prediction files, or folders of runs, by the shortest names that tell them apart."""
    files = [answers_file(path) for path in paths]
    names = [_system_name(file) for file in files]
    if len(set(names)) < len(files):
        names = [str(file) for file in files]
    if len(set(names)) < len(files):
        raise UserError("the same prediction file is named twice")
    return dict(zip(names, files, strict=True))


def _system_name(file: Path) -> str:
    """What a file is called; the answers of a run by its folder, as they all have one name."""
    is_of_run = file.name == PREDICTIONS and file.parent.name
    return file.parent.name if is_of_run else file.name.partition(".")[0]
