"""PPTX: slides in their order, items, tables, notes, and files that are broken or hostile."""

from __future__ import annotations

import pytest

from corpus.read.made_documents import zip_bytes
from corpus.read.read_helpers import Read
from expound.errors import BadInput


def shape(text: str, holder: str = "") -> str:
    place = f"<p:nvPr><p:ph {holder}/></p:nvPr>" if holder else ""
    return f"<p:sp>{place}<p:txBody>{text}</p:txBody></p:sp>"


def line(text: str, properties: str = "") -> str:
    return f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"


def relations(**targets: str) -> str:
    return "<R>" + "".join(f'<Relationship Id="{key}" Target="{target}"/>' for key, target in targets.items()) + "</R>"


def pptx_bytes(*slides: str, notes: str = "") -> bytes:
    """A presentation; its slides are stored in the opposite order of the one in which they are shown."""
    count = len(slides)
    order = "".join(f'<p:sldId id="{n}" r:id="r{n}"/>' for n in range(count))
    files = {
        "ppt/presentation.xml": f"<p:p><p:sldIdLst>{order}</p:sldIdLst></p:p>",
        "ppt/_rels/presentation.xml.rels": relations(**{f"r{n}": f"slides/slide{count - n}.xml" for n in range(count)}),
    }
    for number, slide in enumerate(slides):
        files[f"ppt/slides/slide{count - number}.xml"] = f"<p:sld>{slide}</p:sld>"
    if notes:
        files[f"ppt/slides/_rels/slide{count}.xml.rels"] = relations(n="../notesSlides/n1.xml", x="/../../etc/passwd")
        files["ppt/notesSlides/n1.xml"] = f"<p:notes>{notes}</p:notes>"
    return zip_bytes(files.items())


def test_a_slide_is_a_heading_with_its_texts_tables_and_notes(read: Read) -> None:
    first = shape(line("The Talk"), 'type="ctrTitle"') + shape(line("By whom"), 'type="subTitle"')
    points = line("one") + line("nested", '<a:pPr lvl="1"/>') + line("two")
    cells = "".join(f"<a:tc>{line(text)}</a:tc>" for text in ("Name", "Age"))
    row = "".join(f"<a:tc>{line(text)}</a:tc>" for text in ("Ann", "5"))
    table = f'<a:tbl><a:tblPr firstRow="1"/><a:tr>{cells}</a:tr><a:tr>{row}</a:tr></a:tbl>'
    second = (
        shape(line("Points"), 'type="title"') + shape(points, 'idx="1"') + f"<p:graphicFrame>{table}</p:graphicFrame>"
        + shape(line("A box.")) + shape(line("7"), 'type="sldNum"')
    )  # fmt: skip
    third = shape(line("No title here."))
    [document] = read("a.pptx", pptx_bytes(first, second, third, notes=shape(line("Say it."), 'type="body"')))
    assert document.title == "The Talk"
    assert [(b.kind, b.text, b.path, b.mark, b.level) for b in document.blocks] == [
        ("paragraph", "By whom", (), "", 0),
        ("paragraph", "Say it.", (), "", 0),
        ("item", "one", ("Points",), "-", 0),
        ("item", "nested", ("Points",), "-", 1),
        ("item", "two", ("Points",), "-", 0),
        ("table", "Name | Age\nAnn | 5", ("Points",), "header", 0),
        ("paragraph", "A box.", ("Points",), "", 0),
        ("paragraph", "No title here.", ("Slide 3",), "", 0),
    ]


def test_steps_of_a_slide_are_numbered_as_it_shows_them(read: Read) -> None:
    numbered, inner = "<a:pPr><a:buAutoNum/></a:pPr>", '<a:pPr lvl="1"><a:buAutoNum/></a:pPr>'
    steps = line("stop", numbered) + line("wait", inner) + line("look", inner) + line("start", numbered)
    second = line("beware") + line("stop again", numbered) + line("wait", inner)
    [document] = read("a.pptx", pptx_bytes(shape(line("Steps"), 'type="title"') + shape(steps + second, 'idx="1"')))
    marks = [(block.mark, block.level) for block in document.blocks]
    assert marks == [("1.", 0), ("1.", 1), ("2.", 1), ("2.", 0), ("-", 0), ("1.", 0), ("1.", 1)]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no zip", "broken, or not a .pptx file"),
        (zip_bytes([("a.txt", "x")]), "not a PowerPoint presentation"),
        (pptx_bytes("<p:sp>"), "broken, or not a .pptx file"),
        (pptx_bytes(), "empty, no text in it"),
        (pptx_bytes("<a:p>" * 5000 + "</a:p>" * 5000), "nested too deeply"),
    ],
)
def test_a_broken_or_hostile_file_is_refused(read: Read, content: bytes, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        read("a.pptx", content)


def test_entities_are_refused(read: Read) -> None:
    laughs = '<!DOCTYPE d [<!ENTITY a "ha">]><p:p>&a;</p:p>'
    with pytest.raises(BadInput, match="declares entities"):
        read("a.pptx", zip_bytes([("ppt/presentation.xml", laughs)]))


def fixed(text: str) -> str:
    runs = "".join(
        f'<a:r><a:rPr><a:latin typeface="Courier New"/></a:rPr><a:t>{t}</a:t></a:r>' for t in text.split("|")
    )
    return f"<a:p>{runs.replace('~</a:t></a:r>', '</a:t></a:r><a:br/>')}</a:p>"


def test_lines_in_a_font_of_fixed_width_are_code_and_a_word_in_it_is_not(read: Read) -> None:
    steps = line("Unpack it:") + fixed("tar| xf a.tar~|  cd a") + line("Start it:") + fixed("make") + fixed("  ./go")
    [document] = read(
        "a.pptx", pptx_bytes(shape(steps, 'idx="1"') + shape(fixed("retry_count") + line("Its meaning.")))
    )
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("item", "Unpack it:"),
        ("code", "tar xf a.tar\n  cd a"),
        ("item", "Start it:"),
        ("code", "make\n  ./go"),
        ("paragraph", "retry_count"),
        ("paragraph", "Its meaning."),
    ]
