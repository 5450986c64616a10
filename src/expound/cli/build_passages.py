"""`expound build passages`: a Wikipedia dump as passages that can be searched and asked."""

from __future__ import annotations

from typing import Annotated

import typer

from expound.cli import screen
from expound.cli.build_options import CorpusName, Engine, Jobs, Json, NoCorpus, Out, print_stage


def command(
    inputs: Annotated[list[str], typer.Argument(help="Dumps: files, folders, patterns or URLs.")],
    out: Out,
    words: Annotated[
        int, typer.Option("--words", min=0, help="Words a passage, cut as DPR did; 0 keeps sentences whole.")
    ] = 100,
    corpus: CorpusName = None,
    no_corpus: NoCorpus = False,
    engine: Engine = "here",
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Make passages of Wikipedia dumps, XML (also bzip2) or JSON. The same command goes on where it was stopped."""
    from expound.build import build_passages, choose_engine

    chosen = choose_engine(engine, jobs=jobs)
    with screen.progress("passages") as meter:
        result = build_passages(
            inputs, out, words=words, corpus="" if no_corpus else corpus, engine=chosen, report=meter.report
        )
    print_stage(result, as_json=json)
