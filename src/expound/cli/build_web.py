"""`expound build web`: web archives as clean pages, with the reason of everything that was left out."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from expound.cli import screen
from expound.cli.build_options import Engine, Jobs, Json, Out, print_counts, say_aside, stage_record


def command(
    inputs: Annotated[list[str], typer.Argument(help="WARC or WET archives: files, folders, patterns or URLs.")],
    out: Out,
    language: Annotated[str, typer.Option("--language", help="The language to keep; any keeps all.")] = "en",
    careful: Annotated[bool, typer.Option("--careful", help="Extract with trafilatura, which is much slower.")] = False,
    engine: Engine = "here",
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Make clean pages of web archives, each of them once. The same command goes on where it was stopped."""
    from expound.build import ExtractPages, build_web, choose_engine

    kept = "" if language == "any" else language
    work = ExtractPages(language=kept, extractor="trafilatura" if careful else "resiliparse")
    with screen.progress("web") as meter:
        results = build_web(inputs, out, work=work, engine=choose_engine(engine, jobs=jobs), report=meter.report)

    def print_stages() -> None:
        for name in ("extracted", "pages"):
            screen.line(name)
            print_counts(results[name])

    screen.print_result(
        lambda: {name: stage_record(result) for name, result in results.items()}, print_stages, as_json=json
    )
    for result in results.values():
        say_aside(result)
    _say_next(out, results["pages"].counts.get("pages", 0))


def _say_next(out: str, pages: int) -> None:
    """Where the pages are, and what to type to ask them."""
    from expound.build import OutPlace
    from expound.corpus import name_for

    place = OutPlace(out)
    folder = place.join("pages")
    if not pages:
        screen.say(f"no page was kept; {place.join('dropped')} has the reasons")
    elif place.is_here:
        add = f"expound corpus add {shlex.quote(folder)} --name {name_for(Path(out))}"
        screen.say(f"the pages are in {folder}; to ask them: {add}")
    else:
        screen.say(f"the pages are in {folder}; to ask them, copy them here and `expound corpus add` them")
