"""`expound runs`: finished runs side by side."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen, side_files
from expound.cli.model_options import READER
from expound.cli.screen import TableFormat

app = typer.Typer(help="Finished runs, side by side and against each other.")

EPILOG = screen.examples(
    "expound runs list runs",
    "expound runs list runs --metric str_em --metric rouge_lsum --format latex",
    "expound runs compare runs/first runs/second --metric str_em",
    "expound runs compare runs/first runs/second --reader auto --metric dr",
)
_FORMAT = typer.Option(TableFormat.text, "--format", "-f", help="How to print the table.")
_METRIC = typer.Option([], "--metric", "-m", help="Only these metrics; repeatable.")


@app.command("list")
def list_runs(
    folder: Path = typer.Argument(Path("runs"), help="Where the runs are."),
    metric: list[str] = _METRIC,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
    format: TableFormat = _FORMAT,
) -> None:
    """A row for each finished run below a folder, oldest first."""
    from expound.runs import runs_table

    columns, rows = runs_table(folder, metric)
    if json:
        screen.print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        screen.print_table(columns, rows, format)


@app.command("compare")
def compare_finished(
    folders: list[Path] = typer.Argument(..., help="Two or more runs over the same dataset."),
    metric: list[str] = _METRIC,
    profile: str = typer.Option("", "--profile", "-p", help="Default: that of the dataset's paper."),
    reader: str = READER,
    short_answers: list[Path] = side_files.SHORT_ANSWERS,
    no_answer_probabilities: list[Path] = side_files.NO_ANSWER_PROBABILITIES,
    no_answer_threshold: float = side_files.NO_ANSWER_THRESHOLD,
    log_probabilities: list[Path] = side_files.LOG_PROBABILITIES,
    fills: list[Path] = side_files.FILLS,
    samples: int = typer.Option(10_000, "--samples", min=1, help="Resamples, and permutations."),
    seed: int = typer.Option(0, "--seed", min=0, max=2**32 - 1, help="Of the bootstrap and the permutations."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
    format: TableFormat = _FORMAT,
) -> None:
    """Paired differences between runs, with intervals and p-values."""
    from expound.cli.score_screen import print_comparisons
    from expound.cli.setup import prepare
    from expound.runs import compare_runs, dataset_of, read_run
    from expound.score import Options, choose_profile, scoring_resources

    sides = side_files.by_system(
        len(folders), short_answers=short_answers, no_answer_probabilities=no_answer_probabilities,
        log_probabilities=log_probabilities, fills=fills,
    )  # fmt: skip
    dataset = dataset_of(read_run(folders[0]))
    chosen = choose_profile(profile, dataset, metric, Options(threshold=no_answer_threshold))
    prepare(scoring_resources(chosen, reader))
    with screen.progress("scoring") as meter:
        comparisons = compare_runs(
            folders, chosen, side_files=sides, reader=reader, seed=seed, samples=samples, report=meter.report
        )
    if json:
        screen.print_json(comparisons)
    else:
        print_comparisons(comparisons, format)
