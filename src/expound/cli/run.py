"""`expound run`: a whole experiment, from a dataset to scores."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from expound.cli import model_options, question_options, screen
from expound.cli.screen import TableFormat

EPILOG = screen.examples(
    "expound run experiment.toml --out runs/first",
    "expound run experiment.toml --out runs/quick --limit 20 --jobs 2",
)


class OnError(StrEnum):
    """What to do when the system fails on a question."""

    stop = "stop"
    skip = "skip"
    stand_in = "stand-in"


def command(
    plan: Path = typer.Argument(..., help="The plan: dataset, corpus, retrieve, clarify, answer, score, …"),
    out: Path = typer.Option(..., "--out", "-o", help="The run's folder; an interrupted run goes on there."),
    limit: int | None = typer.Option(None, "--limit", min=0, help="Only the first so many questions."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=0, help="Processes that answer; 0 takes all cores."),
    embedder: str = question_options.EMBEDDER,
    on_error: OnError | None = typer.Option(
        None,
        "--on-error",
        help="When the system fails on a question: stop, skip it (recorded, not scored), or let the extractive "
        "answer stand in. Default: what the plan says, else stop.",
    ),
    retry_errors: bool = typer.Option(False, "--retry-errors", help="Ask again what an earlier run failed on."),
    most_cost: float | None = model_options.MOST_COST,
    dry_run: bool = model_options.DRY_RUN,
    json: bool = typer.Option(False, "--json", help="Print the run's record."),
    format: TableFormat = typer.Option(TableFormat.text, "--format", "-f", help="How to print the scores."),
) -> None:
    """Answer every question of a dataset and score the answers; stop at any time and run it again to go on."""
    from expound.cli.score_screen import failure_remarks
    from expound.cli.setup import prepare
    from expound.datasets import open_dataset
    from expound.experiment import answering_files, check, open_plan, run, scoring_files
    from expound.runs import read_plan

    changes = {"limit": limit, "embedder": embedder or None, "on_error": on_error and on_error.value}
    settings = read_plan(plan, **{name: value for name, value in changes.items() if value is not None})
    check(settings, out)
    prepare(() if dry_run else scoring_files(settings), by_meaning=True)
    if dry_run:
        system, questions = open_plan(settings), list(open_dataset(settings.dataset))[: settings.limit or None]
        return model_options.print_forecast(system, len(questions), as_json=json)
    # After the check of the folder: a finished run needs no model, and must not have one fetched.
    prepare(answering_files(settings, out))
    with screen.progress("answering") as meter:
        finished = run(settings, out, jobs=jobs, retry_errors=retry_errors, most_cost=most_cost, report=meter.report)
    if json:
        return screen.print_json(finished.record)
    columns = ["metric", "value", "low", "high", "n", "signature"]
    rows = [[result[name] for name in columns] for result in finished.record["results"]]
    screen.print_table(columns, rows, format)
    for remark in failure_remarks(finished.errors, finished.record["stand_ins"]):
        screen.say(f"{remark}; --retry-errors asks again")
    model_options.say_spent(finished.record.get("spent", {}))
    screen.say(f"{finished.predictions} has the answers")
    return None
