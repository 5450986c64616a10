"""A picture of figures and their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Mapping

from expound.pages.html import Html, escape, tag
from expound.pages.plots import label_at, ticks
from expound.stats.proportions import Figure

# In units of the drawing, which the page stretches; on the left is room for the names, at the foot for the scale.
_WIDTH, _LEFT, _RIGHT, _ROW, _FOOT = 640, 230, 16, 28, 30
# What fits into the room for names at the size of the page's small type.
_LONGEST_NAME = 28


def forest(title: str, figures: Mapping[str, Figure]) -> Html:
    """Names on the left, a dot with its interval on the right; nothing where no figure is defined."""
    shown = {name: one for name, one in figures.items() if math.isfinite(one.value) and math.isfinite(one.low)}
    if not shown:
        return Html("")
    # The marks of a round scale, so that the picture begins and ends at one.
    scale = ticks(min(one.low for one in shown.values()), max(one.high for one in shown.values()))
    height = _ROW * len(shown) + _FOOT
    rows = [_row(name, one, _ROW * place + _ROW // 2, scale) for place, (name, one) in enumerate(shown.items())]
    marks = [_mark(tick, height, scale) for tick in scale]
    picture = tag("svg", *marks, *rows, viewBox=f"0 0 {_WIDTH} {height}", role="img", aria_label=title)
    return tag("figure", picture, tag("figcaption", escape(f"{title}, with intervals of 95 %.")))


def _row(name: str, one: Figure, y: int, scale: list[float]) -> Html:
    short = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
    line = {"y1": str(y), "y2": str(y), "stroke": "var(--one)", "stroke_width": "2"}
    return tag(
        "g",
        label_at(short, _LEFT - 14, y + 4, "end"),
        tag("line", x1=_x(one.low, scale), x2=_x(one.high, scale), **line),
        tag("circle", cx=_x(one.value, scale), cy=str(y), r="5", fill="var(--one)"),
    )


def _mark(tick: float, height: int, scale: list[float]) -> Html:
    x = _x(tick, scale)
    line = tag("line", x1=x, x2=x, y1="0", y2=str(height - _FOOT + 4), stroke="var(--line)")
    return tag("g", line, label_at(f"{tick:g}", float(x), height - 8, "middle"))


def _x(value: float, scale: list[float]) -> str:
    return f"{_LEFT + (value - scale[0]) / (scale[-1] - scale[0]) * (_WIDTH - _LEFT - _RIGHT):.1f}"
