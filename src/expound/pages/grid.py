"""A square of shares as a picture: every two names, darker where the share is higher."""

from __future__ import annotations

import math
from collections.abc import Sequence

from expound.pages.html import Html, escape, tag
from expound.pages.plots import label_at

_CELL, _TOP = 56, 28  # in units of the drawing, which the page stretches
_LETTER = 7.5  # about as wide as a letter of the labels
_LEAST = 0.75  # of the drawing's own size: smaller, nobody reads its numbers on a phone
_LONGEST = 34  # letters of a name: a page stays as wide as a phone allows


def grid(title: str, names: Sequence[str], shares: Sequence[Sequence[float]], *, note: str = "") -> Html:
    """A figure with a row and a numbered column for each name; a large one scrolls rather than shrink."""
    left = _LETTER * max((len(_short(name)) + 4 for name in names), default=0)
    width, height = left + _CELL * len(names), _TOP + _CELL * len(names)
    heads = (label_at(str(place + 1), left + _CELL * (place + 0.5), _TOP - 9, "middle") for place in range(len(names)))
    rows = (
        tag(
            "g",
            label_at(f"{place + 1} {_short(name)}", 0, _middle(place), "start"),
            *_cells(place, shares[place], left),
        )
        for place, name in enumerate(names)
    )
    size = f"min-width: {_LEAST * width:.0f}px; max-width: {width:.0f}px"
    picture = tag(
        "svg", *heads, *rows, viewBox=f"0 0 {width:.0f} {height:.0f}", role="img", aria_label=title, style=size
    )  # fmt: skip
    # Can be reached by the keyboard, since it may scroll.
    scrolled = tag("div", picture, class_="scroll", tabindex="0")
    caption = tag("figcaption", escape(" ".join(part for part in (f"{title}.", note) if part)))
    return tag("figure", scrolled, caption, class_="wide")


def _cells(place: int, shares: Sequence[float], left: float) -> list[Html]:
    found = []
    for number, share in enumerate(shares):
        x, known = left + _CELL * number, not math.isnan(share)
        strength = f"{0.75 * share:.2f}" if known else "0"
        found += [
            tag("rect", x=f"{x:.1f}", y=str(_TOP + _CELL * place), width=str(_CELL - 2), height=str(_CELL - 2),
                fill="var(--one)", fill_opacity=strength, stroke="var(--line)"),
            tag("text", escape(f"{100 * share:.0f}" if known else "–"), x=f"{x + _CELL / 2:.1f}", y=str(_middle(place)),
                text_anchor="middle", font_size="14", fill="var(--text)"),
        ]  # fmt: skip
    return found


def _middle(place: int) -> float:
    return _TOP + _CELL * (place + 0.58)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
