"""`expound build split`: questions that training does not ask already, by words and by meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from expound.cli import screen
from expound.cli.build_options import Json


def command(
    dataset: Annotated[str, typer.Option("--dataset", "-d", metavar="LAYOUT:PATH", help="The questions to split.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for valid.jsonl and the others (layout qa).")],
    train: Annotated[
        list[str] | None,
        typer.Option(
            "--train",
            metavar="LAYOUT:PATH",
            help="Questions that train already (a file alone has the dataset's layout); repeatable.",
        ),
    ] = None,
    threshold: Annotated[float, typer.Option("--threshold", help="From which TF-IDF cosine on two are close.")] = 0.5,
    valid: Annotated[float, typer.Option("--valid", min=0.0, max=1.0, help="Without --train: what validates.")] = 0.037,
    test: Annotated[float, typer.Option("--test", min=0.0, max=1.0, help="Without --train: what tests.")] = 0.092,
    no_vectors: Annotated[bool, typer.Option("--no-vectors", help="Compare by words alone.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**32 - 1, help="Of what is drawn.")] = 0,
    json: Json = False,
) -> None:
    """Keep the questions that have no near neighbour in training; without --train, share a dataset out that way."""
    from expound.build import SplitRequest, SplitRules, build_split
    from expound.cli.setup import prepare
    from expound.corpus import default_embedder

    rules = SplitRules(threshold=threshold, valid=valid, test=test, seed=seed)
    prepare(by_meaning=not no_vectors)
    with screen.progress("split") as meter:
        embedder = None if no_vectors else default_embedder()
        sizes = build_split(SplitRequest(dataset, train or (), rules), out, embedder=embedder, report=meter.report)
    screen.print_result(sizes, lambda: screen.print_facts(sizes), as_json=json)
