"""PDF: reading order, what is left out, typed blocks, headings, and files that cannot be read."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from corpus.read.made_documents import pdf_bytes
from corpus.read.made_pdfs import Put, down, placed_pdf
from corpus.read.read_helpers import Read, Write
from expound.corpus.read import ocr
from expound.corpus.read.apart import read_apart
from expound.corpus.read.document import Block, Document, PartlyRead
from expound.corpus.read.formats import read_here
from expound.corpus.read.pdf_words import Font, Word
from expound.errors import BadInput

LEFT = [f"left {word} of the first column here" for word in "one two three four five six seven eight".split()]
RIGHT = [f"right {word} of the second column" for word in "one two three four five six seven eight".split()]
PROSE = [
    "The pump starts as soon as the water in the tank falls below the lower",
    "mark, and it runs until the upper mark is reached or the timer ends it.",
    "It can be stopped by hand at any time with the red key on the panel.",
]


def kinds(document: Any) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document.blocks]


def text_of(document: Any) -> str:
    return "\n".join(block.text for block in document.blocks)


def test_a_block_knows_its_page(read: Read) -> None:
    [document] = read("paper.pdf", pdf_bytes([["First page."], [], ["Third page."]], title="On Pages"))
    assert document.title == "On Pages"
    assert document.blocks == (Block("First page.", page=1), Block("Third page.", page=3))


@pytest.mark.parametrize("title", ["", "paper_final.docx", "Microsoft Word - x", "untitled", "123", "Untitled 2"])
def test_a_senseless_title_gives_way_to_the_file_name(read: Read, title: str) -> None:
    assert read("paper.pdf", pdf_bytes([["Text."]], title=title))[0].title == "paper"


def test_without_a_title_in_the_file_the_largest_line_of_the_first_page_is_it(read: Read) -> None:
    page = [Put("The Pump Handbook", size=24), *down(PROSE, y=600)]
    assert read("a.pdf", placed_pdf([page]))[0].title == "The Pump Handbook"


def test_words_broken_at_line_ends_are_made_whole(read: Read) -> None:
    lines = ["Plants live by photo-", "synthesis, a slow and well-", "known process. Well-known is it."]
    [document] = read("a.pdf", pdf_bytes([lines]))
    assert text_of(document) == "Plants live by photosynthesis, a slow and well-known process. Well-known is it."


def test_two_columns_are_read_one_after_the_other(read: Read) -> None:
    """Though the file draws them line by line."""
    rows = [pair for i in range(8) for pair in (Put(LEFT[i], 72, 600 - 12 * i), Put(RIGHT[i], 320, 600 - 12 * i))]
    page = [Put("A heading over both of the columns of this page", 72, 700, size=16), *rows]
    [document] = read("a.pdf", placed_pdf([page]))
    assert text_of(document).split() == " ".join(LEFT + RIGHT).split()
    assert {block.path for block in document.blocks} == {("A heading over both of the columns of this page",)}


def test_columns_that_do_not_share_their_lines_are_told_apart(read: Read) -> None:
    [document] = read("a.pdf", placed_pdf([down(RIGHT, x=320, y=595) + down(LEFT, y=600)]))
    assert text_of(document).split() == " ".join(LEFT + RIGHT).split()


def test_a_heading_in_one_column_keeps_the_lines_of_the_other_apart(read: Read) -> None:
    right = [*down(RIGHT[:3], x=320), Put("Trouble", 320, 658, size=18), *down(RIGHT[3:], x=320, y=634)]
    page = [*down(LEFT, y=700), *right]
    [document] = read("a.pdf", placed_pdf([page]))
    assert text_of(document).split() == " ".join(LEFT + RIGHT).split()


def test_three_columns_are_read_from_left_to_right(read: Read) -> None:
    columns = [[f"{side} {line} has four" for line in "ab cd ef gh ij kl".split()] for side in ("un", "deux", "trois")]
    page = [put for number, lines in enumerate(columns) for put in down(lines, x=60 + 170 * number)]
    [document] = read("a.pdf", placed_pdf([sorted(page, key=lambda put: -put.y)]))
    assert text_of(document).split() == " ".join(line for lines in columns for line in lines).split()


BODY = [[f"{word} {line}" for line in PROSE] for word in "one two six ten red blue green white".split()]


def numbered_pages(head: Callable[[int], Sequence[Put]]) -> list[list[Put]]:
    return [[*head(number), *down(lines, y=650)] for number, lines in enumerate(BODY)]


@pytest.mark.parametrize(
    "head",
    [
        lambda i: [Put("A Journal", y=760), Put(f"Page {i + 1}", y=40)],
        lambda i: [Put(f"{i + 10} A Journal" if i % 2 else f"Chapter One {i + 10}", 72 + 90 * (i % 2), 760)],
        lambda i: [Put("Pump Handbook 2.3, May 2024", y=760), Put(f"Page {i + 1} of 8", y=40)],
        lambda i: [Put("Pumps", y=760), Put(f"{i + 17}", x=300, y=760)],
        lambda i: [Put(f"{i + 1}", 300, 40)],
        lambda i: [Put(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"][i], 300, 40)],
        lambda i: [Put(f"Another head every other page: {'abcdefgh'[i // 2] * 5}", y=760)],
    ],
    ids=[
        "head and foot",
        "left and right pages",
        "numbers within",
        "number apart",
        "numbers alone",
        "roman numbers",
        "changing heads",
    ],
)
def test_running_heads_and_page_numbers_are_left_out(read: Read, head: Callable[[int], Sequence[Put]]) -> None:
    [document] = read("a.pdf", placed_pdf(numbered_pages(head)))
    assert text_of(document).split() == " ".join(line for lines in BODY for line in lines).split()


MONTHS = "January February March April May June July August".split()


def invoice(number: int, month: str) -> list[Put]:
    lines = [f"Pump of type P{10 * number} with a lid", "Brought to the harbour", f"Sum: {100 * number}.50 euros"]
    return [Put(f"Invoice 2024-00{number}", y=740), *down(lines), Put(f"Due on {12 + number} {month} 2024", y=600)]


def payslip(number: int, month: str) -> list[Put]:
    return down([f"Payslip {month} 2024", "Employee 1003: Anna Berg", f"Gross {2300 + number}", f"{1800 + 3 * number}"])


def exercise(number: int, month: str) -> list[Put]:
    return [Put(f"Exercise {number}", y=740), *down([f"{line} ({month})" for line in PROSE], y=690)]


@pytest.mark.parametrize(("heads", "kept"), [(["A Journal"] * 2, 0), (["Part One", "Part Two"], 2)])
def test_what_stands_above_both_pages_of_two_is_left_out(read: Read, heads: list[str], kept: int) -> None:
    pages = [[Put(head, y=760), *down(lines, y=650)] for head, lines in zip(heads, BODY, strict=False)]
    [document] = read("a.pdf", placed_pdf(pages))
    text = " ".join([text_of(document), document.title, *(" ".join(block.path) for block in document.blocks)])
    assert sum(head in text for head in heads) == kept


@pytest.mark.parametrize("form", [invoice, payslip, exercise])
def test_forms_that_differ_in_their_numbers_have_no_running_heads(
    read: Read, form: Callable[[int, str], list[Put]]
) -> None:
    pages = [form(number, month) for number, month in enumerate(MONTHS, 1)]
    [document] = read("forms.pdf", placed_pdf(pages))
    assert text_of(document).split() == " ".join(put.text for page in pages for put in page).split()


def test_the_title_of_a_sheet_is_no_head_though_it_counts_with_the_pages(read: Read) -> None:
    pages = numbered_pages(lambda i: [Put(f"Exercise sheet {i + 1}", y=760, size=16)])
    [document] = read("a.pdf", placed_pdf(pages))
    assert [block.path for block in document.blocks] == [(f"Exercise sheet {i + 1}",) for i in range(8)]


def test_the_titles_of_slides_are_no_running_heads(read: Read) -> None:
    slides = numbered_pages(lambda i: [Put(f"Slide of {'abcdefgh'[i] * 5}", y=760, size=16)])
    [document] = read("a.pdf", placed_pdf(slides))
    assert len({block.path for block in document.blocks}) == 8


def test_a_first_line_that_only_one_page_has_stays(read: Read) -> None:
    [document] = read("a.pdf", placed_pdf([down(PROSE), down(["Another page.", *PROSE[1:]]), down(PROSE[2:])]))
    assert "Another page." in text_of(document)


def test_dotted_contents_lines_are_left_out(read: Read) -> None:
    lines = ["Chapter 1 ........ 3", "Chapter 2 . . . . . . . . 17", "A.1 More .......... iv"]
    [document] = read("a.pdf", placed_pdf([down(lines), down(PROSE)]))
    assert text_of(document) == " ".join(PROSE)


def test_a_paragraph_ends_at_a_wider_gap_or_an_indentation(read: Read) -> None:
    spaced = down(PROSE) + down(PROSE, y=650)
    indented = [Put(PROSE[0], 90, 500), *down(PROSE[1:], y=488), Put(PROSE[0], 90, 464), *down(PROSE[1:], y=452)]
    [document] = read("a.pdf", placed_pdf([spaced, indented]))
    assert kinds(document) == [("paragraph", " ".join(PROSE))] * 4


def test_a_paragraph_goes_on_over_the_page_and_its_footnote_comes_after_it(read: Read) -> None:
    note = Put("1 Only in the older model.", y=80, size=8)
    [document] = read("a.pdf", placed_pdf([[*down(PROSE[:1]), note], down(PROSE[1:])]))
    assert [(block.text, block.page) for block in document.blocks] == [
        (" ".join(PROSE), 1),
        ("1 Only in the older model.", 1),
    ]


def test_a_raised_number_is_told_from_one_that_ends_a_name(read: Read) -> None:
    line = [Put("See the list of notes", 72, 700), Put("17", 159.9, 704, size=6), Put("and read page17.", 170, 700)]
    [document] = read("a.pdf", placed_pdf([[*line, *down(["It is a long list of notes and names."], y=688)]]))
    assert "notes¹⁷ and read page17." in document.blocks[0].text


def test_code_keeps_its_lines_and_indentation(read: Read) -> None:
    code = ["def run(pump):", "    if pump.idle:", "        pump.start()  # now"]
    shown = [
        Put(line.lstrip(), 72 + 6 * (len(line) - len(line.lstrip())), 640 - 12 * i, font="mono")
        for i, line in enumerate(code)
    ]
    [document] = read("a.pdf", placed_pdf([down(PROSE) + shown + down(PROSE, y=560)]))
    assert kinds(document) == [
        ("paragraph", " ".join(PROSE)),
        ("code", "\n".join(code)),
        ("paragraph", " ".join(PROSE)),
    ]


def test_a_text_that_is_all_typewriter_type_is_prose(read: Read) -> None:
    [document] = read("a.pdf", placed_pdf([down(PROSE, font="mono")]))
    assert kinds(document) == [("paragraph", " ".join(PROSE))]


def test_items_have_their_mark_and_level(read: Read) -> None:
    page = [
        *down(PROSE),
        *down(["1. Open the valve and wait until the water", "2. Close it."], y=640, step=24),
        Put("runs clear.", 84, 628),
        Put("- slowly", 90, 604),
        Put("- gently", 90, 592),
    ]
    [document] = read("a.pdf", placed_pdf([page]))
    assert [(block.mark, block.level, block.text) for block in document.blocks[1:]] == [
        ("1.", 0, "Open the valve and wait until the water runs clear."),
        ("2.", 0, "Close it."),
        ("-", 1, "slowly"),
        ("-", 1, "gently"),
    ]


def test_aligned_cells_are_a_table_with_its_header(read: Read) -> None:
    rows = [
        ("Model", "Flow", "Weight"),
        ("P10", "3.5", "12 kg"),
        ("P20", "7", "19 kg"),
        ("P30 with a lid", "11", "24 kg"),
    ]
    cells = [
        Put(cell, 72 + 120 * column, 640 - 14 * row, font="plain" if row else "bold")
        for row, texts in enumerate(rows)
        for column, cell in enumerate(texts)
    ]
    [document] = read("a.pdf", placed_pdf([[*down(PROSE), *cells, Put("Table 1: The models.", 72, 560)]]))
    table, caption = document.blocks[1:]
    assert (table.kind, table.mark) == ("table", "header")
    assert table.text.split("\n") == [
        "Model | Flow | Weight",
        "P10 | 3.5 | 12 kg",
        "P20 | 7 | 19 kg",
        "P30 with a lid | 11 | 24 kg",
    ]
    assert (caption.kind, caption.text) == ("caption", "Table 1: The models.")


def test_the_lines_of_a_cell_are_one_cell(read: Read) -> None:
    page = [
        *down(["quiet", "fast", "long"], y=640, step=36),
        *down(["makes no noise at all while", "the tank is filled"], x=160, y=640),
        *down(["fills the tank in half the", "usual time"], x=160, y=604),
        *down(["fills two tanks"], x=160, y=568),
    ]
    [document] = read("a.pdf", placed_pdf([[*down(PROSE), *page]]))
    assert document.blocks[1].text.split("\n") == [
        "quiet | makes no noise at all while the tank is filled",
        "fast | fills the tank in half the usual time",
        "long | fills two tanks",
    ]


def test_a_term_and_the_indented_text_below_it_are_a_definition(read: Read) -> None:
    page = [*down(PROSE), Put("--quiet", 72, 640, font="mono"), Put("Makes no noise.", 100, 628), *down(PROSE, y=600)]
    [document] = read("a.pdf", placed_pdf([page]))
    assert kinds(document)[1] == ("definition", "--quiet\nMakes no noise.")


def test_the_outline_gives_the_headings(read: Read) -> None:
    pages = [
        [Put("1. Before you start"), *down(PROSE, y=676)],
        [*down(PROSE), Put("2. First use", y=640), *down(PROSE, y=616)],
    ]
    [document] = read("a.pdf", placed_pdf(pages, outline=[("Before you start", 1), ("First use", 2)]))
    assert [(block.path, block.page) for block in document.blocks] == [
        (("1. Before you start",), 1),
        (("1. Before you start",), 2),
        (("2. First use",), 2),
    ]
    assert {block.text for block in document.blocks} == {" ".join(PROSE)}


def test_contents_are_no_part_that_chapters_stand_under(read: Read) -> None:
    page = [Put("Table of Contents"), Put("First use", y=640), *down(PROSE, y=616)]
    [document] = read("a.pdf", placed_pdf([page], outline=[("Table of Contents", 1), ("First use", 1)]))
    assert {block.path for block in document.blocks} == {("First use",)}
    [alone] = read("b.pdf", placed_pdf([[Put("Contents"), *down(PROSE, y=616)]], outline=[("Contents", 1)]))
    assert {block.path for block in alone.blocks} == {()}


def test_a_long_row_of_digits_beside_an_outline_is_read_in_no_time(read: Read) -> None:
    # Taking it for a section's number in every way that it can be divided would never end.
    page = [Put("First use"), Put("0123456789" * 4 + "x", y=690), *down(PROSE, y=660)]
    [document] = read("a.pdf", placed_pdf([page], outline=[("First use", 1)]))
    assert {block.path for block in document.blocks} == {("First use",)}


def test_without_an_outline_size_and_weight_give_the_headings(read: Read) -> None:
    page = [
        Put("1 Pumps", y=740, size=18),
        Put("1.1 Small pumps", y=710, size=10, font="bold"),
        *down(PROSE, y=690),
        Put("1.2 Large pumps", y=640, size=10, font="bold"),
        *down(PROSE, y=620),
        Put("2 Tanks", y=560, size=18),
        *down(PROSE, y=530),
    ]
    [document] = read("a.pdf", placed_pdf([page], title="Handbook"))
    assert [block.path for block in document.blocks] == [
        ("1 Pumps", "1.1 Small pumps"),
        ("1 Pumps", "1.2 Large pumps"),
        ("2 Tanks",),
    ]


def test_what_is_quoted_is_found_by_a_viewers_search(read: Read, tmp_path: Path) -> None:
    """PDFium's own search, as a browser has it: every sentence of every block, word for word."""
    page = [*down([*PROSE, "A second one is for emer-", "gencies; see items[0] and Server()."], y=700)]
    [document] = read("a.pdf", placed_pdf([page]))
    text_page = pypdfium2.PdfDocument(tmp_path / "a.pdf")[0].get_textpage()
    for line in PROSE:
        assert line in text_of(document)
        assert text_page.search(line).get_next()
    assert "for emergencies; see items[0] and Server()." in text_of(document)
    whole = re.sub(r"-?\ufffe", "", text_page.get_text_range().replace("-\r\n", "")).split()
    assert text_of(document).split() == whole


@pytest.mark.skipif(find_spec("rapidocr") is not None, reason="with the extra the page is looked at")
def test_a_pdf_without_text_says_how_to_have_it_recognised(read: Read) -> None:
    with pytest.raises(BadInput, match=r"scanned: no text; `pip install expound\[ocr\]`"):
        read("a.pdf", pdf_bytes([[], []]))


def with_pictures(tmp_path: Path) -> bytes:
    """A page of text, one that was left blank, and two that are pictures."""
    pdf = pypdfium2.PdfDocument(placed_pdf([down(PROSE), []]))
    for _ in range(2):
        picture, page = pypdfium2.PdfImage.new(pdf), pdf.new_page(612, 792)
        picture.set_bitmap(pdf[0].render(scale=0.2))
        picture.set_matrix(pypdfium2.PdfMatrix().scale(612, 792))
        page.insert_obj(picture)
        page.gen_content()
    pdf.save(tmp_path / "made.pdf")
    return (tmp_path / "made.pdf").read_bytes()


def test_pages_that_are_pictures_among_others_are_told(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "is_available", lambda: False)
    path = write("a.pdf", with_pictures(tmp_path))
    document, remark = read_here(path)
    assert isinstance(document, Document)
    assert isinstance(remark, PartlyRead)
    assert text_of(document) == " ".join(PROSE)
    assert remark.text.startswith(f"{path}: 2 of 4 pages have no text: scanned? `pip install expound[ocr]`")
    assert list(read_apart(path)) == [document, remark]


def test_pages_that_are_pictures_among_others_are_recognised(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Word(text="Seen.", left=72, right=100, base=700, font=Font(10), run=0)
    monkeypatch.setattr(ocr, "is_available", lambda: True)
    monkeypatch.setattr(ocr, "seen_words", lambda page: [seen])
    [document] = read("a.pdf", with_pictures(tmp_path))
    assert [block.page for block in document.blocks] == [1, 3, 4]


@pytest.mark.slow
def test_a_scanned_page_is_recognised(read: Read, tmp_path: Path) -> None:
    pytest.importorskip("rapidocr")
    path = tmp_path / "written.pdf"
    path.write_bytes(placed_pdf([down(PROSE, step=14)]))
    image = pypdfium2.PdfDocument(path)[0].render(scale=2).to_pil()
    image.save(tmp_path / "image.pdf", resolution=144)
    [document] = read("scan.pdf", (tmp_path / "image.pdf").read_bytes())
    assert kinds(document) == [("paragraph", " ".join(PROSE))]


def test_an_encrypted_pdf_is_refused(read: Read) -> None:
    with pytest.raises(BadInput, match="encrypted; save a copy without a password"):
        read("a.pdf", pdf_bytes([["Secret."]], is_encrypted=True))


@pytest.mark.parametrize("content", [b"%PDF-1.4 broken", b"not a pdf", b"", pdf_bytes([["x"]])[:150]])
def test_a_broken_pdf_is_refused(read: Read, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"a\.pdf: a broken PDF"):
        read("a.pdf", content)


def test_a_gzipped_pdf_is_read(read: Read) -> None:
    assert read("a.pdf.gz", gzip.compress(pdf_bytes([["Text."]])))[0].blocks[0].text == "Text."
