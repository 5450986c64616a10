"""`expound build`: from a dump, a crawl or a forum to a dataset, on this machine or on a cluster."""

from __future__ import annotations

import typer

from expound.cli import build_passages, screen

app = typer.Typer(help="Make datasets from dumps, crawls and forums; needs the `build` extra.")

EPILOG = screen.examples(
    "expound build passages enwiki-pages-articles.xml.bz2 --out wiki --words 100",
)

# A module a command, as this folder has a module a command: each is long enough by itself.
app.command("passages")(build_passages.command)
