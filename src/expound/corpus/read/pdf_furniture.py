"""Take away what a PDF page holds for turning pages: running heads and feet, page numbers, contents, the index."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import median

from expound.corpus.read.pdf_lines import Line

# How many lines at the top and the bottom of a page can be a head or a foot.
_EDGE = 2
_FEWEST_PAGES = 3  # what stands on two pages in the same place may be chance
_FEWEST_LINES = 4  # a title page or a picture has too few to tell a head from the text
# A foot stands apart from the text: this many times the usual distance of lines.
_APART = 1.4
# Heads whose wording changes from page to page are known by their place, if this share of the pages has one there.
_USUAL = 0.5
# Points: pages of one document differ by rounding, left and right ones by a little more.
_SAME_PLACE = 3.0
_DIGITS = re.compile(r"\d+")
_ROMAN = r"[ivxlcdm]{1,7}"
_PAGE_NUMBER = re.compile(
    rf"\W*(?:page |seite |p\. ?)?(?:\d{{1,4}}|{_ROMAN}|[A-Z]-\d{{1,3}})(?: ?(?:of|/) ?\d+)?\W*$", re.I
)
_LEADER = re.compile(rf"(?:[.·…_] ?){{4,}}\s*(?:[A-Z]{{0,2}}[-.]?\d[\d.-]*|{_ROMAN})?$|(?:[.·] ?){{10,}}")
_ENDS_IN_PAGE = re.compile(rf"\S.*\s(?:\d{{1,4}}|{_ROMAN})$")
_INDEX_LINE = re.compile(r".*[\w)\"”].*?,? \d{1,4}(?:[,–-] ?\d{1,4})*,?$|[A-Z]$|Symbols$")
_CONTENTS = re.compile(r"(?:table of |brief |detailed )?contents|list of (?:figures|tables|listings|examples)", re.I)
# A page of which this share are such lines is a page of contents, or of the index.
_MOST = 0.6


def without_furniture(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """The lines of every page that its author wrote for reading."""
    heads = [_heads(lines) for lines in pages]
    running = _find_repeated(heads) | _find_placed(heads, pages)
    kept = [_keep_text(lines, edges, running) for lines, edges in zip(pages, heads, strict=True)]
    kept = [[line for line in lines if not _LEADER.search(line.text)] for lines in kept]
    return _without_index([[] if _is_contents(lines) else lines for lines in kept])


def _heads(lines: Sequence[Line]) -> list[Line]:
    """The lines nearest to the top and the bottom, wherever the file has them."""
    ordered = sorted(lines, key=lambda line: -line.base)
    return [*ordered[:_EDGE], *ordered[max(_EDGE, len(ordered) - _EDGE) :]]


def _shape(line: Line) -> str:
    """What stays the same of a head from page to page: not the number, nor the side it is on."""
    text = re.sub(rf"^{_ROMAN}(?= )|(?<= ){_ROMAN}$|^{_ROMAN}$", "#", _DIGITS.sub("#", line.text))
    return text.removeprefix("# ").removesuffix(" #").casefold()


def _find_repeated(heads: Sequence[list[Line]]) -> frozenset[int]:
    """Lines whose wording comes again at the edge of several pages, at the same height."""
    places: dict[str, list[Line]] = defaultdict(list)
    for lines in heads:
        for line in lines:
            places[_shape(line)].append(line)
    found: set[int] = set()
    for shape, lines in places.items():
        pages = {line.page for line in lines}
        if len(pages) < _FEWEST_PAGES or not (shape.strip("# ") or all(_PAGE_NUMBER.match(n.text) for n in lines)):
            continue
        heights = Counter(round(line.base / _SAME_PLACE) for line in lines)
        found.update(id(line) for line in lines if _at_height(heights, line) >= _FEWEST_PAGES)
    return frozenset(found)


def _at_height(heights: Counter[int], line: Line) -> int:
    place = round(line.base / _SAME_PLACE)
    return heights[place - 1] + heights[place] + heights[place + 1]


def _find_placed(heads: Sequence[list[Line]], pages: Sequence[list[Line]]) -> frozenset[int]:
    """Outermost lines that stand apart from the text at a height where most pages have such a line."""
    outer: dict[int, list[Line]] = defaultdict(list)
    for lines, edges in zip(pages, heads, strict=True):
        for line in edges:
            if _stands_apart(line, lines):
                outer[round(line.base / _SAME_PLACE)].append(line)
    filled = sum(bool(lines) for lines in pages)
    usual = (lines for lines in outer.values() if filled >= 2 * _FEWEST_PAGES and len(lines) >= _USUAL * filled)
    return frozenset(id(line) for lines in usual for line in lines)


def _stands_apart(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line is the first or last of its page, with more than the usual distance to the next."""
    above = [other.base - line.base for other in lines if other.base > line.base + 1]
    below = [line.base - other.base for other in lines if other.base < line.base - 1]
    if (above and below) or len(lines) < _FEWEST_LINES:
        return False
    # The titles of slides stand apart as well, but in larger type.
    if line.size > median(other.size for other in lines):
        return False
    return min(above or below) > _APART * 1.2 * line.size


def _keep_text(lines: Sequence[Line], edges: Sequence[Line], running: Collection[int]) -> list[Line]:
    at_edge = {id(line) for line in edges}
    numbers = {id(line) for line in lines if id(line) in at_edge and _PAGE_NUMBER.match(line.text)}
    outermost = {id(line) for line in (*edges[:1], *edges[-1:])}
    return [line for line in lines if id(line) not in running and not (id(line) in numbers and id(line) in outermost)]


def _is_contents(lines: Sequence[Line]) -> bool:
    """Whether a page is a list of headings with their pages, though without dots."""
    if len(lines) < 2 * _FEWEST_PAGES:
        return False
    named = any(_CONTENTS.fullmatch(line.text.strip()) for line in lines[:2])
    listed = [line for line in lines if _ENDS_IN_PAGE.match(line.text)]
    if len(listed) < (_MOST / 2 if named else _MOST) * len(lines):
        return False
    numbers = [int(n) for line in listed if (n := line.text.split()[-1]).isdigit()]
    rising = sum(a <= b for a, b in pairwise(numbers))
    return bool(numbers) and rising >= 0.9 * (len(numbers) - 1) and median(numbers) > 0 and _has_range(numbers)


def _has_range(numbers: Sequence[int]) -> bool:
    """Page numbers rise slowly; a column of data that rises mostly does not stay below a book's length."""
    return max(numbers) < 5000 and len(set(numbers)) > 1


def _without_index(pages: list[list[Line]]) -> list[list[Line]]:
    """Without the index, which is the last pages of a book and no text."""
    last = len(pages)
    while last and (not pages[last - 1] or _is_index(pages[last - 1])):
        last -= 1
    if not any(line.text.casefold() == "index" for lines in pages[last : last + 1] for line in lines[:3]):
        return pages
    return pages[:last] + [[] for _ in pages[last:]]


def _is_index(lines: Sequence[Line]) -> bool:
    cells = [cell.text for line in lines for cell in line.cells]
    found = Counter(bool(_INDEX_LINE.match(text)) for text in cells)
    return found[True] >= _MOST / 2 * len(cells) and sum(len(text) < 60 for text in cells) >= _MOST * len(cells)
