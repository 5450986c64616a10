"""Plots as inline SVG that follows the page's colours: points or lines over two axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from expound.pages.html import Html, escape, tag

Points: TypeAlias = Sequence[tuple[float, float]]
Series: TypeAlias = Sequence[tuple[str, Points]]

_WIDTH, _HEIGHT = 640, 400  # in units of the drawing, which the page stretches
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 14, 48  # room for the numbers and names of the axes
_COLOURS = ("var(--one)", "var(--two)", "var(--three)", "var(--four)")
_TICKS = 5  # about as many marks an axis: numbers of four digits do not touch
# Points of a series: a page of 100,000 circles is megabytes and shows one blot.
_MOST_POINTS = 2000
# Of bars: a row's height, and the room for names on the left, in units of the drawing.
_BAR, _NAMES = 28, 230
LONGEST_NAME = 28
"""Letters of a bar's name; what is longer is cut off."""
_LEGEND_ROW, _LONGEST_LEGEND = 20, 70  # of the names below a plot: a row's height, and letters
_ROOM_FOR_COUNT = 30  # three digits of the small type
# Blue, grey and orange: told apart by all who see colours, and by their grey in print.
_BAR_COLOURS = (("var(--one)", "var(--ground)"), ("var(--line)", "var(--text)"), ("var(--two)", "var(--ground)"))


def plot(title: str, x: str, y: str, series: Series, *, is_line: bool = False, note: str = "") -> Html:
    """A figure with its caption; without points, only the caption."""
    points = [point for _, row in series for point in row if _is_finite(point)]
    caption = tag("figcaption", escape(" ".join(part for part in (f"{title}.", note) if part)))
    if not points:
        return tag("figure", caption)
    frame = _Frame([point[0] for point in points], [point[1] for point in points])
    drawn = [
        _line(row, frame, colour) if is_line else _dots(row, frame, colour)
        for (_, row), colour in zip(series, _COLOURS, strict=False)
    ]
    named = [name for name, _ in series] if len(series) > 1 else []
    picture = tag(
        "svg", _axes(frame, x, y), *drawn, _legend(named),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT + _LEGEND_ROW * len(named)}", role="img", aria_label=f"{title}: {y} over {x}",
    )  # fmt: skip
    return tag("figure", picture, caption)


def stacked_bars(title: str, parts: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> Html:
    """A bar a row, cut into the same parts in the same order: a share each, with the count written on it."""
    rows = [(name, counts) for name, counts in rows if sum(counts)]
    caption = tag("figcaption", escape(f"{title}. From left to right: {', '.join(parts)}."))
    if not rows:
        return tag("figure", caption)
    drawn = [_bar(name, counts, _BAR * place) for place, (name, counts) in enumerate(rows)]
    picture = tag("svg", *drawn, viewBox=f"0 0 {_WIDTH} {_BAR * len(rows)}", role="img", aria_label=title)
    return tag("figure", picture, caption)


class _Frame:
    """From values to places in the picture."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self.x_ticks, self.y_ticks = ticks(min(xs), max(xs)), ticks(min(ys), max(ys))

    def x(self, value: float) -> float:
        low, high = self.x_ticks[0], self.x_ticks[-1]
        return round(_LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        low, high = self.y_ticks[0], self.y_ticks[-1]
        return round(_HEIGHT - _BOTTOM - (value - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM), 1)


def ticks(low: float, high: float) -> list[float]:
    """Round numbers that enclose two values, about five of them.

    >>> ticks(3, 97)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    # A spread that rounding would swallow is none.
    spread = high - low if high - low > 1e-6 * max(1.0, abs(low), abs(high)) else max(1.0, abs(high))
    power = 10.0 ** math.floor(math.log10(spread / _TICKS))
    step = next(power * factor for factor in (1, 2, 5, 10) if spread / (power * factor) <= _TICKS)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 10) for number in range(first, max(last, first + 1) + 1)]


def _axes(frame: _Frame, x: str, y: str) -> Html:
    left, right, top, bottom = _LEFT, _WIDTH - _RIGHT, _TOP, _HEIGHT - _BOTTOM
    parts = [_stroke(left, frame.y(tick), right, frame.y(tick)) for tick in frame.y_ticks]
    parts += [label_at(f"{tick:g}", left - 8, frame.y(tick) + 4, "end") for tick in frame.y_ticks]
    parts += [_stroke(frame.x(tick), bottom, frame.x(tick), bottom + 5) for tick in frame.x_ticks]
    parts += [label_at(f"{tick:g}", frame.x(tick), bottom + 20, "middle") for tick in frame.x_ticks]
    parts.append(label_at(x, (left + right) / 2, _HEIGHT - 8, "middle"))
    middle = (top + bottom) / 2
    turned = tag("text", escape(y), x="14", y=str(middle), text_anchor="middle", font_size="13", fill="var(--faint)",
                 transform=f"rotate(-90 14 {middle})")  # fmt: skip
    return Html("".join([*parts, turned]))


def _dots(points: Points, frame: _Frame, colour: str) -> Html:
    # Thousands of dots make a page slow and show no more than every n-th of them.
    step = math.ceil(len(points) / _MOST_POINTS) or 1
    kept = [point for point in points[::step] if _is_finite(point)]
    dots = (tag("circle", cx=str(frame.x(a)), cy=str(frame.y(b)), r="3") for a, b in kept)
    return tag("g", *dots, fill=colour, fill_opacity="0.55")


def _line(points: Points, frame: _Frame, colour: str) -> Html:
    kept = [point for point in points if _is_finite(point)]
    path = " ".join(f"{frame.x(a)},{frame.y(b)}" for a, b in kept)
    line = tag("polyline", points=path, fill="none", stroke=colour, stroke_width="2")
    dots = (tag("circle", cx=str(frame.x(a)), cy=str(frame.y(b)), r="3.5", fill=colour) for a, b in kept)
    return tag("g", line, *dots)


def _legend(names: Sequence[str]) -> Html:
    """Below the picture: inside it, a name would lie on a line, and a long one would be cut off."""
    parts = []
    for number, (name, colour) in enumerate(zip(names, _COLOURS, strict=False)):
        y = _HEIGHT + _LEGEND_ROW * number + 12
        parts += [
            tag("circle", cx=str(_LEFT + 5), cy=str(y - 4), r="5", fill=colour),
            label_at(_shorten_label(name, _LONGEST_LEGEND), _LEFT + 18, y, "start"),
        ]
    return tag("g", *parts)


def _stroke(x1: float, y1: float, x2: float, y2: float) -> Html:
    return tag("line", x1=str(x1), y1=str(y1), x2=str(x2), y2=str(y2), stroke="var(--line)")


def label_at(text: str, x: float, y: float, where: str) -> Html:
    """A word or a number in a plot, which begins, ends or has its middle there."""
    return tag("text", escape(text), x=str(x), y=str(y), text_anchor=where, font_size="13", fill="var(--faint)")


def _is_finite(point: tuple[float, float]) -> bool:
    return all(map(math.isfinite, point))


def _bar(name: str, counts: Sequence[int], top: int) -> Html:
    parts = [label_at(_shorten_label(name, LONGEST_NAME), _NAMES - 12, top + 19, "end")]
    x, room = float(_NAMES), _WIDTH - _NAMES
    for count, (fill, ink) in zip(counts, _BAR_COLOURS, strict=False):
        width = round(room * count / sum(counts), 1)
        parts.append(tag("rect", x=f"{x:.1f}", y=str(top + 4), width=str(width), height=str(_BAR - 8), fill=fill))
        if width > _ROOM_FOR_COUNT:
            middle = f"{x + width / 2:.1f}"
            parts.append(
                tag("text", escape(count), x=middle, y=str(top + 19), text_anchor="middle", font_size="13", fill=ink)
            )
        x += width
    return tag("g", *parts)


def _shorten_label(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
