"""Find the headings of a PDF: by its outline where it has one, else by the size and weight of the lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz

from expound.corpus.read.pdf_lines import Line
from expound.text.plain import plain_line

# A heading is larger than the body by at least this much, or bold.
_LARGER = 1.1
_LONGEST = 110  # characters of a line; type of a heading's size leaves no room for more
_MOST_LINES = 3  # a title may be wrapped; four lines of large type are a paragraph on a cover
# Of 100, as rapidfuzz counts: an outline's wording differs from the page's in ligatures, dashes and lost spaces.
_ALIKE = 88.0
# Taken off before titles are compared: outline and page number their chapters differently, or one of them not at all.
# Digits are taken possessively: a long row of them could be divided in very many ways, each of which would be tried.
_NUMBER = re.compile(
    r"^(?:(?:chapter|appendix|part|section|kapitel|chapitre)\s+)?(?:[A-Z]|[IVX]+|\d++)?(?:\.?\d++)*+[.:)]?\s+", re.I
)
_NUMBERED = re.compile(r"(?:\d+|[A-Z])(\.\d+)*\.?\s+\S")
_LABEL = re.compile(r"(?:chapter|appendix|part|kapitel|chapitre)\s+(?:\d+|[A-Z]|[IVX]+)\.?$", re.I)
# What a sentence ends with: a comma, a stop, a small word that wants another. Behind fifty characters a colon
# introduces a list, and is no title either.
_NOT_A_HEADING = re.compile(r"[,;]$|^.{50,}:$|[^.]\.$|(?:\b(?:a|an|and|as|by|for|in|is|of|or|that|the|to|with))$")
# A level that no outline reaches: what only looks like a heading stands below whatever the outline names.
_BELOW_OUTLINE = 100


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of a PDF's outline; `top` is where on the page it points to, if it says."""

    level: int
    title: str
    page: int
    top: float | None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, how many lines it takes (none if the page does not show it), and how deep it stands."""

    level: int
    text: str
    lines: int


def outline_entries(pdf: Any) -> list[OutlineEntry]:
    """The outline that the PDF brings; one that cannot be read is none."""
    return [entry for bookmark in _bookmarks(pdf) if (entry := _entry(bookmark))]


def _bookmarks(pdf: Any) -> Iterator[Any]:
    import pypdfium2

    try:
        # Deeper outlines are machine-made lists of figures and index entries.
        yield from pdf.get_toc(max_depth=12)
    except (pypdfium2.PdfiumError, UnicodeDecodeError, ValueError):
        return


def _entry(bookmark: Any) -> OutlineEntry | None:
    import pypdfium2

    try:
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        title = plain_line(bookmark.get_title())
        place = target.get_view()[1] if target else []
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return None
    if page is None or not title:
        return None
    # How many numbers a target has depends on its kind; the height is the second of three, or the only one.
    top = place[1] if len(place) == 3 else place[0] if len(place) == 1 else None
    return OutlineEntry(bookmark.level, title, page + 1, top or None)


def find_headings(lines: Sequence[Line], entries: Sequence[OutlineEntry], body: float) -> dict[int, list[Heading]]:
    """The headings by the number of the line that they start at, or stand before; the outer one first."""
    found: dict[int, list[Heading]] = {}
    for number, heading in _from_outline(lines, entries):
        found.setdefault(number, []).append(heading)
    for number, heading in _by_look(lines, body, found):
        found.setdefault(number, []).append(heading)
    return found


def _from_outline(lines: Sequence[Line], entries: Sequence[OutlineEntry]) -> Iterator[tuple[int, Heading]]:
    firsts = _first_of_page(lines)
    taken = -1
    for entry in entries:
        number, count = _match_entry(lines, entry, firsts, taken)
        if number is None:
            continue
        text = " ".join(line.text for line in lines[number : number + count]) if count else entry.title
        # "Chapter 3" stands on a line of its own above the title, and the outline leaves it out.
        if count and number - 1 > taken and _LABEL.match(lines[number - 1].text):
            number, count, text = number - 1, count + 1, f"{lines[number - 1].text} {text}"
        yield number, Heading(entry.level, text, count)
        # What the page does not show takes no line: the next entry may stand at the same place.
        taken = number + count - 1


def _first_of_page(lines: Sequence[Line]) -> Mapping[int, int]:
    firsts: dict[int, int] = {}
    for number, line in enumerate(lines):
        firsts.setdefault(line.page, number)
    return firsts


def _match_entry(
    lines: Sequence[Line], entry: OutlineEntry, firsts: Mapping[int, int], taken: int
) -> tuple[int | None, int]:
    """Where an entry's heading is and how many lines it takes; by its place alone if its words are not there."""
    first = firsts.get(entry.page)
    if first is None:
        return None, 0
    matches = list(_matches(lines, entry, first, taken))
    if matches:
        return min(matches, key=lambda match: _distance(lines[match[0]], entry))
    # Its words are not there, a picture perhaps: it stands before the first line below its place.
    place = next((n for n in _page_numbers(lines, first) if n > taken and _is_below(lines[n], entry)), None)
    return place, 0


def _page_numbers(lines: Sequence[Line], first: int) -> Iterator[int]:
    for number in range(first, len(lines)):
        if lines[number].page != lines[first].page:
            return
        yield number


def _matches(lines: Sequence[Line], entry: OutlineEntry, first: int, taken: int) -> Iterator[tuple[int, int]]:
    wanted = _key(entry.title)
    for number in _page_numbers(lines, first):
        if number <= taken:
            continue
        text = ""
        for count in range(1, _MOST_LINES + 1):
            if number + count > len(lines) or lines[number + count - 1].page != entry.page:
                break
            text = f"{text} {lines[number + count - 1].text}".strip()
            # Longer than the title can be: no further line will make it alike.
            if len(text) > 2 * len(entry.title) + 30:
                break
            if _is_same(text, wanted, entry.title):
                yield number, count
                break


def _is_same(text: str, wanted: str, title: str) -> bool:
    # With and without the number: outlines often drop it.
    keys = {_key(text), _key(_NUMBER.sub("", text, count=1))}
    wanted_keys = {wanted, _key(_NUMBER.sub("", title, count=1))}
    if keys & wanted_keys - {""}:
        return True
    # Short titles are alike by chance.
    return len(wanted) > 8 and fuzz.ratio(_key(text), wanted) >= _ALIKE


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _distance(line: Line, entry: OutlineEntry) -> tuple[float, float]:
    """How far from where the entry points; larger type wins between equals."""
    # In steps, so that a place which is roughly right does not beat the right words.
    return (round(abs(entry.top - line.base) / 40) if entry.top else 0, -line.size)


def _is_below(line: Line, entry: OutlineEntry) -> bool:
    return entry.top is None or line.base <= entry.top + 2


def _by_look(
    lines: Sequence[Line], body: float, known: Mapping[int, Sequence[Heading]]
) -> Iterator[tuple[int, Heading]]:
    covered = {n + i for n, headings in known.items() for heading in headings for i in range(heading.lines)}
    found: dict[int, int] = {}
    number = 0
    while number < len(lines):
        count = 0 if number in covered else _heading_lines(lines, number, body)
        # What the outline has named is not named again.
        if count and not covered & set(range(number, number + count)):
            found[number] = count
        number += max(count, 1)
    levels = _levels(lines, found, _BELOW_OUTLINE if known else 0)
    for number, count in found.items():
        yield number, Heading(levels[number], " ".join(line.text for line in lines[number : number + count]), count)


def _heading_lines(lines: Sequence[Line], start: int, body: float) -> int:
    """How many lines from here on are one heading; 0 if it is none."""
    first = lines[start]
    if not _may_be_heading(first, body) or not _is_apart(lines, start):
        return 0
    end = start + 1
    while end < len(lines) and _same_style(lines[end], first) and _near(lines[end - 1], lines[end]):
        end += 1
    text = " ".join(line.text for line in lines[start:end])
    if end - start > _MOST_LINES or len(text) > 2 * _LONGEST or _NOT_A_HEADING.search(text):
        return 0
    # A heading has something below it.
    return end - start if end < len(lines) else 0


def _may_be_heading(line: Line, body: float) -> bool:
    is_large = line.size >= body * _LARGER
    if line.is_mono or len(line.text) > _LONGEST or not (is_large or (line.is_bold and line.size >= body * 0.95)):
        return False
    # Two cells are a number and its heading; more are a row.
    if len(line.cells) > 2 or (len(line.cells) == 2 and not _NUMBERED.match(line.text) and not is_large):
        return False
    return sum(map(str.isalpha, line.text)) >= 3 and line.text[0].isalnum()


def _is_apart(lines: Sequence[Line], start: int) -> bool:
    """Whether a line does not run on from the one above: a bold line within a paragraph is no heading."""
    if start == 0:
        return True
    above, line = lines[start - 1], lines[start]
    # At the top of a page or column there is nothing that it could run on from.
    if (above.page, above.region) != (line.page, line.region):
        return True
    gap = above.base - line.base
    # One of three signs is enough: room above it, larger type, or a line above that ended before the margin.
    return gap > 1.5 * line.size or line.size > above.size * _LARGER or not _is_full(above)


def _is_full(line: Line) -> bool:
    return line.right > line.edge - 3 * line.size


def _same_style(line: Line, first: Line) -> bool:
    return line.size == first.size and line.is_bold == first.is_bold and not line.is_mono


def _near(above: Line, line: Line) -> bool:
    return (above.page, above.region) == (line.page, line.region) and 0 < above.base - line.base <= 1.6 * line.size


def _levels(lines: Sequence[Line], found: Mapping[int, int], start: int) -> dict[int, int]:
    """The level of every heading: by its style, the largest first; of one style, by the parts of its number."""
    styles = Counter((lines[n].size, lines[n].is_bold) for n in found)
    ranks = {style: rank for rank, style in enumerate(sorted(styles, reverse=True))}
    # Ten apart, so that the parts of a number fit between two styles.
    return {n: start + 10 * ranks[lines[n].size, lines[n].is_bold] + _depth(lines[n].text) for n in found}


def _depth(text: str) -> int:
    numbered = _NUMBERED.match(text)
    # At most eight, since styles are ten apart.
    return min(text.split()[0].strip(".").count("."), 8) if numbered else 0
