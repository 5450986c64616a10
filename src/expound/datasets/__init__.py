"""Benchmark files to questions: one file per layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.datasets.dataset_facts import (
        dataset_record,
        describe_dataset,
        describe_layouts,
        read_dataset,
        sample_dataset,
    )
    from expound.datasets.imported import Imported, imported_datasets
    from expound.datasets.leaks import without_leaks
    from expound.datasets.predictions import read_predictions
    from expound.datasets.spec import import_dataset, layouts, open_dataset, open_judged, open_preferences
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "dataset_facts": "dataset_record describe_dataset describe_layouts read_dataset sample_dataset",
            "imported": "Imported imported_datasets",
            "leaks": "without_leaks",
            "predictions": "read_predictions",
            "spec": "import_dataset layouts open_dataset open_judged open_preferences",
        },
    )

__all__ = [
    "Imported",
    "dataset_record",
    "describe_dataset",
    "describe_layouts",
    "import_dataset",
    "imported_datasets",
    "layouts",
    "open_dataset",
    "open_judged",
    "open_preferences",
    "read_dataset",
    "read_predictions",
    "sample_dataset",
    "without_leaks",
]
