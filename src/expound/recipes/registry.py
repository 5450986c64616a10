"""Every table that can be measured by name, and where its data is found in a folder of benchmark files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from expound.recipes import ambigqa_table4, ambigqa_table8, asqa_figure3, asqa_table3, eli5_table3, hurdles_table7
from expound.recipes.statistics_table import AMBIGQA_TABLE, ASQA_TABLES, StatisticsRecipe
from expound.recipes.table import Recipe

RECIPES: Mapping[str, Recipe] = {
    module.RECIPE.name: module.RECIPE
    for module in (asqa_table3, asqa_figure3, eli5_table3, hurdles_table7, ambigqa_table4, ambigqa_table8)
}
STATISTICS: Mapping[str, StatisticsRecipe] = {recipe.name: recipe for recipe in (ASQA_TABLES, AMBIGQA_TABLE)}

_FILES = {
    "asqa": "asqa_dev*.json*",
    "ambignq": "ambignq_dev_light*.json*",
    "nq-open": "nq_open_dev_[0-9]*.jsonl*",
    "eli5": "eli5_official_examples*.json*",
    "eli5-category": "eli5_category_validation*.jsonl*",
    "train": "eli5_category_test*.jsonl*",
}


def find_dataset(folder: Path, layout: str) -> str:
    """The spec of a layout's file below a folder, or nothing; `train` finds training questions."""
    found = sorted(path for path in folder.rglob(_FILES[layout]) if "outputs" not in path.name)
    return f"{'eli5-category' if layout == 'train' else layout}:{found[0]}" if found else ""
