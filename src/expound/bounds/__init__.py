"""Answers that look at the references: how good could an answer be?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.bounds.gold import BestGold, LongestGold
    from expound.bounds.oracle import Oracle, OracleSentences
    from expound.bounds.train_answers import BestOfTopK, LongestOfTopK
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "gold": "BestGold LongestGold",
            "oracle": "Oracle OracleSentences",
            "train_answers": "BestOfTopK LongestOfTopK",
        },
    )

__all__ = [
    "BestGold",
    "BestOfTopK",
    "LongestGold",
    "LongestOfTopK",
    "Oracle",
    "OracleSentences",
]
