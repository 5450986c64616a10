"""`expound build contexts`: a context passage for each reading of an ambiguous question, as in ASQA."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from expound.cli import screen
from expound.cli.build_options import Json


def command(
    dataset: Annotated[
        str, typer.Option("--dataset", "-d", metavar="LAYOUT:PATH", help="Questions with readings and viewed pages.")
    ],
    corpus: Annotated[list[str], typer.Option("--corpus", "-c", metavar="NAME|PATH", help="Where the pages are.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for contexts.jsonl (layout qa).")],
    threshold: Annotated[float, typer.Option("--threshold", help="From which TF-IDF cosine on to give one.")] = 0.1,
    json: Json = False,
) -> None:
    """Find a context for each reading: of the pages annotators viewed, what holds its answer and is nearest to it."""
    from expound.build import ContextRequest, ContextRules, build_contexts

    request = ContextRequest(dataset, corpus, ContextRules(threshold))
    with screen.progress("contexts") as meter:
        counts = build_contexts(request, out, report=meter.report)
    screen.print_result(counts, lambda: screen.print_facts(counts), as_json=json)
