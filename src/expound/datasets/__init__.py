"""Benchmark files to questions: one file per layout."""

from expound.datasets.predictions import read_predictions
from expound.datasets.spec import import_dataset, layouts, open_dataset, open_preferences

__all__ = ["import_dataset", "layouts", "open_dataset", "open_preferences", "read_predictions"]
