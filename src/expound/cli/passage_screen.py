"""A passage as lines of a screen: prose folded, code line by line, items with their marks, tables in columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from expound.cli import screen
from expound.shown.passage_words import ELLIPSIS, WIDEST, cells_of, text_of
from expound.text.plain import plain
from expound.types import Part, Passage

CODE_INDENT = "    "

_STEP = "  "
_LEVEL = "   "
_GAP = "  "
# A last column narrower than this is a ribbon of single words: the rows are folded as text instead.
_NARROWEST_COLUMN = 24
_MARKED = re.compile(r"\s*(?:[-*+•◦–]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)])\s+")


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """A line of a screen and how it is set."""

    text: str
    style: str = ""


def screen_width() -> int:
    """The width that text is folded to."""
    return min(screen.out().width, WIDEST)


def print_lines(lines: Sequence[ScreenLine], *, indent: str = "", mark: str = "", style: str = "") -> None:
    """Lines on stdout, none of them folded again; `mark` stands in colour before each, `style` is for all."""
    from rich.text import Text

    for line in lines:
        text = f"{indent}{plain(line.text).expandtabs(8)}" if line.text else ""
        shown = Text(text, style=f"{line.style} {style}".strip())
        screen.out().print(Text.assemble((mark, "cyan"), shown) if mark else shown, soft_wrap=True)


def show(text: str, *, first: str = "", rest: str = "", style: str = "", bold: str = "") -> None:
    """Text folded to the width of the screen, with a hanging indent and coloured citations."""
    from rich.text import Text

    for paragraph in plain(text).split("\n"):
        folded = (
            textwrap.fill(paragraph, screen_width(), initial_indent=first, subsequent_indent=rest) if paragraph else ""
        )
        shown = Text(folded, style=style)
        shown.highlight_regex(r"\[\d+\]", "cyan")
        if bold:
            shown.highlight_words([plain(bold)], "bold green")
        screen.out().print(shown, soft_wrap=True)


def passage_lines(passage: Passage, width: int) -> list[ScreenLine]:
    """The whole passage; parts that are not prose are set apart by an empty line."""
    parts = passage.parts or tuple(_paragraphs(passage.text))
    lines: list[ScreenLine] = []
    before: Part | None = None
    for part in parts:
        if before and not (before.kind == part.kind == "item"):
            lines.append(ScreenLine(""))
        lines += _part_lines(part, text_of(part, passage), width)
        before = part
    return lines


def first_lines(passage: Passage, width: int, count: int) -> list[ScreenLine]:
    """The first lines of a passage as it is laid out, the last with an ellipsis if there is more."""
    # Narrower by the ellipsis and its blank, so that the last line still fits when they are put behind it.
    lines = [line for line in passage_lines(passage, width - 2) if line.text.strip()]
    kept = lines[:count]
    return [*kept[:-1], replace(kept[-1], text=f"{kept[-1].text} {ELLIPSIS}")] if len(lines) > count else kept


# -- the kinds of text, also for the entries of an answer


def prose_lines(text: str, width: int, *, first: str = "", rest: str = "", style: str = "") -> list[ScreenLine]:
    """Paragraphs folded to a width, with a hanging indent; a word is never broken, so that addresses stay whole."""
    lines: list[ScreenLine] = []
    for paragraph in plain(text).split("\n"):
        folded = textwrap.wrap(
            paragraph,
            width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += [ScreenLine(line, style) for line in folded or [""]]
    return lines


def code_lines(text: str) -> list[ScreenLine]:
    """Code as it stands, indented."""
    return [ScreenLine(f"{CODE_INDENT}{line}" if line else "", "dim") for line in plain(text).split("\n")]


def step_lines(text: str, width: int, *, indent: str = _STEP) -> list[ScreenLine]:
    """Items of a list, one a line with its own mark; folded under their words."""
    lines: list[ScreenLine] = []
    for line in plain(text).split("\n"):
        mark = _MARKED.match(line)
        hanging = indent + " " * len(mark[0] if mark else "")
        lines += prose_lines(line.lstrip() if not mark else line, width, first=indent, rest=hanging)
    return lines


def row_lines(text: str, width: int, *, has_header: bool = False, indent: str = _STEP) -> list[ScreenLine]:
    """Rows of a table in columns; where they are too wide, the last column is folded, or else each row."""
    rows = [cells_of(line) for line in plain(text).split("\n")]
    count = max(map(len, rows))
    rows = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = [max(len(row[place]) for row in rows) for place in range(count)]
    # The last column gets what is left: in tables of options it is the one with the sentences in it.
    room = width - len(indent) - sum(widths[:-1]) - len(_GAP) * (count - 1)
    if room < min(widths[-1], _NARROWEST_COLUMN):
        lines = [prose_lines(" | ".join(row).rstrip(" |"), width, first=indent, rest=indent * 2) for row in rows]
    else:
        lines = [_align_rows(row, widths, room, indent) for row in rows]
    style = "bold" if has_header else ""
    return [replace(line, style=style) for line in lines[0]] + [line for row in lines[1:] for line in row]


def _align_rows(row: Sequence[str], widths: Sequence[int], room: int, indent: str) -> list[ScreenLine]:
    cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
    start = indent + "".join(f"{cell}{_GAP}" for cell in cells)
    folded = textwrap.wrap(row[-1], room) or [""]
    return [ScreenLine(f"{start}{folded[0]}".rstrip()), *(ScreenLine(" " * len(start) + line) for line in folded[1:])]


# -- the parts of a passage


def _paragraphs(text: str) -> Iterator[Part]:
    start = 0
    for line in text.split("\n"):
        yield Part("paragraph", start, start + len(line))
        start += len(line) + 1


def _part_lines(part: Part, text: str, width: int) -> list[ScreenLine]:
    inside = _LEVEL * part.level
    match part.kind:
        case "code":
            return [replace(line, text=f"{inside}{line.text}".rstrip()) for line in code_lines(text)]
        case "table":
            return row_lines(text, width, has_header=part.mark == "header", indent=inside)
        case "item":
            first = f"{inside}{part.mark or '•'} "
            return prose_lines(text.replace("\n", " "), width, first=first, rest=" " * len(first))
        case "definition":
            return _definition_lines(text, width, inside)
        case "quotation":
            return prose_lines(text, width, first=f"{inside}│ ", rest=f"{inside}│ ")
        case _:
            return prose_lines(text, width, first=inside, rest=inside)


def _definition_lines(text: str, width: int, inside: str) -> list[ScreenLine]:
    """The term on a line of its own, its meaning indented below."""
    term, _, meaning = text.partition("\n")
    lines = prose_lines(term, width, first=inside, rest=inside, style="bold")
    deeper = inside + CODE_INDENT
    return lines + (prose_lines(meaning, width, first=deeper, rest=deeper) if meaning else [])
