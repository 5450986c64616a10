"""DOCX: headings, lists, tables, code, titles, and broken files."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import docx
import docx.enum.style
import pytest
from docx.oxml import parse_xml

from corpus.read.made_documents import zip_bytes
from corpus.read.read_helpers import Read, placed
from expound.errors import BadInput

SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx_bytes(document: Any) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def test_headings_become_the_path_and_tables_rows(read: Read) -> None:
    source = docx.Document()
    source.add_heading("The Title", 0)
    source.add_paragraph("Intro.")
    source.add_heading("Part one", 1)
    source.add_paragraph("Text\nwith a break.")
    source.add_heading("Details", 2)
    table = source.add_table(2, 2)
    for cell, text in zip(table._cells, ["Name", "Age", "Ann", "5"], strict=True):
        cell.text = text
    source.add_heading("Part two", 1)
    source.add_paragraph("Table 1: Ages", style="Caption")
    [document] = read("a.docx", docx_bytes(source))
    assert document.title == "The Title"
    assert placed(document) == [
        ("paragraph", "Intro.", ()),
        ("paragraph", "Text\nwith a break.", ("Part one",)),
        ("table", "Name | Age\nAnn | 5", ("Part one", "Details")),
        ("caption", "Table 1: Ages", ("Part two",)),
    ]
    assert document.blocks[2].mark == "header"


def test_the_title_property_comes_first(read: Read) -> None:
    source = docx.Document()
    source.core_properties.title = "From properties"
    source.add_heading("Heading", 1)
    source.add_paragraph("Text.")
    [document] = read("a.docx", docx_bytes(source))
    assert (document.title, placed(document)) == ("From properties", [("paragraph", "Text.", ("Heading",))])


def test_items_have_their_number_or_bullet_and_level(read: Read) -> None:
    source = docx.Document()
    for style, text in (
        ("List Number", "Open it."),
        ("List Bullet 2", "slowly"),
        ("List Number", "Close it."),
    ):
        source.add_paragraph(text, style=style)
    [document] = read("a.docx", docx_bytes(source))
    assert [(block.kind, block.mark, block.level, block.text) for block in document.blocks] == [
        ("item", "1.", 0, "Open it."),
        ("item", "•", 1, "slowly"),
        ("item", "2.", 0, "Close it."),
    ]


def test_a_nested_list_starts_again_below_every_item(read: Read) -> None:
    source = docx.Document()
    for level, text in ((0, "a"), (1, "b"), (1, "c"), (0, "d"), (1, "e")):
        paragraph = source.add_paragraph(text)
        numbering = f'<w:numPr {SPACE}><w:ilvl w:val="{level}"/><w:numId w:val="99"/></w:numPr>'
        paragraph._p.get_or_add_pPr().append(parse_xml(numbering))
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:numFmt w:val="{shape}"/></w:lvl>'
        for level, shape in enumerate(("decimal", "lowerLetter"))
    )
    root = source.part.numbering_part.element
    root.append(parse_xml(f'<w:abstractNum {SPACE} w:abstractNumId="99">{levels}</w:abstractNum>'))
    root.append(parse_xml(f'<w:num {SPACE} w:numId="99"><w:abstractNumId w:val="99"/></w:num>'))
    [document] = read("a.docx", docx_bytes(source))
    assert [(block.mark, block.level) for block in document.blocks] == [
        ("1.", 0),
        ("a.", 1),
        ("b.", 1),
        ("2.", 0),
        ("a.", 1),
    ]


def test_typewriter_type_is_code_with_its_lines(read: Read) -> None:
    source = docx.Document()
    source.add_paragraph("Run this:")
    for line in ("if x:", "    go()"):
        source.add_paragraph().add_run(line).font.name = "Courier New"
    source.add_paragraph("Then wait.")
    [document] = read("a.docx", docx_bytes(source))
    assert [kind for kind, *_ in placed(document)] == ["paragraph", "code", "paragraph"]
    assert document.blocks[1].text == "if x:\n    go()"


@pytest.mark.parametrize("name", ["Source Code", "HTML Preformatted", "code"])
def test_a_style_can_say_that_it_is_code(read: Read, name: str) -> None:
    source = docx.Document()
    source.styles.add_style(name, docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
    source.add_paragraph("  ls -l", style=name)
    [document] = read("a.docx", docx_bytes(source))
    assert placed(document) == [("code", "  ls -l", ())]


def test_inserted_and_boxed_text_is_read(read: Read) -> None:
    source = docx.Document()
    paragraph = source.add_paragraph("Kept ")
    paragraph._p.append(parse_xml(f"<w:ins {SPACE}><w:r><w:t>inserted</w:t></w:r></w:ins>"))
    paragraph._p.append(parse_xml(f"<w:del {SPACE}><w:r><w:delText>gone</w:delText></w:r></w:del>"))
    wrapped = f"<w:sdt {SPACE}><w:sdtContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    source.element.body.insert(1, parse_xml(wrapped))
    [document] = read("a.docx", docx_bytes(source))
    assert [block.text for block in document.blocks] == ["Kept inserted", "boxed"]


@pytest.mark.parametrize("content", [b"no zip", b"", docx_bytes(docx.Document())[:900]])
def test_a_broken_file_is_refused(read: Read, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"a\.docx: broken, or not a \.docx file"):
        read("a.docx", content)


def test_another_zip_is_no_word_document(read: Read) -> None:
    with pytest.raises(BadInput, match=r"a\.docx: not a Word document, its main part is missing"):
        read("a.docx", zip_bytes([("a.txt", "x")]))


def test_a_document_without_text_is_empty(read: Read) -> None:
    with pytest.raises(BadInput, match="empty, no text in it"):
        read("a.docx", docx_bytes(docx.Document()))


def test_entities_are_refused(read: Read) -> None:
    files = members(text_bytes("Text."))
    laughs = b'<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    head, _, body = files["word/document.xml"].partition(b"?>")
    files["word/document.xml"] = head + b"?>" + laughs + body.replace(b"Text.", b"Text. &b; &c;")
    with pytest.raises(BadInput, match="declares entities"):
        read("a.docx", zip_bytes(files.items()))


def test_a_zip_bomb_is_refused(read: Read) -> None:
    files = members(text_bytes("Text."))
    files["word/document.xml"] = b" " * (65 << 20)
    with pytest.raises(BadInput, match="zip bomb"):
        read("a.docx", zip_bytes(files.items()))


def test_a_bomb_is_one_under_any_name(read: Read) -> None:
    files = {name.replace("document.xml", "document.bin"): data for name, data in members(text_bytes("Text.")).items()}
    files = {name: data.replace(b"word/document.xml", b"word/document.bin") for name, data in files.items()}
    assert read("a.docx", zip_bytes(files.items()))[0].blocks[0].text == "Text."
    files["word/document.bin"] = b" " * (65 << 20)
    with pytest.raises(BadInput, match="zip bomb"):
        read("a.docx", zip_bytes(files.items()))


def test_pictures_are_not_unpacked(read: Read) -> None:
    files = {**members(text_bytes("Text.")), "word/media/image1.png": b" " * (200 << 20)}
    assert read("a.docx", zip_bytes(files.items()))[0].blocks[0].text == "Text."


def text_bytes(text: str) -> bytes:
    source = docx.Document()
    source.add_paragraph(text)
    return docx_bytes(source)


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
