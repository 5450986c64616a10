"""Every table that can be measured by name, and where its data is found in a folder of benchmark files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from expound.recipes import (
    ambigqa_table4,
    ambigqa_table8,
    asqa_figure3,
    asqa_table3,
    eli5_figure7,
    eli5_figure8,
    eli5_table3,
    hurdles_table7,
)
from expound.recipes.ambigqa_table6 import RECIPE as TABLE6
from expound.recipes.control_table import ControlTable
from expound.recipes.eli5_web import WebRecipe
from expound.recipes.hurdles_grounding import CONTENT, CONTROL, OVERLAP
from expound.recipes.hurdles_overlap import RECIPE as TABLE5
from expound.recipes.hurdles_paraphrase import RECIPE as PARAPHRASE
from expound.recipes.hurdles_table11 import RECIPE as TABLE11
from expound.recipes.reader_calibration import RECIPE as CALIBRATION
from expound.recipes.statistics_table import AMBIGQA_TABLE, ASQA_TABLES, StatisticsRecipe
from expound.recipes.support_checks import RECIPE as SUPPORT
from expound.recipes.table import Recipe
from expound.recipes.text_models import CLARIFY, WRITTEN

RECIPES: Mapping[str, Recipe] = {
    module.RECIPE.name: module.RECIPE
    for module in (asqa_table3, asqa_figure3, eli5_table3, hurdles_table7, ambigqa_table4, ambigqa_table8)
} | {recipe.name: recipe for recipe in (CLARIFY, WRITTEN)}
WEB: Mapping[str, WebRecipe] = {
    made.recipe.name: made for made in (eli5_table3.WEB_TABLE, eli5_figure7.FIGURE, eli5_figure8.FIGURE)
}
"""Over questions with web documents (`expound datasets import webgpt:… --evidence …`)."""
STATISTICS: Mapping[str, StatisticsRecipe] = {recipe.name: recipe for recipe in (ASQA_TABLES, AMBIGQA_TABLE)}

CONTROLS: Mapping[str, ControlTable] = {
    recipe.name: recipe
    for recipe in (TABLE6, CALIBRATION, SUPPORT, OVERLAP, CONTENT, CONTROL, TABLE5, TABLE11, PARAPHRASE)
}

_FILES = {
    "asqa": "asqa_dev*.json*",
    "ambignq": "ambignq_dev_light*.json*",
    "nq-open": "nq_open_dev_[0-9]*.jsonl*",
    "eli5": "eli5_official_examples*.json*",
    "eli5-category": "eli5_category_validation*.jsonl*",
    "eli5-web": "eli5_web_questions*.jsonl*",
    "train": "eli5_category_test*.jsonl*",
}


# What is looked for by another name than its layout's.
_LAYOUTS = {"train": "eli5-category", "eli5-web": "qa"}


def find_dataset(folder: Path, layout: str) -> str:
    """The spec of a layout's file below a folder, or nothing.

    `train` finds training questions, `eli5-web` questions with web documents (`expound.recipes.eli5_webgpt`).
    """
    found = sorted(path for path in folder.rglob(_FILES[layout]) if "outputs" not in path.name)
    return f"{_LAYOUTS.get(layout, layout)}:{found[0]}" if found else ""
