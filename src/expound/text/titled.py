"""A text with its title and headings before it: the form in which passages and sentences are embedded and ranked."""

from __future__ import annotations

from expound.text.inline import has_markup, render_inline
from expound.types import Passage

_SEPARATOR = " > "


def add_title(title: str, text: str) -> str:
    """A sentence alone often does not say what it is about; its title does."""
    return f"{title}. {text}" if title and not text.startswith(title) else text


def context_of(title: str, heading: str) -> str:
    """Title and heading path as one: "Handbook > Backups > Restoring"."""
    return _SEPARATOR.join(filter(None, (title, heading)))


def heading_names(heading: str) -> list[str]:
    """The headings of a path, outermost first."""
    return heading.split(_SEPARATOR) if heading else []


def section_below(heading: str, other: str) -> str:
    """The name of the section right below a heading that another heading path leads through; empty if it does not.

    >>> section_below("Guide > Tests", "Guide > Tests > Quick tests > Lists")
    'Quick tests'
    """
    prefix = heading + _SEPARATOR if heading else ""
    return other.removeprefix(prefix).split(_SEPARATOR)[0] if other.startswith(prefix) else ""


def titled_passage(passage: Passage) -> str:
    """A passage as its readers see it, behind its title and headings."""
    return add_title(context_of(passage.title, passage.source.heading), shown_text(passage))


def shown_text(passage: Passage) -> str:
    """The text of a passage without the markup of its file's language; code stays as it is."""
    file = passage.source.file
    if not has_markup(file):
        return passage.text
    if not passage.parts:
        return "\n".join(render_inline(line, file) for line in passage.text.split("\n"))
    return "\n".join(
        text if part.kind == "code" else "\n".join(render_inline(line, file) for line in text.split("\n"))
        for part in passage.parts
        for text in (passage.text[part.start : part.end],)
    )
