"""What a reader makes of a file: a document of typed blocks, its text as it stands in the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from expound.text.plain import plain, plain_line

Kind: TypeAlias = Literal["paragraph", "item", "code", "table", "definition", "quotation", "caption"]


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text that belongs together, with the headings it stands under, outermost first.

    Wrapped lines of prose are joined; every line of code, a table or a definition is kept. `mark` is what the text
    lacks: the number or bullet of an item, the language of code, "header" for a table whose first line names the
    columns. `level` counts the items and definitions that it stands within.
    """

    text: str
    kind: Kind = "paragraph"
    path: tuple[str, ...] = ()
    mark: str = ""
    level: int = 0
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A titled text in reading order. Only wiki prose is cleaned of its reference marks before it is split.

    `is_reference` says that its definitions are looked up one by one, as the options of a program are.
    """

    title: str
    blocks: tuple[Block, ...]
    url: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)
    is_wiki: bool = False
    is_reference: bool = False


@dataclass(frozen=True, slots=True)
class PartlyRead:
    """What a user should know of a file that was read: what of it was not."""

    text: str


def safe_document(document: Document) -> Document:
    """The document without control characters, empty blocks and empty headings."""
    blocks = (_safe_block(block) for block in document.blocks)
    return replace(
        document,
        title=plain_line(document.title),
        blocks=tuple(block for block in blocks if block.text),
        url=plain_line(document.url),
        meta=safe_values(document.meta),
    )


def _safe_block(block: Block) -> Block:
    """Code keeps the indentation of its first line; all else is stripped."""
    text = plain(block.text)
    # Its first line may be set in deeper than the rest, and the difference is part of it.
    text = text.strip("\n").rstrip() if block.kind == "code" else text.strip()
    path = tuple(filter(None, map(plain_line, block.path)))
    return replace(block, text=text, path=path, mark=plain_line(block.mark))


def safe_values(value: Any) -> Any:
    """The same JSON value with every string in it made safe to print."""
    if isinstance(value, str):
        # Most strings are: asking is many times as fast as going through one.
        return value if value.isprintable() else plain(value)
    if isinstance(value, dict):
        return {key if key.isprintable() else plain(key): safe_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [safe_values(item) for item in value]
    return value


def join_cells(cells: Iterable[str]) -> str:
    """A table row as one line of text."""
    return " | ".join(" ".join(cell.split()) for cell in cells).strip()


class Outline:
    """The headings that are open while a document is read: a new one closes those of its level and below."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def open(self, level: int, heading: str) -> None:
        """Take the next heading; an empty one only closes."""
        self._open = [entry for entry in self._open if entry[0] < level]
        if heading:
            self._open.append((level, heading))

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(heading for _, heading in self._open)
