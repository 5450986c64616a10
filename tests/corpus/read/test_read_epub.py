"""EPUB: reading order, headings, and books that attack the reader."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from corpus.read.made_documents import CONTAINER, epub_bytes, zip_bytes
from corpus.read.read_helpers import Read
from expound.errors import BadInput


def chapter(title: str, text: str) -> str:
    return (
        f'<?xml version="1.0"?><html><head><title/></head><body><h1>{title}</h1><a id="x"/><p>{text}</p></body></html>'
    )


def test_chapters_are_read_in_spine_order(read: Read) -> None:
    chapters = {
        "z.xhtml": chapter("One", "First."),
        "a%20b.xhtml": chapter("Two", "Lost."),
        "t/y.xhtml": chapter("Three", "Last."),
    }
    [document] = read("a.epub", epub_bytes(chapters, extra={"OPS/a b.xhtml": chapter("Two", "Next.")}))
    assert document.title == "A Book"
    assert [(block.path, block.text) for block in document.blocks] == [
        (("One",), "First."),
        (("Two",), "Next."),
        (("Three",), "Last."),
    ]


def test_a_book_packed_with_its_folder_is_read(read: Read) -> None:
    with ZipFile(BytesIO(epub_bytes({"a.xhtml": chapter("One", "First.")}))) as book:
        moved = zip_bytes((f"epub/{name}", book.read(name)) for name in book.namelist())
    [document] = read("a.epub", moved)
    assert [block.text for block in document.blocks] == ["First."]


def test_a_chapter_is_made_of_typed_blocks(read: Read) -> None:
    page = "<html><body><h1>One</h1><h2>Two</h2><ol><li>go</li></ol><pre>a\n  b</pre></body></html>"
    [document] = read("a.epub", epub_bytes({"a.xhtml": page}))
    assert [(b.kind, b.text, b.path, b.mark) for b in document.blocks] == [
        ("item", "go", ("One", "Two"), "1."),
        ("code", "a\n  b", ("One", "Two"), ""),
    ]


def test_names_that_point_outside_find_nothing(read: Read, tmp_path: Path) -> None:
    (tmp_path / "secret.xhtml").write_text("<p>secret")
    outside = [f"../../{tmp_path}/secret.xhtml", f"{tmp_path}/secret.xhtml", "http://example.org/x"]
    package = "".join(f'<item id="{i}" href="{href}"/><itemref idref="{i}"/>' for i, href in enumerate(outside))
    files = {"META-INF/container.xml": CONTAINER, "OPS/book.opf": f"<package>{package}</package>"}
    before = set(tmp_path.iterdir())
    with pytest.raises(BadInput, match="empty, no text in it"):
        read("a.epub", zip_bytes(files.items()))
    assert set(tmp_path.iterdir()) - before == {tmp_path / "a.epub"}


@pytest.mark.parametrize(
    "content",
    [
        epub_bytes({f"{i}.xhtml": " " * (60 << 20) for i in range(9)}),
        epub_bytes({"a.xhtml": " " * (65 << 20)}),
    ],
    ids=["many", "one"],
)
def test_a_zip_bomb_is_refused(read: Read, content: bytes) -> None:
    with pytest.raises(BadInput, match="zip bomb"):
        read("a.epub", content)


def test_a_chapter_named_many_times_is_read_once(read: Read) -> None:
    package = '<package><item id="a" href="a.xhtml"/>' + '<itemref idref="a"/>' * 10_000 + "</package>"
    files = {"META-INF/container.xml": CONTAINER, "OPS/book.opf": package, "OPS/a.xhtml": chapter("One", "Text.")}
    assert len(read("a.epub", zip_bytes(files.items()))[0].blocks) == 1


@pytest.mark.parametrize(
    "doctype",
    ['<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>', '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]>'],
)
def test_xml_entities_are_refused(read: Read, doctype: str) -> None:
    files = {"META-INF/container.xml": doctype + CONTAINER, "OPS/book.opf": "<package/>"}
    with pytest.raises(BadInput, match="declares entities"):
        read("a.epub", zip_bytes(files.items()))


def test_a_harmless_doctype_is_accepted(read: Read) -> None:
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
    assert read("a.epub", epub_bytes({"a.xhtml": doctype + "<p>Caf&eacute;.</p>"}))[0].blocks[0].text == "Café."


def test_a_protected_book_is_refused(read: Read) -> None:
    lock = '<encryption><CipherReference URI="OPS/a.xhtml"/></encryption>'
    book = epub_bytes({"a.xhtml": "x"}, extra={"META-INF/encryption.xml": lock})
    with pytest.raises(BadInput, match="copy-protected"):
        read("a.epub", book)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no zip", "not a zip file"),
        (zip_bytes([("a.txt", "x")]), "not an EPUB"),
        (zip_bytes([("META-INF/container.xml", CONTAINER)]), "package file .* is missing"),
        (zip_bytes([("META-INF/container.xml", "<broken")]), "broken, or not a .epub file"),
    ],
)
def test_a_broken_book_is_refused(read: Read, content: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read("a.epub", content)
