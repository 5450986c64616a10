"""expound: a workbench for long-form question answering."""

from expound.look import search
from expound.score.compare import compare
from expound.score.results import score
from expound.system import ask, open_system
from expound.types import Answer, Comparison, Evidence, Interpretation, MetricResult, Passage, Prediction, Question
from expound.version import __version__

__all__ = [
    "Answer",
    "Comparison",
    "Evidence",
    "Interpretation",
    "MetricResult",
    "Passage",
    "Prediction",
    "Question",
    "__version__",
    "ask",
    "compare",
    "open_system",
    "score",
    "search",
]
