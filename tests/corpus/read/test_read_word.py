"""DOCX: headings, tables, titles, and broken files."""

from __future__ import annotations

import io

import docx
import pytest
from made_documents import zip_bytes

from expound.errors import BadInput


def docx_bytes(document) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def sections(document) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in document.sections]


def test_headings_become_sections_and_tables_lines(read) -> None:
    source = docx.Document()
    source.add_heading("The Title", 0)
    source.add_paragraph("Intro.")
    source.add_heading("Part one", 1)
    source.add_paragraph("Text\nwith a break.")
    table = source.add_table(2, 2)
    for cell, text in zip(table._cells, ["Name", "Age", "Ann", "5"], strict=True):
        cell.text = text
    source.add_paragraph("End.", style="List Bullet")
    [document] = read("a.docx", docx_bytes(source))
    assert document.title == "The Title"
    assert sections(document) == [("", "Intro."), ("Part one", "Text\nwith a break.\n\nName; Age\n\nAnn; 5\n\nEnd.")]


def test_the_title_property_comes_first(read) -> None:
    source = docx.Document()
    source.core_properties.title = "From properties"
    source.add_heading("Heading", 1)
    source.add_paragraph("Text.")
    [document] = read("a.docx", docx_bytes(source))
    assert (document.title, sections(document)) == ("From properties", [("Heading", "Text.")])


def test_inserted_and_boxed_text_is_read(read) -> None:
    source = docx.Document()
    paragraph = source.add_paragraph("Kept ")
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    paragraph._p.append(docx.oxml.parse_xml(f"<w:ins {space}><w:r><w:t>inserted</w:t></w:r></w:ins>"))
    paragraph._p.append(docx.oxml.parse_xml(f"<w:del {space}><w:r><w:delText>gone</w:delText></w:r></w:del>"))
    wrapped = f"<w:sdt {space}><w:sdtContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    source.element.body.insert(1, docx.oxml.parse_xml(wrapped))
    assert read("a.docx", docx_bytes(source))[0].sections[0].text == "Kept inserted\n\nboxed"


@pytest.mark.parametrize("content", [b"no zip", b"", zip_bytes([("a.txt", "x")]), docx_bytes(docx.Document())[:900]])
def test_a_broken_file_is_refused(read, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"a\.docx: broken, or not a \.docx file"):
        read("a.docx", content)


def test_a_document_without_text_is_empty(read) -> None:
    with pytest.raises(BadInput, match="empty, no text in it"):
        read("a.docx", docx_bytes(docx.Document()))


def test_entities_are_not_expanded(read) -> None:
    source = docx.Document()
    source.add_paragraph("Text.")
    files = dict(_members(docx_bytes(source)))
    laughs = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    head, _, body = files["word/document.xml"].decode().partition("?>")
    files["word/document.xml"] = (head + "?>" + laughs + body.replace("Text.", "Text. &b; &c;")).encode()
    text = read("a.docx", zip_bytes(files.items()))[0].sections[0].text
    assert "hahaha" not in text
    assert "root:" not in text


def _members(data: bytes) -> list[tuple[str, bytes]]:
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def test_a_zip_bomb_is_refused(read) -> None:
    with pytest.raises(BadInput, match="zip bomb"):
        read("a.docx", zip_bytes([("word/document.xml", b" " * (65 << 20))]))
