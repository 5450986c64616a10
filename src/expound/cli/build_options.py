"""The options that every `expound build …` has, and what it prints when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from expound.cli import screen

if TYPE_CHECKING:
    from expound.build import StageResult

Out = Annotated[str, typer.Option("--out", "-o", metavar="FOLDER|URL", help="Where shards go; a build in it goes on.")]
Engine = Annotated[
    str, typer.Option("--engine", metavar="NAME", help="Who works: here, daft, ray, or ray://HOST:PORT.")
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, help="Processes that work; 0 takes all cores. Ray takes what it has.")
]
CorpusName = Annotated[
    str | None, typer.Option("--corpus", metavar="NAME", help="The corpus to make of it. Default: named as the output.")
]
NoCorpus = Annotated[bool, typer.Option("--no-corpus", help="Write shards alone.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def print_stage(result: StageResult, *, as_json: bool) -> None:
    """Counts, reasons of what was left out, and the shards that were set aside."""
    screen.print_result(stage_record(result), lambda: print_counts(result), as_json=as_json)
    say_aside(result)


def stage_record(result: StageResult) -> dict[str, Any]:
    """A stage's result as JSON."""
    return {
        "shards": len(result.shards),
        "counts": dict(result.counts),
        "dropped": dict(result.dropped),
        "aside": dict(result.aside),
        "reused": result.reused,
    }


def print_counts(result: StageResult) -> None:
    """A stage's result for people."""
    dropped: Mapping[str, int] = {f"left out, {reason}": count for reason, count in result.dropped.items()}
    rows = {"shards": len(result.shards), **result.counts, **dropped}
    if result.aside:
        rows["shards set aside"] = len(result.aside)
    screen.print_facts(rows)


def print_stages(stages: Mapping[str, StageResult], more: Mapping[str, int], *, as_json: bool) -> None:
    """The same of several stages, and what came out at the end."""
    record = {"stages": {name: stage_record(result) for name, result in stages.items()}, "result": dict(more)}
    screen.print_result(record, lambda: _print_all_counts(stages, more), as_json=as_json)
    for stage, result in stages.items():
        for name, reason in result.aside.items():
            screen.say(f"shard {name} of {stage} was set aside: {reason}")


def _print_all_counts(stages: Mapping[str, StageResult], more: Mapping[str, int]) -> None:
    rows: dict[str, int] = {}
    for name, result in stages.items():
        rows |= {what: count for what, count in result.counts.items() if count}
        rows |= {f"{name} left out, {reason}": count for reason, count in result.dropped.items()}
    screen.print_facts({**rows, **more})


def say_aside(result: StageResult) -> None:
    """Which shards were set aside, and why."""
    for name, reason in result.aside.items():
        screen.say(f"shard {name} was set aside: {reason}")
