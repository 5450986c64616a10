"""Read EPUB, a zip of web pages: the chapters in reading order as one document."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote
from xml.parsers import expat
from zipfile import ZipFile

from expound.corpus.read.archive import open_archive
from expound.corpus.read.document import Block, Document
from expound.corpus.read.raw import name_of, stem_of
from expound.corpus.read.webpage import decode_markup, read_markup
from expound.errors import BadInput
from expound.text.plain import plain_line

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# XHTML allows <title/> and <a/>, which an HTML parser takes for start tags.
_EMPTY_ELEMENT = re.compile(r"<((?!br\b)[A-Za-z][\w:-]*+)((?:[^<>\"'/]++|/(?!>)|\"[^\"<]*+\"|'[^'<]*+')*+)/>")
_MOST_TEXT = 256 << 20


@dataclass(slots=True)
class Element:
    """An XML element without its namespace: name, attributes and own text."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""


def read(path: Path) -> Iterator[Document]:
    """One document per book."""
    name = name_of(path)
    with open_archive(path) as archive:
        package = _package_path(archive, name)
        elements = parse_xml(archive.read(package))
        chapters = _chapters(elements, posixpath.dirname(package))
        _refuse_locked(archive, chapters, name)
        blocks = tuple(_blocks(archive, chapters, name))
    title = next((plain_line(e.text) for e in elements if e.name == "title" and e.text.strip()), "")
    yield Document(title or stem_of(path), blocks)


def parse_xml(data: bytes) -> list[Element]:
    """The elements of an XML file in order; entity declarations are refused, not expanded."""
    elements: list[Element] = []
    open_elements: list[Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        local = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        elements.append(Element(name.rpartition(":")[2], local))
        open_elements.append(elements[-1])

    def add_text(text: str) -> None:
        if open_elements:
            open_elements[-1].text += text

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = add_text
    parser.EntityDeclHandler = _refuse_entity
    parser.Parse(data, True)
    return elements


def _refuse_entity(*_: object) -> None:
    raise ValueError("its XML declares entities, which are not expanded")


def _package_path(archive: ZipFile, name: str) -> str:
    """Where the book's table of files is."""
    if _CONTAINER not in archive.namelist():
        raise BadInput(f"{name}: not an EPUB, it has no {_CONTAINER}; check the file's suffix")
    paths = [e.attributes.get("full-path", "") for e in parse_xml(archive.read(_CONTAINER)) if e.name == "rootfile"]
    package = next(filter(None, paths), "")
    if package not in archive.namelist():
        raise BadInput(f"{name}: a broken EPUB, its package file {plain_line(package)!r} is missing; get a new copy")
    return package


def _chapters(elements: list[Element], folder: str) -> list[str]:
    """Names of the chapters' files in reading order, each once."""
    files = {e.attributes.get("id", ""): e.attributes.get("href", "") for e in elements if e.name == "item"}
    order = dict.fromkeys(e.attributes.get("idref", "") for e in elements if e.name == "itemref")
    # Only names inside the zip are ever looked up, so that "../../etc/passwd" finds nothing.
    return [posixpath.normpath(posixpath.join(folder, unquote(files[key]))) for key in order if key in files]


def _refuse_locked(archive: ZipFile, chapters: list[str], name: str) -> None:
    """Obfuscated fonts are harmless, encrypted chapters are not."""
    if _ENCRYPTION in archive.namelist():
        references = (e for e in parse_xml(archive.read(_ENCRYPTION)) if e.name == "CipherReference")
        locked = {unquote(e.attributes.get("URI", "")) for e in references}
        if not locked.isdisjoint(chapters):
            raise BadInput(f"{name}: copy-protected; only books without protection can be read")


def _blocks(archive: ZipFile, chapters: list[str], name: str) -> Iterator[Block]:
    """The blocks of all chapters; a file that the book names but does not hold is passed over."""
    names = set(archive.namelist())
    read_so_far = 0
    for chapter in dict.fromkeys(chapters):
        if chapter not in names:
            continue
        data = archive.read(chapter)
        read_so_far += len(data)
        if read_so_far > _MOST_TEXT:
            raise BadInput(f"{name}: more than {_MOST_TEXT >> 20} MB of text; split the book")
        markup = _EMPTY_ELEMENT.sub(r"<\1\2></\1>", decode_markup(data))
        yield from read_markup(markup, f"{name}, {plain_line(chapter)}").blocks
