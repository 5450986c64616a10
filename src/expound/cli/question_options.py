"""The options of commands that take a question."""

from __future__ import annotations

from enum import StrEnum

import typer


class ShownSources(StrEnum):
    """How much of its sources an answer shows."""

    short = "short"
    full = "full"
    none = "none"


EMBEDDER: str = typer.Option(
    "",
    "--embedder",
    metavar="FILE",
    help="Compare texts by an embedder of `expound train retriever` in place of MiniLM.",
)
CORPUS: list[str] = typer.Option(
    [],
    "--corpus",
    "-c",
    metavar="NAME|PATH",
    help="Where to look; repeatable. Default: all of your corpora, else the bundled sampler.",
)
