"""The blocks of an Info node, told by how far they are set in: examples by five columns, meanings below their term."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from expound.corpus.read.builder import dedent
from expound.corpus.read.document import Block
from expound.corpus.read.plain_text import blocks_without_headings
from expound.corpus.read.unwrap import unwrap

_STEP = 5
"""Columns that a meaning or an example is set in by."""
_ITEM = re.compile(r"([*•◦−–-]|\d{1,3}\.|[a-z]\.)[ \t]+(?=\S)")
_DEFINED = re.compile(r" -- (?=\S)")
"""What a function, a variable or a command is defined with, its meaning ten columns in."""
_LONGEST_TERM, _LONGEST_OF_TERMS = 120, 60
"""Characters of a term by itself, and of one of several in lines of their own. Longer lines are prose: guesses."""
_MOST_TERMS = 8
"""Spellings of one option or keys of one command; more lines than that are a list. A guess, too."""
_ENDS_SENTENCE = (".", ":", "!", "?", ")", "’", '"')
_FEWEST_WORDS = 8
"""Words of a quotation; what is set in and shorter is an example."""


class InfoBlocks:
    """The blocks of one section, chunk by chunk; what is open is told by the columns that its text begins at."""

    def __init__(self) -> None:
        self._columns = [0]

    def take(self, chunk: Sequence[str], following: Sequence[str]) -> Iterator[Block]:
        """The blocks of the lines between two blank lines; `following` are the next ones."""
        first, least = _indent(chunk[0]), min(map(_indent, chunk))
        self._close(least)
        if _ITEM.match(chunk[0].strip()) and first % _STEP:
            yield from self._items(chunk)
        elif _DEFINED.match(chunk[0][self._base :]) or _has_meaning(chunk):
            yield from self._definitions(chunk)
        elif least >= self._base + _STEP:
            yield from self._set_in(chunk)
        elif _is_term(chunk, following, self._base):
            yield Block(chunk[0].strip(), "definition", level=self._level)
            self._columns.append(self._base + _STEP)
        else:
            yield from (replace(block, level=self._level) for block in blocks_without_headings(dedent(list(chunk))))

    @property
    def _base(self) -> int:
        return self._columns[-1]

    @property
    def _level(self) -> int:
        return len(self._columns) - 1

    def _close(self, column: int) -> None:
        """End what is set in deeper than a column."""
        while self._columns[-1] > column and len(self._columns) > 1:
            self._columns.pop()

    def _items(self, chunk: Sequence[str]) -> Iterator[Block]:
        """Items, each with the lines that are set in below it."""
        for lines in _runs(chunk):
            column = _indent(lines[0]) // _STEP * _STEP
            self._close(column)
            text = " ".join(unwrap([line.strip() for line in lines]))
            mark = _ITEM.match(text)
            yield Block(
                text[mark.end() if mark else 0 :], "item", mark=mark.group(1) if mark else "", level=self._level
            )
            self._columns.append(column + _STEP)

    def _definitions(self, chunk: Sequence[str]) -> Iterator[Block]:
        """Terms, each with the lines that are set in below it."""
        number = 0
        while number < len(chunk):
            column = _indent(chunk[number])
            body = next((n for n in range(number + 1, len(chunk)) if _indent(chunk[n]) > column + 1), len(chunk))
            end = next((n for n in range(body, len(chunk)) if _indent(chunk[n]) <= column + 1), len(chunk))
            terms = ", ".join(line.strip().removeprefix("-- ") for line in chunk[number:body])
            meaning = " ".join(unwrap(chunk[body:end]))
            self._close(column)
            yield Block("\n".join(filter(None, (terms, meaning))), "definition", level=self._level)
            self._columns.append(_indent(chunk[body]) if body < len(chunk) else column + _STEP)
            number = end

    def _set_in(self, chunk: Sequence[str]) -> Iterator[Block]:
        """An example, or a quotation if it is prose."""
        lines = dedent(list(chunk))
        if _is_prose(lines):
            yield Block(" ".join(unwrap(lines)), level=self._level)
        else:
            yield Block("\n".join(lines), "code", level=self._level)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _runs(chunk: Sequence[str]) -> Iterator[list[str]]:
    """The lines of each item."""
    run: list[str] = []
    for line in chunk:
        if run and _ITEM.match(line.strip()) and _indent(line) % _STEP:
            yield run
            run = []
        run.append(line)
    yield run


def _has_meaning(chunk: Sequence[str]) -> bool:
    """Whether lines are terms with their meaning right below, five columns further in."""
    column = _indent(chunk[0])
    place = next((n for n, line in enumerate(chunk) if _indent(line) != column), len(chunk))
    if not 0 < place < len(chunk) or place > _MOST_TERMS or column % _STEP:
        return False
    # Two lines and more that are nearly full are prose above an example.
    are_short = all(
        len(line) - column <= (_LONGEST_TERM if place == 1 else _LONGEST_OF_TERMS) for line in chunk[:place]
    )
    return are_short and _indent(chunk[place]) == column + _STEP


def _is_term(chunk: Sequence[str], following: Sequence[str], base: int) -> bool:
    """Whether a line stands at the margin above items that are set in below it, and so explain it."""
    if len(chunk) != 1 or not following or _indent(chunk[0]) != base:
        return False
    return _ITEM.match(following[0].strip()) is not None and _indent(following[0]) > base + _STEP


def _is_prose(lines: Sequence[str]) -> bool:
    """Whether what is set in is a quotation: whole lines of words that end as a sentence does."""
    words = [word for line in lines for word in line.split()]
    if len(words) < _FEWEST_WORDS or not lines[-1].rstrip().endswith(_ENDS_SENTENCE):
        return False
    # Columns and lines that are set in by themselves are an example.
    are_even = all(_indent(line) in (0, 3) for line in lines) and not any("   " in line.strip() for line in lines)
    return are_even and sum(word[:1].isalpha() for word in words) * 10 >= 7 * len(words)
