"""Read EPUB, a zip of web pages: the chapters in reading order as one document."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from expound.corpus.read.archive import Archive
from expound.corpus.read.document import Block, Document
from expound.corpus.read.raw import name_of, stem_of
from expound.corpus.read.webpage import decode_markup, read_markup
from expound.corpus.read.xml_tree import parse_tree
from expound.errors import BadInput
from expound.text.plain import plain_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# XHTML allows <title/> and <a/>, which an HTML parser takes for start tags.
_EMPTY_ELEMENT = re.compile(r"<((?!br\b)[A-Za-z][\w:-]*+)((?:[^<>\"'/]++|/(?!>)|\"[^\"<]*+\"|'[^'<]*+')*+)/>")


def read(path: Path) -> Iterator[Document]:
    """One document per book."""
    name = name_of(path)
    with Archive(path) as archive:
        package = _package_path(archive, name)
        book = parse_tree(archive.read(package))
        chapters = _chapters(book, posixpath.dirname(package))
        _refuse_locked(archive, chapters, name)
        blocks = tuple(_blocks(archive, chapters, name))
    title = next(filter(None, (plain_line(element.text or "") for element in book.iter("title"))), "")
    yield Document(title or stem_of(path), blocks)


def _package_path(archive: Archive, name: str) -> str:
    """Where the book's table of files is."""
    # Packed together with the folder that it stood in, a book is all there, but no reader of books opens it.
    containers = sorted(path for path in archive.names if f"/{path}".endswith(f"/{_CONTAINER}"))
    container = min(containers, key=len, default="")
    if not container:
        raise BadInput(f"{name}: not an EPUB, it has no {_CONTAINER}; check the file's suffix")
    roots = parse_tree(archive.read(container)).iter("rootfile")
    within = container.removesuffix(_CONTAINER)
    package = next((within + root.get("full-path", "") for root in roots if root.get("full-path")), "")
    if package not in archive.names:
        raise BadInput(f"{name}: a broken EPUB, its package file {plain_line(package)!r} is missing; get a new copy")
    return package


def _chapters(book: Element, folder: str) -> list[str]:
    """Names of the chapters' files in reading order, each once."""
    files = {item.get("id", ""): item.get("href", "") for item in book.iter("item")}
    order = dict.fromkeys(item.get("idref", "") for item in book.iter("itemref"))
    # Only names inside the zip are ever looked up, so that "../../etc/passwd" finds nothing.
    return [posixpath.normpath(posixpath.join(folder, unquote(files[key]))) for key in order if key in files]


def _refuse_locked(archive: Archive, chapters: list[str], name: str) -> None:
    """Obfuscated fonts are harmless, encrypted chapters are not."""
    for path in archive.names:
        if not f"/{path}".endswith(f"/{_ENCRYPTION}"):
            continue
        within = path.removesuffix(_ENCRYPTION)
        references = parse_tree(archive.read(path)).iter("CipherReference")
        locked = {within + unquote(reference.get("URI", "")) for reference in references}
        if not locked.isdisjoint(chapters):
            raise BadInput(f"{name}: copy-protected; only books without protection can be read")


def _blocks(archive: Archive, chapters: list[str], name: str) -> Iterator[Block]:
    """The blocks of all chapters; a file that the book names but does not hold is passed over."""
    for chapter in dict.fromkeys(chapters):
        if chapter in archive.names:
            markup = _EMPTY_ELEMENT.sub(r"<\1\2></\1>", decode_markup(archive.read(chapter)))
            yield from read_markup(markup, f"{name}, {plain_line(chapter)}").blocks
