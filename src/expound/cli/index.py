"""`expound index`: what makes a corpus searchable."""

from __future__ import annotations

import typer

from expound.cli import question_options, screen

app = typer.Typer(help="The search indexes of a corpus: what is there, build anew.")

EPILOG = screen.examples("expound index info", "expound index build papers --vectors")


@app.command()
def info(
    names: list[str] = typer.Argument(None, help="Corpora; all of them by default."),
    json: bool = typer.Option(False, "--json", help="Print as JSON."),
) -> None:
    """Sizes and states of the indexes."""
    from expound.cli.index_screen import print_indexes, shown_index
    from expound.corpus import list_indexes, vector_store

    rows = [shown_index(facts) for facts in list_indexes(names or ())]
    kept = len(vector_store())
    screen.print_result(
        {"indexes": rows, "vectors_kept": kept}, lambda: print_indexes(rows, vectors_kept=kept), as_json=json
    )


@app.command()
def build(
    name: str = typer.Argument(..., help="The corpus."),
    vectors: bool = typer.Option(False, "--vectors", help="Also build a vector of every passage."),
    embedder: str = question_options.EMBEDDER,
) -> None:
    """Build the indexes anew from the stored passages."""
    from expound.cli.setup import prepare
    from expound.corpus import needed_files, rebuild

    prepare(needed_files(name, vectors=vectors, embedder=embedder))
    with screen.progress("indexing") as meter:
        corpus = rebuild(name, vectors=vectors, embedder=embedder, report=meter.report)
    screen.say(f"{name}: {len(corpus.lexical):,} passages indexed")
