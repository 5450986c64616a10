"""`expound recipe`: measure what the papers' tables measure, on your machine."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen
from expound.cli.screen import TableFormat

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


def _table_command(name: str) -> None:
    @app.command(name)
    def measure_table(
        dataset: str = typer.Option(..., "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions."),
        train: str = typer.Option(
            "", "--train", metavar="LAYOUT:PATH", help="Training questions, for rows that need them."
        ),
        corpus: list[str] = typer.Option([], "--corpus", "-c", metavar="NAME|PATH", help="Where to search."),
        out: Path = _OUT,
        limit: int = typer.Option(0, "--limit", help="Only the first so many questions."),
        jobs: int = typer.Option(1, "--jobs", "-j", min=0, help="Processes that answer; 0 takes all cores."),
        format: TableFormat = typer.Option(TableFormat.markdown, "--format", "-f", help="How to print the table."),
    ) -> None:
        from expound.cli.setup import prepare_embedder
        from expound.recipes.registry import RECIPES
        from expound.recipes.table import Inputs, columns_and_rows, markdown, measure

        recipe, inputs = RECIPES[name], Inputs(dataset, train, tuple(corpus), limit)
        if recipe.needs_corpus:
            prepare_embedder()
        with screen.progress("answering") as meter:
            measured = measure(recipe, inputs, out, jobs=jobs, report=meter.report)
        (out / "table.md").write_text(markdown(recipe, measured), encoding="utf-8")
        screen.print_table(*columns_and_rows(measured), format)
        screen.say(recipe.why)

    measure_table.__doc__ = TABLES[name]


# Named here so that --help need not import the tables; a test keeps both lists the same.
TABLES = {
    "asqa-table3": "ASQA, Table 3: baselines and people.",
    "eli5-table3": "ELI5, Table 3: retrieval and extractive rows.",
    "hurdles-table7": "Krishna et al. 2021, Table 7: bounds on ELI5.",
    "ambigqa-table4": "AmbigQA, Table 4: always the prompt question.",
}
for table_name in TABLES:
    _table_command(table_name)
