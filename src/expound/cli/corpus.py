"""`expound corpus`: documents in, documents out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from expound.cli import question_options, screen
from expound.errors import UserError
from expound.files import user_path

if TYPE_CHECKING:
    from expound.corpus import Fetched

app = typer.Typer(help="Your documents: add, list, show, remove.")

EPILOG = screen.examples(
    "expound corpus add ~/papers notes.md --name papers",
    "find notes -name '*.md' | expound corpus add - --name notes",
    "expound corpus add https://docs.python.org/3/faq/general.html --name python",
    "expound corpus add passages.jsonl.gz --name wiki --where 'meta.source != draft' --vectors",
)
_STDIN = "-"
_JSON = typer.Option(False, "--json", help="Print as JSON.")


@app.command("add")
def add_paths(
    paths: list[str] = typer.Argument(
        ...,
        help="Files and folders: text, Markdown, reStructuredText, HTML, PDF, DOCX, ODT, PPTX, EPUB, notebooks, mail, "
        "LaTeX, Org, AsciiDoc, man pages, Info, CSV, TSV, JSON Lines; also gzipped. An address (https://…) is fetched "
        "once. - reads paths from stdin, one a line.",
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
    embedder: str = question_options.EMBEDDER,
    private: bool = typer.Option(
        False, "--private", help="Also fetch from addresses of this machine and of its own network."
    ),
    json: bool = _JSON,
) -> None:
    """Make a corpus from files, folders and addresses, or bring it up to date with them."""
    from expound.cli.corpus_screen import print_summary
    from expound.cli.setup import prepare
    from expound.corpus import add, is_address, needed_files

    given = list(_with_stdin(paths))
    _refuse_leading_name(given)
    name = name or _name_for(paths, given)
    # Before anything is fetched or read: what is missing is asked for while nothing has been done.
    prepare(needed_files(name, vectors=vectors, embedder=embedder))
    fetched = [_fetch(text, private=private) for text in given if is_address(text)]
    files = [Path(text) for text in given if not is_address(text)]
    with screen.progress("reading") as meter:
        corpus, summary = add(
            files,
            name=name,
            where=where,
            vectors=vectors,
            embedder=embedder,
            report=meter.report,
            fetched=fetched,
        )
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


def _fetch(address: str, *, private: bool) -> Fetched:
    """What stands at an address, told before it is asked for and when it is there."""
    from expound.corpus import fetch_address

    screen.say(f"fetching {address}, once; nothing else is asked for")
    with screen.progress(address, is_bytes=True) as meter:
        fetched = fetch_address(address, private=private, report=meter.report)
    screen.say(f"fetched {screen.human_bytes(len(fetched.data))}, read as {fetched.suffix}")
    return fetched


def _with_stdin(paths: Sequence[str]) -> Iterator[str]:
    """The paths, those that stdin names in place of a `-`."""
    for path in paths:
        if path != _STDIN:
            yield path
            continue
        # As bytes: names of files need not be UTF-8, and only the line end is not part of them.
        lines = [line.rstrip(b"\r\n") for line in sys.stdin.buffer]
        if not any(lines):
            raise UserError("no path on stdin: `corpus add -` reads paths, one a line")
        yield from (_check_line(os.fsdecode(line)) for line in lines if line)


def _check_line(path: str) -> str:
    """The path or address that a line of stdin names; who pipes a text is told that it has to be a file."""
    from expound.corpus import is_address

    if is_address(path) or os.path.lexists(user_path(path)):
        return path
    raise UserError(
        f"stdin names no file {path[:80]!r}: `corpus add -` reads paths, one a line; save a text as .txt and add that"
    )


def _refuse_leading_name(given: Sequence[str]) -> None:
    """A plain word that is no file, before paths that are there, is the name that the corpus was to have."""
    first, *others = given
    if others and first.isidentifier() and not os.path.lexists(user_path(first)):
        raise UserError(f"no file or folder is called {first!r}; if the corpus is to be called so, say --name {first}")


def _name_for(paths: Sequence[str], given: Sequence[str]) -> str:
    """The name of a corpus that was given none; a list of files is named after the folder that holds them all."""
    from expound.corpus import host_of, is_address, name_for

    if is_address(given[0]):
        return host_of(given[0])
    files = [os.path.abspath(path) for path in given if not is_address(path)]
    return name_for(Path(os.path.commonpath(files) if _STDIN in paths and len(files) > 1 else given[0]))
