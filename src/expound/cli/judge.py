"""`expound judge`: let a text model judge answers, and see whether the judge can be believed."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import model_options, screen
from expound.cli.screen import TableFormat

EPILOG = screen.examples(
    "expound judge a.jsonl b.jsonl --judge 'Pairwise()' --model http://localhost:8080 --out judged.jsonl",
    "expound judge --people xu2023:experts.jsonl --agreed --judge 'TwoShot(examples=2)' --out judged.jsonl",
    "expound judge a.jsonl b.jsonl -d asqa:dev.json --judge \"Rubric(by='asqa')\" --out judged.jsonl --dry-run",
)


def command(
    predictions: list[Path] = typer.Argument(
        None, metavar="[PREDICTIONS…]", help="Two or more prediction files; without them what --people judged."
    ),
    spec: str = typer.Option("Pairwise()", "--judge", metavar="SPEC", help="TwoShot, Rubric, Pairwise, or your own."),
    out: Path = typer.Option(..., "--out", "-o", help="The judgments (.jsonl); replies, items and audit stand beside."),
    model: str = model_options.NAME,
    dataset: str = typer.Option("", "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions, with readings."),
    people: str = typer.Option(
        "", "--people", metavar="LAYOUT:PATH", help="What people chose: for examples, and to hold the judge against."
    ),
    agreed: bool = typer.Option(False, "--agreed", help="Only pairs that several people judged, all alike."),
    limit: int = typer.Option(0, "--limit", min=0, help="Only the first so many pairs."),
    probes: int = typer.Option(
        20, "--probes", min=0, help="Pairs that are changed in what should not matter, to audit the judge."
    ),
    seed: int = typer.Option(0, "--seed", min=0, max=2**32 - 1, help="Of the examples and of the order of answers."),
    threads: int = model_options.THREADS,
    most_cost: float | None = model_options.MOST_COST,
    dry_run: bool = model_options.DRY_RUN,
    html: Path | None = typer.Option(None, "--html", help="Write a page to read: numbers, audit, odd pairs."),
    json: bool = typer.Option(False, "--json", help="Every number, for programs."),
    format: TableFormat = typer.Option(TableFormat.text, "--format", "-f", help="How to print the tables."),
) -> None:
    """Let a text model judge answers as people do, with an audit of the judge beside every number."""
    from expound.files import check_file_place
    from expound.judge import JudgeRequest, audit_table, forecast_judge, judge, rows_table, write_judge_page

    screen.check_format(json, format)
    if html:
        # Before anything is paid for.
        check_file_place(html)
    request = JudgeRequest(
        judge=spec,
        predictions=tuple(predictions or ()),
        dataset=dataset,
        people=people,
        agreed=agreed,
        limit=limit,
        probes=probes,
        seed=seed,
    )
    if dry_run:
        forecast = forecast_judge(request, model=model)
        return screen.print_result(forecast.summary(), lambda: print(f"at most: {forecast}"), as_json=json)
    with screen.progress("judging") as meter:
        found, spent = judge(request, out, model=model, threads=threads, most_cost=most_cost, report=meter.report)
    if html:
        write_judge_page(found, html)
    if json:
        return screen.print_json({**found.record(), "spent": spent})
    screen.print_table(*rows_table(found), format)
    print()
    screen.print_table(*audit_table(found), format)
    model_options.say_spent(spent)
    screen.say(f"{out} has the judgments")
    return None
