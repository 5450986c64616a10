"""Change logs are known by the names of files and chapters, and stand behind manuals."""

from __future__ import annotations

import pytest

from expound.answer.order import order_sentences
from expound.text.change_logs import asks_for_changes, asks_for_licence, is_change_log, is_licence
from expound.types import Evidence, Passage, Source


@pytest.mark.parametrize(
    "file",
    ["NEWS", "NEWS.gz", "doc/ChangeLog.2", "CHANGES.rst", "release-notes.md", "whatsnew.html", "00-whatsnew.html"],
)
def test_a_change_log_is_known_by_the_name_of_its_file(file: str) -> None:
    assert is_change_log(file, "")


@pytest.mark.parametrize("file", ["changesets.md", "newsletter.html", "newsgroups.txt", "historical.txt", "guide.html"])
def test_a_file_that_only_sounds_like_one_is_none(file: str) -> None:
    assert not is_change_log(file, "Changes to files > Staging")


def test_a_chapter_of_a_manual_may_be_a_change_log() -> None:
    assert is_change_log("manual.html", "Release notes > Version 2")
    assert is_change_log("manual.html", "News in 3.2")
    assert is_change_log("manual.html", "News > March")


def test_a_page_may_be_a_change_log_by_its_title() -> None:
    assert is_change_log("previously.html", "Version 5", "New features")
    assert not is_change_log("tour.html", "Start", "New features of the editor at a glance")


def test_a_chapter_on_news_servers_is_no_change_log() -> None:
    assert not is_change_log("manual.html", "News servers > Adding one")


@pytest.mark.parametrize("file", ["COPYING", "COPYING.LESSER", "LICENSE-MIT", "licenses.html", "LICENSE_1_0.txt"])
def test_a_licence_is_known_by_the_name_of_its_file(file: str) -> None:
    assert is_licence(file, "")


@pytest.mark.parametrize("file", ["copying-files.html", "copying_and_moving.md", "license-server.md"])
def test_a_page_on_copying_files_is_no_licence(file: str) -> None:
    assert not is_licence(file, "")


def _found(number: int, file: str) -> Evidence:
    text = f"Report a bug on the tracker, section {number}."
    return Evidence(Passage(file, text, source=Source(file=file)), number, 0.5)


def test_the_manual_comes_before_the_change_log() -> None:
    found = [_found(1, "NEWS"), _found(2, "guide.html")]
    assert [item.number for item in order_sentences("How do I report a bug?", found)] == [2, 1]


def test_who_asks_what_changed_means_the_change_log() -> None:
    found = [_found(1, "NEWS"), _found(2, "guide.html")]
    assert asks_for_changes("Which release fixed the bug in reports?")
    assert [item.number for item in order_sentences("Which release fixed the bug in reports?", found)] == [1, 2]


def test_the_text_of_a_licence_is_told_from_the_section_that_names_it() -> None:
    assert is_licence("manual.pdf", "9) GNU Free Documentation License > 4. MODIFICATIONS")
    assert is_licence("COPYING.gz", "")
    assert not is_licence("manual.pdf", "1.1 License, Version and Legalities")
    assert asks_for_licence("Is it under the GPL?")
