"""Passages of pages, read and split as `corpus add` does it, with the headings that a question may be made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from expound.corpus.read import Document, read_file
from expound.corpus.split import HEADING_SEPARATOR, split
from expound.errors import BadInput
from expound.types import Passage

# The name of the file that a page is put into: what it is called if it has no heading of its own.
_UNTITLED = "untitled page"
# Formats that a page says by its name; any other name says nothing, and neither does .txt.
_NAMED = (".adoc", ".md", ".mdx", ".rst")
# A directive, a target, an underlined heading, or code after two colons.
_RST = re.compile(
    r"^\.\. [\w-]+::|^\.\. _[^:\n]+:|^[^\s#|].*\n(?:={3,}|~{3,}|\^{3,}|\"{3,})\s*$|::\n\n {2,}", re.MULTILINE
)
_MARKDOWN = re.compile(r"^#{1,6} \S|^```|^\|.*\|\s*$|\]\(", re.MULTILINE)


@dataclass(frozen=True)
class PagePassage:
    """A passage of a page under its headings."""

    document: str
    title: str
    path: tuple[str, ...]
    text: str
    section: int
    """Number of the section on its page."""

    def read(self, *, leaf: bool = True) -> str:
        """What a ranker reads: title and headings before the text; without its own heading if that is the question."""
        path = self.path if leaf else self.path[:-1]
        head = HEADING_SEPARATOR.join(dict.fromkeys(part for part in (self.title, *path) if part))
        return f"{head}. {self.text}" if head else self.text


def page_passages(document: str, title: str, text: str) -> list[PagePassage]:
    """All passages of a page in their order; none of a page that cannot be read."""
    with TemporaryDirectory() as folder:
        # By its suffix the product's own readers are chosen, as for a user's file.
        file = Path(folder) / f"{_UNTITLED}{format_of(document, text)}"
        file.write_text(text, encoding="utf-8")
        try:
            passages = list(_iter_passages(file))
        except BadInput:
            return []
    return [
        PagePassage(
            document=document,
            title=title,
            path=path,
            # One line: rankers read no layout.
            text=" ".join(passage.text.split()),
            section=section,
        )
        for section, (path, group) in enumerate(groupby(passages, key=heading_path))
        for passage in group
    ]


def heading_path(passage: Passage) -> tuple[str, ...]:
    """The headings above a passage, that of its page first."""
    title = "" if passage.title == _UNTITLED else passage.title
    return tuple(filter(None, (title, *passage.source.heading.split(HEADING_SEPARATOR))))


def format_of(name: str, text: str) -> str:
    """The suffix of what a page is written in, by its name or else by its marks."""
    suffix = Path(name).suffix.lower()
    if suffix in _NAMED:
        return ".md" if suffix == ".mdx" else suffix
    # reStructuredText first: its directives are unmistakable, while a table row may stand in plain text as well.
    return ".rst" if _RST.search(text) else ".md" if _MARKDOWN.search(text) else ".txt"


def _iter_passages(file: Path) -> Iterator[Passage]:
    for item in read_file(file):
        if isinstance(item, Document):
            yield from split(item, file=file.name)
