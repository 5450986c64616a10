"""The main text of pages of a dozen kinds, beside what is marked in them and beside trafilatura."""

from __future__ import annotations

from pathlib import Path

import pytest

from build.gold_text import PAGES, mean_f1, token_f1
from expound.build.web_text import CAREFUL, FAST, extract


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_most_of_every_page_is_its_main_text_and_little_else(page: Path) -> None:
    assert token_f1(page, FAST) > 0.88


def test_the_fast_extractor_is_within_two_points_of_the_careful_one() -> None:
    pytest.importorskip(CAREFUL)
    assert len(PAGES) == 12
    assert mean_f1(FAST) > mean_f1(CAREFUL) - 2


def test_menus_before_the_heading_and_remarks_after_the_last_sentence_go() -> None:
    text = extract(next(page for page in PAGES if page.stem == "faq").read_bytes(), FAST).text
    assert text.startswith("Questions about moorings\nHow do I reserve")
    assert text.endswith("It takes cards but no coins.")


def test_a_page_without_a_sentence_is_left_as_it_is() -> None:
    assert extract(b"<p>Home</p><p>Contact</p>", FAST).text == "Home\nContact"
