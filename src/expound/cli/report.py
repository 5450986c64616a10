"""`expound report`: runs as a page, with their numbers, controls, people's votes and every answer."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from expound.cli import screen
from expound.cli.model_options import READER

EPILOG = screen.examples(
    "expound report runs/a runs/b --audit --out report.html",
    "expound report runs/a runs/b --people judgments.jsonl --out report.html",
    "expound report a.jsonl b.jsonl --dataset asqa:dev.json --format latex",
)


class ReportFormat(StrEnum):
    """What a report is written as."""

    html = "html"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"
    json = "json"


def command(
    runs: list[Path] = typer.Argument(..., metavar="RUN…", help="Folders of runs, or files of predictions."),
    out: Path | None = typer.Option(None, "--out", "-o", help="The file to write; tables are printed without it."),
    format: ReportFormat = typer.Option(ReportFormat.html, "--format", "-f", help="The page, or its numbers."),
    split: bool = typer.Option(False, "--split", help="A folder: the page opens at once, however many answers."),
    dataset: str = typer.Option(
        "", "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions; runs know their own."
    ),
    profile: str = typer.Option("", "--profile", "-p", help="Default: that of the dataset's paper."),
    metric: list[str] = typer.Option(
        [], "--metric", "-m", help="Only these metrics: a name of the profile, or a spec."
    ),
    reader: str = READER,
    audit: bool = typer.Option(False, "--audit", help="Audit what has no audit in its folder yet."),
    people: list[Path] = typer.Option(
        [], "--people", help="Judgments of a study (expound study export), or of a judge; repeatable."
    ),
    allow_missing: bool = typer.Option(False, "--allow-missing", help="Report what every file has."),
    seed: int = typer.Option(0, "--seed", min=0, max=2**32 - 1, help="Of the bootstrap and the permutations."),
    samples: int = typer.Option(10_000, "--samples", min=1, help="Resamples, and permutations, of a comparison."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=0, help="Processes that score; 0 takes all cores."),
) -> None:
    """Runs in one file that opens anywhere: numbers that can be believed or not, and every answer to look at."""
    from expound.cli.setup import prepare
    from expound.report import ReportRequest, check_place, report, report_text, write_report

    check_place(out, format, split=split)
    request = ReportRequest(
        sources=runs,
        dataset=dataset,
        profile=profile,
        metrics=tuple(metric),
        reader=reader,
        audit=audit,
        people=people,
        allow_missing=allow_missing,
        seed=seed,
        samples=samples,
        jobs=jobs,
    )
    prepare(request.scoring_resources())
    with screen.progress("scoring") as meter:
        reported = report(request, progress=meter.report)
    if out is None:
        print(report_text(reported, format), end="")
        return
    written = write_report(reported, out, format, split=split)
    screen.say(f"{written}: {len(reported.questions):,} questions, {screen.human_bytes(written.stat().st_size)}")
