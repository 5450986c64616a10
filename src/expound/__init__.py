"""expound: a workbench for long-form question answering.

Here are the verbs that compose several stages, and the nouns. A stage's own verb lives in its package under the stage's
word: `from expound.score import score`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give
from expound.version import __version__

if TYPE_CHECKING:
    from expound.experiment import run
    from expound.look import search
    from expound.score import compare
    from expound.system import System, ask, open_system
    from expound.types import (
        Answer,
        Comparison,
        Evidence,
        Interpretation,
        Judgment,
        MetricResult,
        Passage,
        Prediction,
        Question,
        Sentence,
    )
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "experiment": "run",
            "look": "search",
            "score": "compare",
            "system": "System ask open_system",
            "types": (
                "Answer Comparison Evidence Interpretation Judgment MetricResult Passage Prediction Question Sentence"
            ),
        },
    )

__all__ = [
    "Answer",
    "Comparison",
    "Evidence",
    "Interpretation",
    "Judgment",
    "MetricResult",
    "Passage",
    "Prediction",
    "Question",
    "Sentence",
    "System",
    "__version__",
    "ask",
    "compare",
    "open_system",
    "run",
    "search",
]
