"""PDF: pages, broken words, running lines, and files that cannot be read."""

from __future__ import annotations

import gzip

import pytest
from made_documents import pdf_bytes

from expound.errors import BadInput


def test_each_page_is_a_section_with_its_number(read) -> None:
    [document] = read("paper.pdf", pdf_bytes([["First page."], [], ["Third page."]], title="On Pages"))
    assert document.title == "On Pages"
    assert [(section.page, section.text) for section in document.sections] == [(1, "First page."), (3, "Third page.")]


@pytest.mark.parametrize("title", ["", "paper_final.docx", "Microsoft Word - x", "untitled", "123", "Untitled 2"])
def test_a_senseless_title_gives_way_to_the_file_name(read, title: str) -> None:
    assert read("paper.pdf", pdf_bytes([["Text."]], title=title))[0].title == "paper"


def test_words_broken_at_line_ends_are_made_whole(read) -> None:
    lines = ["Plants live by photo-", "synthesis, a slow and well-", "known process. Well-known is it."]
    [document] = read("a.pdf", pdf_bytes([lines]))
    assert (
        document.sections[0].text == "Plants live by photosynthesis, a slow and well-known process. Well-known is it."
    )


def test_running_headers_and_page_numbers_are_dropped(read) -> None:
    pages = [
        ["A Journal", f"Sentence number {word} is here.", f"Page {i}"] for i, word in enumerate(["one", "two", "six"])
    ]
    [document] = read("a.pdf", pdf_bytes(pages))
    assert [section.text for section in document.sections] == [
        f"Sentence number {w} is here." for w in ("one", "two", "six")
    ]


def test_a_pdf_without_text_is_refused(read) -> None:
    with pytest.raises(BadInput, match=r"no text in it \(scanned\?\)"):
        read("a.pdf", pdf_bytes([[], []]))


def test_an_encrypted_pdf_is_refused(read) -> None:
    with pytest.raises(BadInput, match="encrypted; save a copy without a password"):
        read("a.pdf", pdf_bytes([["Secret."]], is_encrypted=True))


@pytest.mark.parametrize("content", [b"%PDF-1.4 broken", b"not a pdf", b"", pdf_bytes([["x"]])[:150]])
def test_a_broken_pdf_is_refused(read, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"a\.pdf: a broken PDF"):
        read("a.pdf", content)


def test_a_gzipped_pdf_is_read(read) -> None:
    assert read("a.pdf.gz", gzip.compress(pdf_bytes([["Text."]])))[0].sections[0].text == "Text."
