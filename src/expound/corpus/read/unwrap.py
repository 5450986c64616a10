"""Join the wrapped lines of plain text and PDF pages into paragraphs, and the words broken at line ends."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# PDFium puts this in place of a hyphen that it takes for a word break.
BREAK_MARK = "\ufffe"
# No text is wrapped at less; lines that are longer are paragraphs that were never wrapped.
_NARROWEST, _WIDEST = 50, 160
# Of the width: ragged lines end early when the word that would have fitted was hyphenated or moved by hand.
_FULL = 0.85
# What typesetters and `man` break words with, beside the hyphen of keyboards.
_HYPHEN = "\u2010"
WORD = re.compile(rf"[^\W\d_]+(?:[-{_HYPHEN}][^\W\d_]+)*")
_STARTS_BLOCK = re.compile(
    r"(?:[-*+•·▪◦–—#|]|=+|\d{1,3}[.)]|\(?[a-z]\))\s"
    # A label and its text in columns; in justified text there are more gaps than this one.
    r"|\S{1,24}(?: \S{1,24}){0,2}(?<![.!?:;,]) {3,}\S+(?: \S+)*$"
)
_LETTER_ITEM = re.compile(r"o\s+(?=\S)")
_RUNS_ON = re.compile(r"(?:,|\b(?:a|an|and|as|at|by|for|from|in|is|of|on|or|that|the|to|was|with))$")
_BROKEN = re.compile(rf"[^\W\d_][-{_HYPHEN}{BREAK_MARK}]$")


def unwrap(lines: Sequence[str]) -> list[str]:
    """The paragraphs of lines; a break is taken for wrapping where the next word would not have fitted."""
    opens = _LETTER_ITEM if _has_letter_items(lines) else None
    lines = [line.strip() for line in lines]
    width = _width(lines)
    words = _words(lines) if any(_BROKEN.search(line[-2:]) for line in lines) else frozenset()
    paragraphs: list[list[str]] = []
    previous = ""
    for line in lines:
        is_item = opens is not None and opens.match(line) is not None
        if previous and line and not is_item and _is_wrapped(previous, line, width):
            _append(paragraphs[-1], line, words)
        elif line:
            paragraphs.append([line])
        previous = line
    return ["".join(parts).replace(BREAK_MARK, "-") for parts in paragraphs]


def _has_letter_items(lines: Sequence[str]) -> bool:
    """Whether items are marked by "o", as they were on typewriters; it is a word of Portuguese and Italian, which
    stands where other lines begin as well."""
    columns = [len(line) - len(line.lstrip(" ")) for line in lines]
    marked = {number for number, line in enumerate(lines) if _LETTER_ITEM.match(line.strip())}
    places = {columns[number] for number in marked}
    # What the items are of may stand above the first one, in a line that is not full.
    first = bool(lines) and 0 not in marked and len(lines[0].strip()) < _NARROWEST
    others = (number for number in range(first, len(lines)) if number not in marked)
    return len(marked) > 1 and len(places) == 1 and all(columns[number] not in places for number in others)


def _width(lines: Sequence[str]) -> int:
    """The line length that the text was wrapped at: nine of ten lines are no longer."""
    lengths = sorted(len(line) for line in lines if line)
    return max(_NARROWEST, lengths[len(lengths) * 9 // 10]) if lengths else _NARROWEST


def _is_wrapped(line: str, following: str, width: int) -> bool:
    """Whether the break between two lines is only there because the line was full."""
    if line.endswith(BREAK_MARK) or _BROKEN.search(line[-2:]):
        return True
    if width > _WIDEST or line.startswith("==") or _STARTS_BLOCK.match(following):
        return False
    if following[0].islower() or _RUNS_ON.search(line[-8:]):
        return True
    first_word = following[:width].split(maxsplit=1)[0]
    return len(line) + 1 + len(first_word) > width * _FULL


def _words(lines: Sequence[str]) -> frozenset[str]:
    """Every word of the text in lower case, to know how a broken word is written elsewhere."""
    return frozenset(word.lower().replace(_HYPHEN, "-") for line in lines for word in WORD.findall(line))


def _append(parts: list[str], line: str, words: Collection[str]) -> None:
    """Add a wrapped line; a word that was broken is made whole."""
    if not _BROKEN.search(parts[-1][-2:]):
        parts.extend((" ", line))
        return
    match = WORD.match(line)
    head, tail = (word.replace(_HYPHEN, "-") for word in (last_word(parts[-1][:-1]), match.group() if match else ""))
    whole = head + tail
    hyphened = f"{head}-{tail}" if tail else ""
    keeps_hyphen = not line[0].islower() or (hyphened.lower() in words and whole.lower() not in words)
    if not keeps_hyphen:
        parts[-1] = parts[-1][:-1]
    parts.append(line)


def last_word(text: str) -> str:
    """The word that stands last, empty if none does."""
    found = WORD.findall(text[-60:])
    return found[-1] if found else ""
