"""Recognise the text of scanned PDF pages (extra `ocr`); its lines then go the way of all others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from math import sqrt
from statistics import median
from typing import Any

from expound.corpus.read.pdf_words import Font, Word

# 144 dots an inch: enough for 8-point type, and a quarter of the work of 288.
_SCALE = 2.0
# A page says itself how large it is: one of a wall's size would be a picture of gigabytes.
_MOST_PIXELS = 40_000_000
# A line's box is this much higher than its type; what is much higher than the others is a heading.
_TYPE_SHARE = 0.75
# Boxes of one size of type differ by whether their letters are tall; what is higher by a third is larger type.
_LARGER = 1.35
# The recogniser's own probability. A round figure: what it doubts more than not would be cited as text.
_LEAST_SURE = 0.5


def is_available() -> bool:
    """Whether the extra is installed."""
    return find_spec("rapidocr") is not None


def seen_words(page: Any) -> list[Word]:
    """The words that can be seen on a page, with their places."""
    scale = min(_SCALE, sqrt(_MOST_PIXELS / (page.get_width() * page.get_height())))
    found = _engine()(page.render(scale=scale).to_numpy())
    if found.txts is None:
        return []
    boxes = [_place(box, page.get_height(), scale) for box in found.boxes]
    usual = median(top - bottom for _, bottom, _, top in boxes)
    sure = (row for row in zip(boxes, found.txts, found.scores, strict=True) if row[2] >= _LEAST_SURE)
    return [word for run, (box, text, _) in enumerate(sure) for word in _words(text, box, usual, run)]


@cache
def _engine() -> Any:
    """The models come in the wheel: nothing is fetched."""
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "error"})


def _place(box: Sequence[Sequence[float]], height: float, scale: float) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a box in the measure of the page, which counts from below."""
    across = [x / scale for x, _ in box]
    down = [height - y / scale for _, y in box]
    return min(across), min(down), max(across), max(down)


def _words(text: str, box: tuple[float, float, float, float], usual: float, run: int) -> Iterator[Word]:
    """The words of a recognised line; each gets its share of the width."""
    left, bottom, right, top = box
    height = top - bottom
    size = _TYPE_SHARE * (height if height > _LARGER * usual else usual)
    font = Font(round(size * 2) / 2 or 0.5)
    step, place = (right - left) / max(len(text), 1), 0
    for word in text.split():
        place = text.index(word, place)
        start = left + place * step
        place += len(word)
        yield Word(text=word, left=start, right=left + place * step, base=bottom, font=font, run=run)
