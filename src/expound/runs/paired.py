"""Compare finished runs, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.models.readers import open_reader
from expound.protocols import Reader
from expound.runs.folder import Run, read_run
from expound.score.beside import NO_SIDE_FILES, SideFiles, with_side_files
from expound.score.choice import choose_profile
from expound.score.comparison import SAMPLES, compare_with
from expound.score.counts import Report
from expound.score.results import Metrics, Scorer
from expound.types import Comparison


def compare_runs(
    folders: Sequence[Path],
    metrics: Metrics | None = None,
    *,
    side_files: Sequence[SideFiles] = (),
    reader: Reader | str | None = None,
    seed: int = 0,
    samples: int = SAMPLES,
    report: Report | None = None,
) -> list[Comparison]:
    """Compare runs over the same questions; without metrics, by the profile of their dataset's paper.

    Side files are one for each run, in their order.
    """
    runs = [read_run(folder) for folder in folders]
    # The spec and the limit, not the file's hash: a dataset that was moved is still the same.
    datasets = {(dataset_of(run), run.record["spec"]["limit"]) for run in runs}
    if len(datasets) > 1:
        raise UserError("these runs answered different questions: " + ", ".join(sorted(spec for spec, _ in datasets)))
    [(spec, limit)] = datasets
    questions = list(open_dataset(spec))[: limit or None]
    beside = side_files or [NO_SIDE_FILES] * len(runs)
    answers = {
        # A question that failed has no entry in a side file, and needs none.
        name: with_side_files(run.predictions, files, allow_missing=bool(run.errors))
        for (name, run), files in zip(_name_runs(runs).items(), beside, strict=True)
    }
    opened = open_reader(reader) if isinstance(reader, str) else reader
    chosen = choose_profile(dataset=spec) if metrics is None else metrics
    return compare_with(Scorer(chosen, seed=seed, samples=samples, report=report, reader=opened), answers, questions)


def dataset_of(run: Run) -> str:
    """The spec of the dataset that a run answered."""
    return str(run.record["spec"]["dataset"])


def _name_runs(runs: Sequence[Run]) -> dict[str, Run]:
    names = [run.name for run in runs]
    # Runs of one plan have one name; their folders tell them apart.
    if len(set(names)) < len(names):
        names = [str(run.folder) for run in runs]
    if len(set(names)) < len(names):
        raise UserError("the same run is named twice")
    return dict(zip(names, runs, strict=True))
