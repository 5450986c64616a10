"""ODT: headings, lists, tables, and files that are broken or hostile."""

from __future__ import annotations

import pytest

from corpus.read.made_documents import zip_bytes
from corpus.read.read_helpers import Read
from expound.errors import BadInput

_STYLES = (
    '<a:list-style s:name="L1"><a:list-level-style-number a:level="1" s:num-format="1"/></a:list-style>'
    '<s:style s:name="P1" s:parent-style-name="Preformatted_20_Text"/>'
)


def odt_bytes(body: str, *, before: str = "", **members: str) -> bytes:
    """A text document with the given elements in its body."""
    content = f"<?xml version='1.0'?>{before}<o:c><st>{_STYLES}</st><o:body><o:text>{body}</o:text></o:body></o:c>"
    names = {name.replace("_", "."): text for name, text in members.items()}
    return zip_bytes([("mimetype", "x"), ("content.xml", content), *names.items()])


def test_headings_lists_and_tables_keep_their_structure(read: Read) -> None:
    source = (
        '<a:p a:style-name="Title">The Title</a:p><a:p>Intro<a:s a:c="2"/>text.</a:p>'
        '<a:h a:outline-level="1">One</a:h><a:h a:outline-level="2">Two</a:h>'
        '<a:list a:style-name="L1"><a:list-item><a:p>first</a:p>'
        "<a:list><a:list-item><a:p>inner</a:p></a:list-item></a:list></a:list-item>"
        "<a:list-item><a:p>second</a:p></a:list-item></a:list>"
        "<t:table><t:table-header-rows><t:table-row><t:table-cell><a:p>Name</a:p></t:table-cell><t:table-cell>"
        "<a:p>Age</a:p></t:table-cell></t:table-row></t:table-header-rows><t:table-row><t:table-cell><a:p>Ann</a:p>"
        "</t:table-cell><t:table-cell><a:p>5</a:p></t:table-cell></t:table-row></t:table>"
        '<a:p a:style-name="P1">$ ls</a:p><a:p a:style-name="P1">  -l</a:p><a:p a:style-name="Quotations">So.</a:p>'
    )
    [document] = read("a.odt", odt_bytes(source))
    assert document.title == "The Title"
    assert [(b.kind, b.text, b.path, b.mark, b.level) for b in document.blocks] == [
        ("paragraph", "Intro text.", (), "", 0),
        ("item", "first", ("One", "Two"), "1.", 0),
        ("item", "inner", ("One", "Two"), "-", 1),
        ("item", "second", ("One", "Two"), "2.", 0),
        ("table", "Name | Age\nAnn | 5", ("One", "Two"), "header", 0),
        ("code", "$ ls\n  -l", ("One", "Two"), "", 0),
        ("quotation", "So.", ("One", "Two"), "", 0),
    ]


def test_what_the_writer_took_out_or_remarked_is_not_read(read: Read) -> None:
    removed = "<a:tracked-changes><a:p>gone</a:p></a:tracked-changes>"
    source = f"{removed}<a:p>Kept<o:annotation><a:p>remark</a:p></o:annotation>.</a:p>"
    assert [block.text for block in read("a.odt", odt_bytes(source))[0].blocks] == ["Kept."]


def test_the_title_property_names_the_document(read: Read) -> None:
    meta = "<m><dc:title>From properties</dc:title></m>"
    assert read("a.odt", odt_bytes("<a:p>Text.</a:p>", meta_xml=meta))[0].title == "From properties"


def test_entities_are_refused(read: Read) -> None:
    laughs = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    with pytest.raises(BadInput, match="declares entities"):
        read("a.odt", odt_bytes("<a:p>&a;&b;</a:p>", before=laughs))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no zip", "broken, or not a .odt file"),
        (zip_bytes([("a.txt", "x")]), "it has no content.xml"),
        (odt_bytes("<a:p>"), "broken, or not a .odt file"),
        (odt_bytes("<a:p>" * 5000 + "</a:p>" * 5000), "nested too deeply"),
        (odt_bytes(""), "empty, no text in it"),
        (zip_bytes([("content.xml", " " * (65 << 20))]), "zip bomb"),
    ],
)
def test_a_broken_or_hostile_file_is_refused(read: Read, content: bytes, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        read("a.odt", content)


def test_a_billion_spaces_are_not_written_out(read: Read) -> None:
    source = '<a:p>a<a:s a:c="99999999"/><a:s a:c="x"/>b</a:p>'
    assert read("a.odt", odt_bytes(source))[0].blocks[0].text == "a b"


def test_a_heading_above_everything_is_the_title(read: Read) -> None:
    heading, section = '<a:h a:outline-level="1">Van</a:h>', '<a:h a:outline-level="2">Gas</a:h><a:p>Close it.</a:p>'
    [document] = read("a.odt", odt_bytes(heading + section))
    assert (document.title, document.blocks[0].path) == ("Van", ("Gas",))
    [document] = read("a.odt", odt_bytes(f"<a:p>First.</a:p>{heading}{section}"))
    assert document.title == "a"


def test_code_within_an_item_keeps_its_lines(read: Read) -> None:
    code = '<a:p a:style-name="P1">cd a</a:p><a:p a:style-name="P1">  make</a:p>'
    source = f"<a:list><a:list-item><a:p>Build it:</a:p>{code}<a:p>Then wait.</a:p></a:list-item></a:list>"
    [document] = read("a.odt", odt_bytes(source))
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("item", "Build it:"),
        ("code", "cd a\n  make"),
        ("paragraph", "Then wait."),
    ]
