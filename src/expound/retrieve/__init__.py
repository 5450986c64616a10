"""A question to its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.retrieve.given import Given, Nothing
    from expound.retrieve.hybrid import Hybrid
    from expound.retrieve.neighbours import Neighbour, near_each_other
    from expound.retrieve.single import Dense, Lexical
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "given": "Given Nothing",
            "hybrid": "Hybrid",
            "neighbours": "Neighbour near_each_other",
            "single": "Dense Lexical",
        },
    )

__all__ = [
    "Dense",
    "Given",
    "Hybrid",
    "Lexical",
    "Neighbour",
    "Nothing",
    "near_each_other",
]
