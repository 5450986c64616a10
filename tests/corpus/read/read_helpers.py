"""What the reader tests share: the shapes of their fixtures, and what is looked at in a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias, TypeVar

from expound.corpus.read.document import Document
from expound.corpus.read.formats import read_file
from expound.types import Passage

Kind = TypeVar("Kind")
Write: TypeAlias = Callable[[str, str | bytes], Path]
Read: TypeAlias = Callable[[str, str | bytes], list[Document]]
ReadPassages: TypeAlias = Callable[[str, str | bytes], list[Passage]]


def all_of(kind: type[Kind], items: Iterable[object]) -> list[Kind]:
    """The items, which are all of that kind."""
    found = list(items)
    assert all(isinstance(item, kind) for item in found)
    return [item for item in found if isinstance(item, kind)]


def make_files(root: Path, *names: str) -> None:
    """Files with a word in them, in folders as their names say."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text")


def read_document(path: Path) -> Document:
    """The one document of a file."""
    [document] = all_of(Document, read_file(path))
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
