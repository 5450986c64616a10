"""`expound corpus`: documents in, documents out."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen

app = typer.Typer(help="Your documents: add, list, show, remove.")

EPILOG = screen.examples(
    "expound corpus add ~/papers notes.md --name papers",
    "expound corpus add passages.jsonl.gz --name wiki --where 'meta.source != draft' --vectors",
)
_JSON = typer.Option(False, "--json", help="Print as JSON.")


@app.command()
def add(
    paths: list[Path] = typer.Argument(
        ...,
        help="Files and folders: text, Markdown, reStructuredText, HTML, PDF, DOCX, ODT, PPTX, EPUB, notebooks, mail, "
        "LaTeX, Org, AsciiDoc, CSV, TSV, JSON Lines; also gzipped.",
    ),
    name: str = typer.Option(
        "", "--name", "-n", help="The corpus to make or extend; by default named after the first path."
    ),
    where: list[str] = typer.Option(
        [], "--where", help="Take only passages for which this holds, e.g. 'meta.source != draft'; repeatable."
    ),
    vectors: bool = typer.Option(
        False, "--vectors", help="Also build a vector of every passage: better search, minutes per 10,000 passages."
    ),
    json: bool = _JSON,
) -> None:
    """Make a corpus from files and folders, or bring it up to date with them."""
    from expound import library
    from expound.cli.corpus_screen import print_summary
    from expound.cli.setup import prepare_embedder

    if vectors:
        prepare_embedder()
    with screen.progress("reading") as meter:
        corpus, summary = library.add(
            paths, name=name or library.name_for(paths[0]), where=where, vectors=vectors, report=meter.report
        )
    print_summary(corpus, summary, as_json=json)


@app.command("list")
def list_(json: bool = _JSON) -> None:
    """The corpora of this machine."""
    from expound import library
    from expound.cli.corpus_screen import describe

    corpora = [describe(library.open_corpus(name)) for name in [*library.corpus_names(), library.SAMPLER]]
    if json:
        screen.print_json(corpora)
    else:
        columns = ("name", "documents", "passages", "aliases", "rejects", "vectors", "state")
        screen.table(columns, [[item[column] for column in columns] for item in corpora])


@app.command()
def show(name: str = typer.Argument(..., help="The corpus."), json: bool = _JSON) -> None:
    """What is in a corpus: counts, languages, files that could not be read."""
    from expound import library
    from expound.cli.corpus_screen import describe, print_description

    description = describe(library.open_corpus(name))
    if json:
        screen.print_json(description)
    else:
        print_description(description)


@app.command()
def remove(name: str = typer.Argument(..., help="The corpus.")) -> None:
    """Delete a corpus and its indexes; your documents are not touched."""
    from expound import library

    library.remove(name)
    screen.say(f"removed {name}")
