"""expound: a workbench for long-form question answering."""

from expound.ask import ask, open_system
from expound.types import Answer, Evidence, Interpretation, Passage, Prediction, Question
from expound.version import __version__

__all__ = [
    "Answer",
    "Evidence",
    "Interpretation",
    "Passage",
    "Prediction",
    "Question",
    "__version__",
    "ask",
    "open_system",
]
