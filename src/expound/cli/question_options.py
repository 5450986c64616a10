"""The options of commands that take a question."""

from __future__ import annotations

import typer

CORPUS: list[str] = typer.Option(
    [],
    "--corpus",
    "-c",
    metavar="NAME|PATH",
    help="Where to look; repeatable. Default: all of your corpora, else the bundled sampler.",
)
