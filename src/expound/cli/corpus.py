"""`expound corpus`: documents in, documents out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from expound.cli import screen
from expound.errors import UserError

app = typer.Typer(help="Your documents: add, list, show, remove.")

EPILOG = screen.examples(
    "expound corpus add ~/papers notes.md --name papers",
    "find notes -name '*.md' | expound corpus add - --name notes",
    "expound corpus add passages.jsonl.gz --name wiki --where 'meta.source != draft' --vectors",
)
_STDIN = Path("-")
_JSON = typer.Option(False, "--json", help="Print as JSON.")


@app.command("add")
def add_paths(
    paths: list[Path] = typer.Argument(
        ...,
        help="Files and folders: text, Markdown, reStructuredText, HTML, PDF, DOCX, ODT, PPTX, EPUB, notebooks, mail, "
        "LaTeX, Org, AsciiDoc, CSV, TSV, JSON Lines; also gzipped. - reads their paths from stdin, one a line.",
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
    from expound.cli.corpus_screen import print_summary
    from expound.cli.setup import prepare
    from expound.corpus import add, needed_files

    given = list(_with_stdin(paths))
    name = name or _name_for(paths, given)
    prepare(needed_files(name, vectors=vectors))
    with screen.progress("reading") as meter:
        corpus, summary = add(given, name=name, where=where, vectors=vectors, report=meter.report)
    print_summary(corpus, summary, as_json=json)


@app.command("list")
def list_(json: bool = _JSON) -> None:
    """The corpora of this machine."""
    from expound.corpus import list_corpora

    corpora = list_corpora()
    columns = ("name", "documents", "passages", "aliases", "rejects", "vectors", "state")
    screen.print_result(corpora, lambda: screen.print_records(corpora, columns), as_json=json)


@app.command()
def show(name: str = typer.Argument(..., help="The corpus."), json: bool = _JSON) -> None:
    """What is in a corpus: counts, languages, files that could not be read."""
    from expound.cli.corpus_screen import print_description
    from expound.corpus import describe_corpus, open_named

    description = describe_corpus(open_named(name))
    screen.print_result(description, lambda: print_description(description), as_json=json)


@app.command("remove")
def remove_corpus(name: str = typer.Argument(..., help="The corpus.")) -> None:
    """Delete a corpus and its indexes; your documents are not touched."""
    from expound.corpus import remove

    remove(name)
    screen.say(f"removed {name}")


def _with_stdin(paths: Sequence[Path]) -> Iterator[Path]:
    """The paths, those that stdin names in place of a `-`."""
    for path in paths:
        if path != _STDIN:
            yield path
            continue
        lines = [line.rstrip(b"\r\n") for line in sys.stdin.buffer]
        if not any(lines):
            raise UserError("no path on stdin: `corpus add -` reads paths, one a line")
        yield from (Path(os.fsdecode(line)) for line in lines if line)


def _name_for(paths: Sequence[Path], given: Sequence[Path]) -> str:
    """The name of a corpus that was given none; a list of files is named after the folder that holds them all."""
    from expound.corpus import name_for

    if _STDIN not in paths or len(given) < 2:
        return name_for(given[0])
    return name_for(Path(os.path.commonpath([os.path.abspath(path) for path in given])))
