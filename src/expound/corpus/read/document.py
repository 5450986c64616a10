"""What a reader makes of a file: a document and its sections, not yet cleaned or split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from expound.text.plain import plain, plain_line


@dataclass(frozen=True, slots=True)
class Section:
    """Text under one heading or on one page; a newline always ends a paragraph, wrapped lines are joined."""

    text: str
    heading: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A titled text in reading order."""

    title: str
    sections: tuple[Section, ...]
    url: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)


def safe_document(document: Document) -> Document:
    """The document without control characters and without its empty sections."""
    sections = [Section(plain(s.text).strip(), plain_line(s.heading), s.page) for s in document.sections]
    return Document(
        plain_line(document.title),
        tuple(section for section in sections if section.text),
        plain_line(document.url),
        safe_values(document.meta),
    )


def safe_values(value: Any) -> Any:
    """The same JSON value with every string in it made safe to print."""
    if isinstance(value, str):
        return value if value.isprintable() else plain(value)
    if isinstance(value, dict):
        return {key if key.isprintable() else plain(key): safe_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [safe_values(item) for item in value]
    return value


def join_paragraphs(paragraphs: Iterable[str]) -> str:
    """Paragraphs as the text of a section."""
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def join_cells(cells: Iterable[str]) -> str:
    """A table row as one line of text."""
    return "; ".join(filter(None, (" ".join(cell.split()) for cell in cells)))
