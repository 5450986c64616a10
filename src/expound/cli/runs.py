"""`expound runs`: finished runs side by side."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen
from expound.cli.screen import TableFormat

app = typer.Typer(help="Finished runs, side by side and against each other.")

EPILOG = screen.examples(
    "expound runs list runs",
    "expound runs list runs --metric str_em --metric rouge_lsum --format latex",
    "expound runs compare runs/first runs/second --metric str_em",
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
    from expound.runs.table import runs_table

    columns, rows = runs_table(folder, metric)
    if json:
        screen.print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        screen.print_table(columns, rows, format)


@app.command("compare")
def compare_runs(
    folders: list[Path] = typer.Argument(..., help="Two or more runs over the same dataset."),
    metric: list[str] = _METRIC,
    profile: str = typer.Option("", "--profile", "-p", help="Default: that of the dataset's paper."),
    samples: int = typer.Option(10_000, "--samples", min=1, help="Resamples, and permutations."),
    seed: int = typer.Option(0, "--seed", help="Of the bootstrap and the permutations."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
    format: TableFormat = _FORMAT,
) -> None:
    """Paired differences between runs, with intervals and p-values."""
    from expound.cli.score_screen import print_comparisons
    from expound.cli.scoring import chosen_profile
    from expound.runs.compare import compare_folders
    from expound.score.profile import Options
    from expound.score.results import Scorer

    with screen.progress("scoring"):
        comparisons = compare_folders(
            folders, lambda dataset: Scorer(chosen_profile(profile, dataset, metric, Options()), seed, samples)
        )
    if json:
        screen.print_json(comparisons)
    else:
        print_comparisons(comparisons, format)
