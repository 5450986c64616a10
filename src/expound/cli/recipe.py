"""`expound recipe`: measure what the papers' tables measure, on your machine."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from expound.cli import screen
from expound.cli.recipe_options import CORPUS, JOBS, LIMIT, OPTIONS, OUT, ingredients_of
from expound.cli.screen import TableFormat
from expound.recipes.catalogue import LISTED, find_recipe

if TYPE_CHECKING:
    from expound.recipes.shape import Measurement

app = typer.Typer(help="Tables of the papers and of this project, measured anew.")

EPILOG = screen.examples(
    "expound recipe asqa-extractive passages.jsonl.gz asqa_dev.json.gz --out runs/asqa",
    "expound recipe documents-qa --set docfaq --data documents_qa --half choose",
    "expound recipe clapnq-abstention answerable.jsonl.gz unanswerable.jsonl.gz --out runs/clapnq",
)


def _register(name: str) -> None:
    """Make a command of a recipe, with the options that it takes."""
    listed = LISTED[name]

    def command(**given: Any) -> None:
        _run(name, **given)

    types = {key: OPTIONS[key].type for key in listed.takes}
    command.__annotations__ = types
    keyword = inspect.Parameter.KEYWORD_ONLY
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined] # where typer reads options from
        [inspect.Parameter(key, keyword, default=OPTIONS[key].written, annotation=types[key]) for key in types]
    )
    app.command(name, help=listed.about)(command)


def _run(name: str, *, format: TableFormat | None = None, json: bool = False, **given: Any) -> None:
    from expound.cli.setup import prepare
    from expound.recipes import Ingredients, check, measure

    screen.check_format(json, format or TableFormat.markdown, usual=TableFormat.markdown)
    recipe, ingredients = find_recipe(name), Ingredients(**ingredients_of(given))
    check(recipe, ingredients)
    prepare(recipe.resources, by_meaning=recipe.searches)
    with screen.progress("measuring") as meter:
        done = measure(recipe, replace(ingredients, report=meter.report))
    # A recipe without --format has no table: its few numbers are printed for programs.
    as_json = json or format is None
    screen.print_result(done.record, lambda: _print(done, format or TableFormat.markdown), as_json=as_json)


@app.command("all")
def measure_every_table(
    data: Path = typer.Option(..., "--data", help="A folder with the benchmarks' files."),
    corpus: list[str] = CORPUS,
    out: Path = OUT,
    limit: int = LIMIT,
    jobs: int = JOBS,
) -> None:
    """Every table whose data is found below a folder; what fails is told, and the others go on."""
    from expound.cli.setup import prepare
    from expound.errors import RecipesFailed
    from expound.recipes import Ingredients, check_surroundings, find_all, measure_all, resources_of_all

    given = Ingredients(corpus=tuple(corpus), out=out, limit=limit, jobs=jobs)
    check_surroundings(given)
    found = find_all(data)
    count = sum(map(bool, found.values()))
    prepare(resources_of_all(found), by_meaning=True)
    failed = []
    with screen.progress("measuring") as meter:
        for attempt in measure_all(data, replace(given, report=meter.report)):
            if attempt.done:
                print(f"\n## {attempt.name}\n")
                _print(attempt.done, TableFormat.markdown)
            elif attempt.error:
                failed.append(attempt.name)
                print(f"\n## {attempt.name}: failed")
                screen.show_error(attempt.error, label=f"{attempt.name}: ")
            else:
                print(f"\n## {attempt.name}: left out, its data is not there")
    if failed:
        raise RecipesFailed(f"{len(failed)} of {count} recipes failed: {', '.join(failed)}")


def _print(done: Measurement, format: TableFormat) -> None:
    tables = done.tables()
    if len(tables) > 1:
        print(f"### {done.title}\n")
    for number, table in enumerate(tables):
        print("\n" if number else "", end="")
        screen.print_table(*table, format)
    if done.recipe.why:
        screen.say(done.recipe.why)


for recipe_name in LISTED:
    _register(recipe_name)
