"""`expound meta`: does this number prefer what people prefer?"""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen
from expound.cli.screen import TableFormat

EPILOG = screen.examples(
    "expound meta --people xu2023:experts.jsonl --metric 'SelfBleu()' --html meta.html",
    "expound meta --people qa-feedback:dev.json --people wikieval:wiki.json --metric 'Rouge(kind=\"l\")' --json",
)


def command(
    people: list[str] = typer.Option(
        ..., "--people", metavar="LAYOUT:PATH", help="Judgments of people, such as xu2023:experts.jsonl; repeatable."
    ),
    metric: list[str] = typer.Option(
        ..., "--metric", "-m", metavar="SPEC", help="A metric or a profile; - before it: lower is better. Repeatable."
    ),
    ties: str = typer.Option(
        "half", "--ties", metavar="half|wrong|out", help="What a metric gets that gives both answers one number."
    ),
    html: Path | None = typer.Option(None, "--html", help="Write a page to read: table, picture, disagreements."),
    json: bool = typer.Option(False, "--json", help="Every row, cuts included, for programs."),
    format: TableFormat = typer.Option(TableFormat.text, "--format", "-f", help="How to print the table."),
) -> None:
    """Hold metrics against people: how often they prefer what people prefer, beside length and chance."""
    from expound.cli.setup import prepare
    from expound.files import check_file_place
    from expound.meta import facts_of, meta, metric_resources, summary_table, write_page

    screen.check_format(json, format)
    if html:
        check_file_place(html)
    prepare(metric_resources(metric))
    with screen.progress("scoring") as meter:
        found = meta(people, metric, ties=ties, report=meter.report)
    if html:
        write_page(found, html)
    if json:
        screen.print_json([row.record() for row in found.rows])
        return
    screen.print_table(*summary_table(found), format)
    for fact in facts_of(found):
        screen.say(fact)
