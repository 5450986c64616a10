"""Take away what a PDF page holds for turning pages: running heads and feet, page numbers, contents, the index."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from statistics import median
from typing import NamedTuple

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
_ROMAN = r"[ivxlcdm]{1,7}"
_PAGE_NUMBER = re.compile(
    rf"\W*(?:page |seite |p\. ?)?(?:\d{{1,4}}|{_ROMAN}|[A-Z]-\d{{1,3}})(?: ?(?:of|/) ?\d+)?\W*$", re.I
)
# The page's number within a head: "Page 3 of 9", "B-12", and no "2024-004".
_NUMBER = re.compile(
    r"\W*(?P<word>page |seite |p\. ?)?(?:(?:[a-z]|\d{1,2})-)?(?P<number>[1-9]\d{0,3})(?: ?(?:of|von|/) ?\d+)?\W*"
)
_LONGEST_NUMBER, _LONGEST_HEAD = 4, 300  # words and characters
_LEADER = re.compile(rf"(?:[.·…_] ?){{4,}}\s*(?:[A-Z]{{0,2}}[-.]?\d[\d.-]*|{_ROMAN})?$|(?:[.·] ?){{10,}}")
_ENDS_IN_PAGE = re.compile(rf"\S.*\s(?:\d{{1,4}}|{_ROMAN})$")
_INDEX_LINE = re.compile(r".*[\w)\"”].*?,? \d{1,4}(?:[,–-] ?\d{1,4})*,?$|[A-Z]$|Symbols$")
_CONTENTS = re.compile(r"(?:table of |brief |detailed )?contents|list of (?:figures|tables|listings|examples)", re.I)
# A page of which this share are such lines is a page of contents, or of the index.
_MOST = 0.6


class _Key(NamedTuple):
    """What heads are compared by: the text, and how far the number in it is from the place of its page in the file."""

    text: str
    distance: int | None = None


def without_furniture(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """The lines of every page that its author wrote for reading."""
    heads = [_heads(lines) for lines in pages]
    running = _find_repeated(heads, pages) | _find_placed(heads, pages)
    running |= _find_numbers(heads)
    kept = [[line for line in lines if id(line) not in running] for lines in pages]
    kept = [[line for line in lines if not _LEADER.search(line.text)] for lines in kept]
    return _without_index([[] if _is_contents(lines) else lines for lines in kept])


def _heads(lines: Sequence[Line]) -> list[Line]:
    """The lines nearest to the top and the bottom, wherever the file has them."""
    ordered = sorted(lines, key=lambda line: -line.base)
    # Of a form of four lines the two in the middle are its text.
    edge = min(_EDGE, max(1, len(lines) // (2 * _EDGE)))
    return [*ordered[:edge], *ordered[max(edge, len(ordered) - edge) :]]


def _keys(line: Line) -> Iterator[_Key]:
    """What may stay the same of a head from page to page: all of it, or what stands beside its page's number."""
    text = line.text.casefold()
    roman = re.sub(rf"^{_ROMAN}(?= )|(?<= ){_ROMAN}$|^{_ROMAN}$", "#", line.text).casefold()
    yield _Key(roman.removeprefix("# ").removesuffix(" #"))
    if len(text) > _LONGEST_HEAD:
        return
    words = text.split()
    for count in range(1, min(len(words), _LONGEST_NUMBER) + 1):
        for number, rest in ((words[-count:], words[:-count]), (words[:count], words[count:])):
            found = _NUMBER.fullmatch(" ".join(number))
            if found and (found.group("word") or len(rest) != 1 or _is_cell(line, number)):
                yield _Key(" ".join(rest).strip(" |·•–—-"), int(found.group("number")) - line.page)


def _is_cell(line: Line, words: Sequence[str]) -> bool:
    """Whether a head's number stands apart from its text, as no number of an invoice or an exercise does."""
    return " ".join(words) in (line.cells[0].text.casefold(), line.cells[-1].text.casefold())


def _find_repeated(heads: Sequence[list[Line]], pages: Sequence[list[Line]]) -> frozenset[int]:
    """Lines whose wording comes again at the edge of several pages, at the same height."""
    places: dict[_Key, list[Line]] = defaultdict(list)
    usual = median([line.size for lines in pages for line in lines] or [0])
    for line in chain.from_iterable(heads):
        for key in set(_keys(line)):
            # "Exercise sheet 4" in larger type is the title of what stands on page 4.
            if key.distance is None or line.size <= usual:
                places[key].append(line)
    found = _find_on_both(heads, pages)
    for lines in places.values():
        heights = Counter(round(line.base / _SAME_PLACE) for line in lines)
        found.update(id(line) for line in lines if _at_height(heights, line) >= _FEWEST_PAGES)
    return frozenset(found)


def _find_on_both(heads: Sequence[list[Line]], pages: Sequence[list[Line]]) -> set[int]:
    """The outermost lines that both pages of a document of two have, word for word, apart from the text."""
    if len(pages) != 2:
        return set()
    alone = [[line for line in edges if _stands_apart(line, lines)] for edges, lines in zip(heads, pages, strict=True)]
    pairs = [(one, other) for one in alone[0] for other in alone[1] if one.text == other.text]
    return {id(line) for pair in pairs if abs(pair[0].base - pair[1].base) <= _SAME_PLACE for line in pair}


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
    usual = [lines for lines in outer.values() if filled >= 2 * _FEWEST_PAGES and len(lines) >= _USUAL * filled]
    said = Counter(line.text.casefold() for lines in pages for line in lines) if usual else Counter[str]()
    return frozenset(id(line) for lines in usual if _are_said_again(lines, said) for line in lines)


def _are_said_again(heads: Sequence[Line], said: Mapping[str, int]) -> bool:
    """Whether most of these lines name what another page or the text names too, as no line of a form does."""
    keys = [set(_keys(line)) for line in heads]
    distances = Counter(key.distance for found in keys for key in found)
    numbered = [{key.text for key in found if distances[key.distance] >= _FEWEST_PAGES} for found in keys]
    texts = Counter(text for found in numbered for text in found)
    again = sum(
        said[line.text.casefold()] > 1 or any(texts[text] > 1 for text in found)
        for line, found in zip(heads, numbered, strict=True)
    )
    return 2 * again >= len(heads)


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


def _find_numbers(heads: Sequence[list[Line]]) -> frozenset[int]:
    """Outermost lines that are a page's number; a sum that ends a form does not count with the pages."""
    numbers = [line for edges in heads for line in (*edges[:1], *edges[1:][-1:]) if _PAGE_NUMBER.match(line.text)]
    distances = Counter(distance for line in numbers for distance in _distances(line))
    return frozenset(id(line) for line in numbers if _is_counted(_distances(line), distances))


def _distances(line: Line) -> set[int]:
    return {key.distance for key in _keys(line) if not key.text and key.distance is not None}


def _is_counted(own: Collection[int], distances: Counter[int]) -> bool:
    """Whether a number is its page's place in the file, or as far from it as another one; a roman one may be either."""
    return not own or any(distance == 0 or distances[distance] > 1 for distance in own)


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
