"""Every table whose data lies below a folder, one after the other: what fails is told, and the others go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound.errors import ExpoundError, UserError
from expound.recipes.catalogue import LISTED, find_recipe
from expound.recipes.shape import Ingredients, Measurement, Recipe, measure

TRAIN = "train"
# By the layout that a recipe is measured on: how the files are called that benchmarks come in.
_FILES = {
    "asqa": "asqa_dev*.json*",
    "ambignq": "ambignq_dev_light*.json*",
    "nq-open": "nq_open_dev_[0-9]*.jsonl*",
    "eli5": "eli5_official_examples*.json*",
    "eli5-category": "eli5_category_validation*.jsonl*",
    "eli5-web": "eli5_web_questions*.jsonl*",
    TRAIN: "eli5_category_test*.jsonl*",
}
# What is looked for by another name than its layout's.
_LAYOUTS = {TRAIN: "eli5-category", "eli5-web": "qa"}


@dataclass(frozen=True)
class Attempt:
    """A recipe with what came of it: a measurement, the reason why it failed, or neither without its data."""

    name: str
    done: Measurement | None = None
    error: str = ""


def find_all(folder: Path) -> dict[str, str]:
    """The dataset of every recipe that can be measured on one, or nothing; a folder without any is refused."""
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}: --data names the one with the benchmarks' files")
    found = {name: find_dataset(folder, recipe.layout) for name, recipe in _measurable().items()}
    if not any(found.values()):
        raise UserError(f"no file below {folder} is one that recipes look for: {', '.join(_FILES.values())}")
    return found


def resources_of_all(found: Mapping[str, str]) -> list[str]:
    """The fetched files that the recipes with a dataset cannot do without."""
    return sorted({name for recipe, dataset in found.items() if dataset for name in find_recipe(recipe).resources})


def find_dataset(folder: Path, layout: str) -> str:
    """The spec of a layout's file below a folder, or nothing.

    `train` finds training questions, `eli5-web` questions with web documents (`expound.recipes.eli5_webgpt`).
    """
    # Outputs of systems are called after the dataset that they answer. Sorted, so that two machines measure the same
    # file.
    found = sorted(path for path in folder.rglob(_FILES[layout]) if "outputs" not in path.name)
    return f"{_LAYOUTS.get(layout, layout)}:{found[0]}" if found else ""


def measure_all(folder: Path, given: Ingredients) -> Iterator[Attempt]:
    """Every recipe in turn, each in a folder of its own; only those that search are given the corpora."""
    train = find_dataset(folder, TRAIN)
    for name, dataset in find_all(folder).items():
        recipe = find_recipe(name)
        corpus = given.corpus if recipe.searches else ()
        yield _attempt(recipe, replace(given, dataset=dataset, train=train, corpus=corpus, out=given.folder / name))


def _attempt(recipe: Recipe[Any], given: Ingredients) -> Attempt:
    if not given.dataset:
        return Attempt(recipe.name)
    try:
        return Attempt(recipe.name, measure(recipe, given))
    # Only our own errors: a bug has to end the run, and must not pass for missing data.
    except ExpoundError as error:
        return Attempt(recipe.name, error=str(error))


def _measurable() -> dict[str, Recipe[Any]]:
    recipes = {name: find_recipe(name) for name in LISTED}
    return {name: recipe for name, recipe in recipes.items() if recipe.layout}
