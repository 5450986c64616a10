"""Pages of a PDF as pictures: the sentence is marked, and a hostile file breaks only its own process."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from corpus.read.made_documents import pdf_bytes
from expound.corpus.read.pdf_picture import draw_page
from expound.errors import BadInput

LINES = ["The lighthouse of Marrow Point was built in 1847", "by the engineer Ada Fenwick. It stands 31 metres high."]
SENTENCE = "The lighthouse of Marrow Point was built in 1847 by the engineer Ada Fenwick."
PAPER, MARKER = (255, 255, 255), (255, 226, 110)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    file = tmp_path / "lighthouse.pdf"
    file.write_bytes(pdf_bytes([LINES, ["A second page, on which nothing else is said."]]))
    return file


def pixels(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A picture as we write it: three colours, rows without a filter."""
    width, height = struct.unpack(">II", png[16:24])
    start = png.index(b"IDAT")
    size = struct.unpack(">I", png[start - 4 : start])[0]
    rows = np.frombuffer(zlib.decompress(png[start + 4 : start + 4 + size]), dtype=np.uint8)
    return rows.reshape(height, 1 + 3 * width)[:, 1:].reshape(height, width, 3)


def marked_share(png: bytes) -> float:
    return float((pixels(png) == MARKER).all(axis=2).mean())


def test_a_sentence_is_marked_over_the_lines_that_it_stands_on(pdf: Path) -> None:
    whole, none = draw_page(pdf, 1, SENTENCE), draw_page(pdf, 1)
    assert marked_share(none) == 0
    assert (pixels(none)[0, 0] == PAPER).all()
    assert marked_share(draw_page(pdf, 1, "by the engineer Ada Fenwick.")) < marked_share(whole) < 0.05


def test_what_stands_on_the_next_page_is_shown_there(pdf: Path) -> None:
    there = draw_page(pdf, 1, "A second page, on which nothing else is said.")
    assert marked_share(there) > 0
    assert there == draw_page(pdf, 2, "A second page, on which nothing else is said.")


def test_a_page_without_the_words_is_shown_unmarked(pdf: Path) -> None:
    assert draw_page(pdf, 1, "Nobody has ever written this sentence anywhere.") == draw_page(pdf, 1)


@pytest.mark.parametrize("page", [0, 9])
def test_a_page_that_is_not_there_is_told(pdf: Path, page: int) -> None:
    with pytest.raises(BadInput, match="cannot be drawn"):
        draw_page(pdf, page + 1 if page else -5)


def test_what_is_no_pdf_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    with pytest.raises(BadInput, match=r"x\.pdf: page 1 cannot be drawn"):
        draw_page(tmp_path / "x.pdf", 1)
