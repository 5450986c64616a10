"""`expound recipe`: measure what the papers' tables measure, on your machine."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen

app = typer.Typer(help="Tables of the papers and of this project, measured anew.")

EPILOG = screen.examples(
    "expound recipe asqa-extractive passages.jsonl.gz asqa_dev.json.gz --out runs/asqa",
    "expound recipe clapnq-abstention answerable.jsonl.gz unanswerable.jsonl.gz --out runs/clapnq",
)
_OUT = typer.Option(..., "--out", "-o", help="Where predictions and the table go.")


@app.command("asqa-extractive")
def asqa_extractive(
    passages: Path = typer.Argument(
        ..., help="Ready passages (JSON Lines) whose meta.source marks ASQA's gold contexts."
    ),
    dataset: Path = typer.Argument(..., help="ASQA in its official layout."),
    out: Path = _OUT,
    limit: int = typer.Option(0, "--limit", help="Only the first so many questions."),
    vectors: bool = typer.Option(False, "--vectors", help="Search by meaning too: a vector of every passage."),
) -> None:
    """Answer quality and retrieval on ASQA dev, with and without the gold contexts in the corpus."""
    from expound.recipes.asqa_extractive import markdown, run

    with screen.progress("reading") as meter:
        rows = run(passages, dataset, out, limit=limit, vectors=vectors, report=meter.report)
    print(markdown(rows))


@app.command("clapnq-abstention")
def clapnq_abstention(
    answerable: Path = typer.Argument(..., help="CLAPNQ's answerable questions."),
    unanswerable: Path = typer.Argument(..., help="CLAPNQ's unanswerable questions."),
    out: Path = _OUT,
) -> None:
    """How often questions with and without an answer in the passages are answered."""
    from expound.recipes.clapnq_abstention import run

    with screen.progress("reading") as meter:
        screen.print_json(run(answerable, unanswerable, out, report=meter.report))
