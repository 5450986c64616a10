"""A question to its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.retrieve.given import Given, Nothing
    from expound.retrieve.hybrid import Hybrid
    from expound.retrieve.single import Dense, Lexical
else:
    __getattr__ = give(
        __name__,
        {
            "given": "Given Nothing",
            "hybrid": "Hybrid",
            "single": "Dense Lexical",
        },
    )

__all__ = [
    "Dense",
    "Given",
    "Hybrid",
    "Lexical",
    "Nothing",
]
