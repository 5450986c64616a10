"""What the reader tests share: the shapes of their fixtures, and what is looked at in a document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from expound.corpus.read.document import Document
from expound.corpus.read.formats import read_file
from expound.types import Passage

Read: TypeAlias = Callable[[str, str | bytes], list[Document]]
ReadPassages: TypeAlias = Callable[[str, str | bytes], list[Passage]]


def read_document(path: Path) -> Document:
    """The one document of a file."""
    [document] = read_file(path)
    assert isinstance(document, Document)
    return document


def shown(document: Document) -> list[tuple[str, str]]:
    """Each block with its kind."""
    return [(block.kind, block.text) for block in document.blocks]


def texts(document: Document) -> list[str]:
    """Each block's text."""
    return [block.text for block in document.blocks]


def placed(document: Document) -> list[tuple[str, str, tuple[str, ...]]]:
    """Each block with its kind and the headings above it."""
    return [(block.kind, block.text, block.path) for block in document.blocks]
