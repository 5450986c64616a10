"""Compare finished runs, question by question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.runs.folder import Run, read_run
from expound.score.comparison import compare_with
from expound.score.results import Predictions, Scorer
from expound.types import Comparison


def compare_folders(
    folders: Sequence[Path],
    scorer_for: Callable[[str], Scorer],
    read: Callable[[int, Run], Predictions] = lambda place, run: run.predictions,
) -> list[Comparison]:
    """Compare runs over the same questions; `scorer_for` gets the spec of their dataset, `read` a run and its place."""
    runs = [read_run(folder) for folder in folders]
    # The spec and the limit, not the file's hash: a dataset that was moved is still the same.
    datasets = {(run.record["spec"]["dataset"], run.record["spec"]["limit"]) for run in runs}
    if len(datasets) > 1:
        raise UserError("these runs answered different questions: " + ", ".join(sorted(spec for spec, _ in datasets)))
    [(spec, limit)] = datasets
    questions = list(open_dataset(spec))[: limit or None]
    answers = {name: read(place, run) for place, (name, run) in enumerate(_named(runs).items())}
    return compare_with(scorer_for(spec), answers, questions)


def _named(runs: Sequence[Run]) -> dict[str, Run]:
    names = [run.name for run in runs]
    # Runs of one plan have one name; their folders tell them apart.
    if len(set(names)) < len(names):
        names = [str(run.folder) for run in runs]
    if len(set(names)) < len(names):
        raise UserError("the same run is named twice")
    return dict(zip(names, runs, strict=True))
