"""What a thousand answers take, as it is printed beside what a metric says of them."""

from __future__ import annotations

import math

COST_HEADING = "CPU-s / 1,000"
_SMALLEST = 0.001  # CPU-seconds: a microsecond an answer, and clocks tell no less


def show_cost(seconds: float) -> str:
    """CPU-seconds a thousand answers as the cell of a table; never as 0, since nothing is free.

    >>> show_cost(1234.56), show_cost(0.437), show_cost(0.0001)
    ('1,234.6', '0.44', '< 0.001')
    """
    if math.isnan(seconds):
        return "–"
    if seconds < _SMALLEST:
        return f"< {_SMALLEST}"
    return f"{seconds:,.1f}" if seconds >= 1 else f"{seconds:.2g}"
