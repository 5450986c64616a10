"""A passage in few words, wherever it is shown: the text of its parts, and its beginning in one line."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from expound.text.inline import has_markup, render_inline
from expound.text.plain import plain, plain_line
from expound.types import Part, Passage

WIDEST = 100  # longer lines are hard to read, however wide the screen
ELLIPSIS = "…"

_PIPE = re.compile(r"(?<!\\)\|")
_ENDS = frozenset('.:;,!?…)”"')


def first_words(passage: Passage, width: int) -> str:
    """As much of a passage's beginning as fits into one line."""
    pieces = [piece for part in passage.parts for piece in _pieces(part, text_of(part, passage))] or [
        plain_line("\n".join(render_inline(line, passage.source.file) for line in passage.text.split("\n")))
    ]
    return shorten(_strung(pieces), width)


def _pieces(part: Part, text: str) -> Iterator[str]:
    """A part as pieces of one line: the rows of a table, a term with its meaning, all else as it is."""
    if part.kind == "table":
        yield from (plain_line(" | ".join(cells_of(line))) for line in plain(text).split("\n"))
    elif part.kind == "definition":
        term, _, meaning = text.partition("\n")
        yield plain_line(": ".join(filter(None, (term.rstrip(": "), meaning))))
    else:
        yield plain_line(text)


def _strung(pieces: Sequence[str]) -> str:
    """Pieces in one line, kept apart by a semicolon where none of them ends by itself."""
    *before, last = pieces
    return "".join(f"{piece} " if piece[-1:] in _ENDS else f"{piece}; " for piece in filter(None, before)) + last


def shorten(text: str, width: int) -> str:
    """One line, cut between words with an ellipsis if it is too long."""
    return textwrap.shorten(text, max(width, 8), placeholder=f" {ELLIPSIS}") if len(text) > width else text


def text_of(part: Part, passage: Passage) -> str:
    """The text of a part without the markup of its file's language; code stays as it is."""
    text, file = passage.text[part.start : part.end], passage.source.file
    if part.kind == "code" or not has_markup(file):
        return text
    return "\n".join(render_inline(line, file) for line in text.split("\n"))


def cells_of(row: str) -> list[str]:
    """The cells of a row, whether it is written as in Markdown (`| a | b |`) or as we join cells (`a | b`)."""
    is_ours = " | " in row and not row.lstrip().startswith("|")
    cells = row.split(" | ") if is_ours else _PIPE.split(row.strip().strip("|"))
    return [cell.strip().replace("\\|", "|") for cell in cells]
