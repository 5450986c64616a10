"""Every table that can be measured by name."""

from __future__ import annotations

from expound.recipes import ambigqa_table4, asqa_table3, eli5_table3, hurdles_table7

RECIPES = {
    recipe.name: recipe
    for recipe in (asqa_table3.RECIPE, eli5_table3.RECIPE, hurdles_table7.RECIPE, ambigqa_table4.RECIPE)
}
