"""Drop the running heads and feet of text that was printed page by page, as manuals are by `man` and old RFCs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

# Characters that are looked at: no page is wider, and a book without line breaks is one line.
_LONGEST_LINE = 200
# A head is set as wide as its page, a line of a small table is not.
_NARROWEST = 60
_FEWEST = 3  # times that a line has to come again: two of them may be chance
_GAP = re.compile(r" {3,}|\t+")
_MANUAL = re.compile(r"[^\s()]{1,60}\(\d[\w+]{0,8}\)")
_PAGE = re.compile(r"\[?(?:page|p\.)? ?\d{1,5}\]?", re.IGNORECASE)
_ENDS = (".", "!", "?", ":", ";")


def drop_running_heads(lines: Sequence[str]) -> tuple[str, list[str]]:
    """What the head of a printed manual calls its page, if there is one, and the lines without heads and feet."""
    heads = _find_heads(lines)
    names = [name for number in sorted(heads) if (name := _manual(lines[number]))]
    return names[0] if names else "", _without(lines, heads | _page_numbers(lines, heads)) if heads else list(lines)


def _find_heads(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines that are heads or feet: alone between blank lines, and said again and again."""
    alone = [number for number, line in enumerate(lines) if line.strip() and _is_alone(lines, number)]
    keys = {number: _key(lines[number]) for number in alone}
    counts = Counter(key for key in keys.values() if key)
    names = {name for number in alone if (name := _manual(lines[number]))}
    return frozenset(
        number
        for number, key in keys.items()
        if counts[key] >= _FEWEST or _manual(lines[number]) or _is_foot_of(lines[number], names)
    )


def _is_alone(lines: Sequence[str], number: int) -> bool:
    before = lines[number - 1] if number else ""
    behind = lines[number + 1] if number + 1 < len(lines) else ""
    return not (before.strip() or behind.strip())


def _cells(line: str) -> list[str]:
    return _GAP.split(line[: _LONGEST_LINE + 1].strip())


def _key(line: str) -> str:
    """What recurs of a line that is laid out as a head; nothing for all others. Page numbers are no part of it."""
    cells = _cells(line)
    is_numbered = len(cells) > 1 and _PAGE.fullmatch(cells[-1]) is not None
    if not _NARROWEST <= len(line.rstrip()) <= _LONGEST_LINE or len(cells) < (2 if is_numbered else 3):
        return ""
    return " | ".join(cells[:-1] if is_numbered else cells)


def _manual(line: str) -> str:
    """The name of a manual page that stands at both ends of a line."""
    cells = _cells(line)
    is_head = len(cells) > 1 and cells[0] == cells[-1] and len(line) <= _LONGEST_LINE
    return cells[0] if is_head and _MANUAL.fullmatch(cells[0]) else ""


def _is_foot_of(line: str, names: set[str]) -> bool:
    """Whether a line ends in the name of a printed manual page: the version and the date stand in front."""
    cells = _cells(line)
    return len(cells) > 1 and len(line) <= _LONGEST_LINE and cells[-1] in names


def _page_numbers(lines: Sequence[str], heads: frozenset[int]) -> frozenset[int]:
    """The numbers of the lines next to a head or a foot that are nothing but the number of the page."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    places = (place for place, number in enumerate(filled) if number in heads)
    beside = {number for place in places for number in filled[max(place - 1, 0) : place + 2]}
    return frozenset(
        number
        for number in beside
        if len(lines[number]) <= _LONGEST_LINE and _PAGE.fullmatch(lines[number].strip()) and _is_alone(lines, number)
    )


def _without(lines: Sequence[str], heads: frozenset[int]) -> list[str]:
    """The lines without heads and without the blank lines of a break within a sentence."""
    kept: list[str] = []
    is_break = False
    for number, line in enumerate(lines):
        if number in heads:
            is_break = True
        elif not line.strip():
            kept.append("")
        else:
            if is_break:
                _close_gap(kept, line)
            is_break = False
            kept.append(line)
    return kept


def _close_gap(kept: list[str], line: str) -> None:
    """Take the blank lines of a page break away where the text goes on behind it in the middle of a sentence."""
    filled = len(kept)
    while filled and not kept[filled - 1]:
        filled -= 1
    last = kept[filled - 1] if filled else "."
    # Only within a text that is set in alike: a new item may begin with a small letter as well.
    if not last.rstrip().endswith(_ENDS) and line.lstrip()[:1].islower() and _margin(last) == _margin(line):
        del kept[filled:]


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
