"""`expound compare`: is one system better than another, and how sure is that?"""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen, side_files
from expound.cli.model_options import READER
from expound.cli.screen import TableFormat

EPILOG = screen.examples(
    "expound compare a.json b.json --dataset asqa:dev.json --profile asqa",
    "expound compare a.json b.json c.json --dataset asqa:dev.json --metric str_em --format latex",
    "expound compare a.json b.json -d asqa:dev.json --short-answers a-short.json --short-answers b-short.json",
)


def command(
    predictions: list[Path] = typer.Argument(
        ..., help="Two or more files of predictions, or folders of runs, each named after its system."
    ),
    dataset: str = typer.Option(
        ..., "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions, such as asqa:dev.json."
    ),
    profile: str = typer.Option(
        "", "--profile", "-p", help="Which scorer's numbers. Default: that of the dataset's paper."
    ),
    metric: list[str] = typer.Option(
        [], "--metric", "-m", help="Only these metrics: a name of the profile, or a spec."
    ),
    rouge_package: str = typer.Option("1.0.1", "--rouge-package", help="Version of the rouge package (kilt, eli5)."),
    splitter: str = typer.Option(
        "punkt", "--splitter", help="Sentences by punkt, as the official scorer, or by rules (asqa)."
    ),
    k: list[int] = typer.Option(
        [], "--k", min=1, help="Places for recall@k and so on (kilt); repeatable. Default: 1 5 10 20."
    ),
    reader: str = READER,
    short_answers: list[Path] = side_files.SHORT_ANSWERS,
    no_answer_probabilities: list[Path] = side_files.NO_ANSWER_PROBABILITIES,
    no_answer_threshold: float = side_files.NO_ANSWER_THRESHOLD,
    log_probabilities: list[Path] = side_files.LOG_PROBABILITIES,
    fills: list[Path] = side_files.FILLS,
    allow_missing: bool = typer.Option(False, "--allow-missing", help="Compare on what all files have."),
    seed: int = typer.Option(0, "--seed", min=0, max=2**32 - 1, help="Of the bootstrap and the permutations."),
    samples: int = typer.Option(10_000, "--samples", min=1, help="Resamples, and permutations."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=0, help="Processes; 0 takes all cores."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
    format: TableFormat = typer.Option(TableFormat.text, "--format", "-f", help="How to print the table."),
) -> None:
    """Compare systems on the same questions: difference, interval, p-value, wins, ties and losses."""
    from expound.cli.score_screen import print_comparisons
    from expound.cli.setup import prepare
    from expound.score import Options, choose_profile, compare, name_systems, scoring_resources

    screen.check_format(json, format)
    options = Options(rouge_package, splitter, no_answer_threshold, tuple(k) or Options().places)
    chosen = choose_profile(profile, dataset, metric, options)
    sides = side_files.by_system(
        len(predictions), short_answers=short_answers, no_answer_probabilities=no_answer_probabilities,
        log_probabilities=log_probabilities, fills=fills,
    )  # fmt: skip
    systems = name_systems(predictions)
    prepare(scoring_resources(chosen, reader))
    with screen.progress("scoring") as meter:
        comparisons = compare(
            systems,
            dataset,
            chosen,
            side_files=sides,
            reader=reader,
            allow_missing=allow_missing,
            seed=seed,
            samples=samples,
            jobs=jobs,
            report=meter.report,
        )
    if json:
        screen.print_json(comparisons)
    else:
        print_comparisons(comparisons, format)
