"""Tell the columns of a page apart, and give its words region by region as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from expound.corpus.read.pdf_words import Word

# Fewer lines than this beside each other are a table, a caption or an address.
_FEWEST_LINES = 5
# Prose fills its column; the cells of a table do not.
_FILLED = 0.6
_FEWEST_WORDS = 4  # words in a line of prose, in the median; the columns of tables have one or two
_NARROWEST = 0.2  # of the region's width: what is narrower is a margin with notes or line numbers
# In ems: the least gap between two columns, and the gap between words that parts two cells.
_GUTTER = 0.8
CELL_GAP = 1.0  # spaces in justified text stay below an em
# The baselines of a line and its raised marks are this near, of type up to so many times larger.
_ROW = 0.45
_GIANT = 2.0  # a drop cap or a formula's sum sign is larger and belongs to no single line


def regions(words: Sequence[Word]) -> Iterator[list[list[Word]]]:
    """The rows of each region in reading order: what spans the page, then its columns from left to right."""
    yield from _cut(rows(words))


def rows(words: Sequence[Word]) -> list[list[Word]]:
    """Words that stand on one line, from the top; a raised mark belongs to the line beside it."""
    found: list[list[Word]] = []
    base = size = 0.0
    for word in sorted(words, key=lambda word: -word.base):
        if found and base - word.base <= _reach(size, word.font.size):
            found[-1].append(word)
            # The largest type sets the line: a raised number must not move it up.
            if word.font.size > size:
                base, size = word.base, word.font.size
        else:
            found.append([word])
            base, size = word.base, word.font.size
    return [_in_order(row) for row in found]


def _reach(size: float, other: float) -> float:
    """How far apart two baselines on one line can be; a sign of giant type beside several lines is on none of them."""
    small, large = sorted((size, other))
    # Beside giant type only what is level with its baseline belongs to it.
    return _ROW * large if large <= _GIANT * small else 0.2 * small


def _in_order(row: Sequence[Word]) -> list[Word]:
    """Runs from left to right; within a run the file's order, which is right for every script."""
    starts: dict[int, float] = {}
    for word in row:
        starts[word.run] = min(word.left, starts.get(word.run, word.left))
    if len(starts) > 1:
        return sorted(row, key=lambda word: word.left)
    place = {id(word): number for number, word in enumerate(row)}
    return sorted(row, key=lambda word: (word.left, place[id(word)])) if _reads_right(row) else list(row)


def _reads_right(row: Sequence[Word]) -> bool:
    return not any("\u0590" <= word.text[:1] <= "\u08ff" for word in row)


@dataclass(frozen=True, slots=True)
class _Band:
    """Consecutive rows that a vertical gap runs through."""

    first: int
    last: int
    at: float


def _cut(found: Sequence[list[Word]]) -> Iterator[list[list[Word]]]:
    band = _best_band(found)
    if band is None:
        if found:
            yield list(found)
        return
    # Above the columns, the columns, and below them: each part may have columns of its own.
    yield from _cut(found[: band.first])
    inside = found[band.first : band.last + 1]
    for is_right in (False, True):
        # Anew: a heading's tall type gathers lines of the column beside it into one row.
        yield from _cut(rows([word for row in inside for word in row if (word.left > band.at) == is_right]))
    yield from _cut(found[band.last + 1 :])


def _best_band(found: Sequence[list[Word]]) -> _Band | None:
    """The tallest band of rows with a gap through it and prose on both sides."""
    if len(found) < _FEWEST_LINES:
        return None
    # Rounded: gutters of neighbouring lines differ by a point.
    candidates = {round(at / 2) * 2 for at in _gaps(found)}
    bands = (band for at in candidates for band in _bands(found, at) if _is_prose(found, band))
    # Of equally tall bands the one further left, so that three columns are cut in order.
    return max(bands, key=lambda band: (band.last - band.first, -band.at), default=None)


def _gaps(found: Sequence[list[Word]]) -> Iterator[float]:
    """The middles of the gaps that could be a gutter: wide, and not at the edge of the page."""
    left = min(word.left for row in found for word in row)
    right = max(word.right for row in found for word in row)
    low, high = left + _NARROWEST * (right - left), right - _NARROWEST * (right - left)
    for row in found:
        for word, following in pairwise(row):
            if following.left - word.right >= _GUTTER * word.font.size:
                middle = (word.right + following.left) / 2
                if low <= middle <= high:
                    yield middle
    # Columns whose lines do not share a baseline show no gap on any row: try where the right ones start.
    for start in {round(row[0].left) for row in found if low <= row[0].left <= high}:
        # A little to the left of where words start.
        yield start - 3.0


def _bands(found: Sequence[list[Word]], at: float) -> Iterator[_Band]:
    first = -1
    for number, row in enumerate([*found, []]):
        is_free = bool(row) and not any(word.left - 1 < at < word.right + 1 for word in row) and _has_gap(row, at)
        if is_free and first < 0:
            first = number
        elif not is_free and first >= 0:
            yield _Band(first, number - 1, at)
            first = -1


def _has_gap(row: Sequence[Word], at: float) -> bool:
    """Whether the row has no more than a column's edge at that place: a space between words is no gap."""
    before = max((word.right for word in row if word.right <= at), default=None)
    after = min((word.left for word in row if word.left >= at), default=None)
    if before is None or after is None:
        return True
    return after - before >= _GUTTER * row[0].font.size


def _is_prose(found: Sequence[list[Word]], band: _Band) -> bool:
    inside = found[band.first : band.last + 1]
    left = [part for row in inside if (part := [word for word in row if word.right <= band.at])]
    right = [part for row in inside if (part := [word for word in row if word.left >= band.at])]
    return _fills(left) and _fills(right)


def _fills(side: Sequence[list[Word]]) -> bool:
    """Whether most lines have several words and reach across the column."""
    if len(side) < _FEWEST_LINES or median(len(row) for row in side) < _FEWEST_WORDS:
        return False
    # Listings side by side are read across, as a comparison.
    if sum(row[0].font.is_mono for row in side) * 2 > len(side):
        return False
    left, right = min(row[0].left for row in side), max(row[-1].right for row in side)
    return median(row[-1].right - row[0].left for row in side) >= _FILLED * (right - left)
