"""One file per table or figure: rows, published values, how to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.recipes.catalogue import LISTED, find_recipe
    from expound.recipes.dataset_plot import plot_statistics
    from expound.recipes.dataset_stats import measure_dataset
    from expound.recipes.eli5_webgpt import import_with_evidence
    from expound.recipes.every_table import Attempt, find_all, measure_all, resources_of_all
    from expound.recipes.shape import Ingredients, Measurement, Recipe, check, check_surroundings, measure
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "catalogue": "LISTED find_recipe",
            "dataset_plot": "plot_statistics",
            "dataset_stats": "measure_dataset",
            "eli5_webgpt": "import_with_evidence",
            "every_table": "Attempt find_all measure_all resources_of_all",
            "shape": "Ingredients Measurement Recipe check check_surroundings measure",
        },
    )

__all__ = [
    "LISTED",
    "Attempt",
    "Ingredients",
    "Measurement",
    "Recipe",
    "check",
    "check_surroundings",
    "find_all",
    "find_recipe",
    "import_with_evidence",
    "measure",
    "measure_all",
    "measure_dataset",
    "plot_statistics",
    "resources_of_all",
]
