"""Gather blocks line by line: the open block, the open headings, and the rule of how the lines of a kind are joined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from expound.corpus.read.document import Block, Kind, Outline


class Builder:
    """The blocks of a text while it is read. Prose is joined; the first line of a definition is its term."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.kind: Kind = "paragraph"
        self.lines: list[str] = []
        self._outline = Outline()
        self._mark = ""
        self._level = 0

    def open_heading(self, level: int, heading: str) -> None:
        """Start a section; an empty heading only closes those of its level and below."""
        self.end()
        self._outline.open(level, " ".join(heading.split()))

    def start(self, kind: Kind, mark: str = "", level: int = 0) -> None:
        """Close the open block and begin another."""
        self.end()
        self.kind, self._mark, self._level = kind, mark, level

    def take(self, line: str) -> None:
        """One more line of the open block."""
        self.lines.append(line)

    def end(self) -> None:
        """Close the open block; one without a word is dropped."""
        kind, lines = self.kind, self.lines
        mark, level = self._mark, self._level
        self.kind, self.lines, self._mark, self._level = "paragraph", [], "", 0
        text = _text(kind, lines)
        # Decoration, such as a line of dashes between comments, leaves nothing to read.
        if text.strip():
            self.blocks.append(Block(text=text, kind=kind, path=self._outline.path, mark=mark, level=level))

    def add(self, kind: Kind, text: str, mark: str = "", level: int = 0) -> None:
        """A whole block at once."""
        self.start(kind, mark, level)
        self.lines = [text]
        self.end()


def _text(kind: Kind, lines: list[str]) -> str:
    """Code and tables as they stand; a term, and its text in the next line; prose as one."""
    if kind in ("code", "table"):
        return "\n".join(lines)
    if kind == "definition":
        return "\n".join(filter(None, [join_blocks(lines[:1]), join_blocks(lines[1:])]))
    return join_blocks(lines)


def join_blocks(lines: list[str]) -> str:
    """Wrapped lines of prose as one."""
    return " ".join(" ".join(lines).split())


def without_title(blocks: Iterable[Block], title: str) -> tuple[Block, ...]:
    """The blocks; an outermost heading that only repeats the document's title is left out."""
    # A page's only top heading is its title again.
    return tuple(replace(block, path=block.path[1:]) if block.path[:1] == (title,) else block for block in blocks)


def dedent(lines: list[str]) -> list[str]:
    """The lines without the indentation that they share, blank ones at both ends left out."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    lines = lines[filled[0] : filled[-1] + 1] if filled else []
    # Blank lines have no indentation to share.
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return [line[margin:] for line in lines]
