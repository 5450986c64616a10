"""P-values as they are printed: never as zero, since no test can prove that."""

from __future__ import annotations

import math

SMALLEST = 0.0001
"""The last place that four digits can tell; a smaller p-value is said to be below it."""


def shown_p(p_value: float) -> str:
    """A p-value as the cell of a table.

    >>> shown_p(0.04321), shown_p(0.00004)
    ('0.0432', '< 0.0001')
    """
    # A dash: where nothing could be tested, "1.0000" would say that it was.
    if math.isnan(p_value):
        return "–"
    return f"< {SMALLEST}" if p_value < SMALLEST else f"{p_value:.4f}"


def told_p(p_value: float) -> str:
    """A p-value within a sentence.

    >>> told_p(0.04321), told_p(0.00004)
    ('p = 0.0432', 'p < 0.0001')
    """
    shown = shown_p(p_value)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"
