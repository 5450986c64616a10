"""A passage on the screen looks like its document: code line by line, items with marks, tables in columns."""

from __future__ import annotations

import pytest

from expound.cli.passage_screen import (
    ScreenLine,
    first_lines,
    passage_lines,
    row_lines,
    step_lines,
)
from expound.shown.passage_words import cells_of, first_words
from expound.types import Part, Passage, Source

CODE = "if true; then\n    cp -a /var/backups/ledger.db /var/lib/ledger/ledger.db --preserve=all\nfi"


def passage_of(*blocks: tuple[str, str, str, int], file: str = "a.html") -> Passage:
    """A passage made of (kind, text, mark, level)."""
    parts, start = [], 0
    for kind, text, mark, level in blocks:
        parts.append(Part(kind, start, start + len(text), mark, level))
        start += len(text) + 1
    return Passage("a#1", "\n".join(block[1] for block in blocks), "A", Source(file), parts=tuple(parts))


def texts(lines: list[ScreenLine]) -> list[str]:
    return [line.text for line in lines]


def test_code_is_indented_and_never_folded() -> None:
    passage = passage_of(("paragraph", "Copy the file:", "", 0), ("code", CODE, "sh", 0))
    assert texts(passage_lines(passage, 30)) == ["Copy the file:", "", *(f"    {line}" for line in CODE.split("\n"))]


def test_items_have_their_marks_and_hang_under_their_words() -> None:
    passage = passage_of(("item", "Wait until the bar is full.", "1.", 0), ("item", "Or do not.", "", 1))
    assert texts(passage_lines(passage, 20)) == ["1. Wait until the", "   bar is full.", "   • Or do not."]


def test_a_table_has_columns() -> None:
    table = "name | default | meaning\nkeep | 14 | how long a backup is kept before it goes"
    lines = row_lines(table, 45, has_header=True, indent="")
    assert texts(lines) == [
        "name  default  meaning",
        "keep  14       how long a backup is kept",
        "               before it goes",
    ]
    assert [line.style for line in lines] == ["bold", "", ""]


def test_a_table_too_wide_for_columns_is_folded_row_by_row() -> None:
    table = f"{'a' * 30} | {'b' * 30}\n{'c' * 30} | {'d' * 30}"
    assert texts(row_lines(table, 50)) == [f"  {'a' * 30} |", f"    {'b' * 30}", f"  {'c' * 30} |", f"    {'d' * 30}"]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("a | b", ["a", "b"]),
        ("| a | b |", ["a", "b"]),
        ("|a|b|", ["a", "b"]),
        ("x|y | z", ["x|y", "z"]),
        (r"| a \| b | c |", ["a | b", "c"]),
        ("alone", ["alone"]),
        ("", [""]),
    ],
)
def test_cells_are_told_as_they_are_written(row: str, cells: list[str]) -> None:
    assert cells_of(row) == cells


def test_a_definition_is_a_term_with_its_meaning_below() -> None:
    passage = passage_of(("definition", "keep_days\nHow long a backup is kept.", "", 0))
    assert passage_lines(passage, 40) == [ScreenLine("keep_days", "bold"), ScreenLine("    How long a backup is kept.")]


def test_prose_of_a_markdown_file_is_shown_without_its_marks() -> None:
    passage = Passage("a.md#1", "Choose *Verify*\non the [page](x.html).", "A", Source("a.md"))
    assert texts(passage_lines(passage, 40)) == ["Choose Verify", "", "on the page."]
    assert first_words(passage, 40) == "Choose Verify on the page."


def test_first_words_and_first_lines_say_that_there_is_more() -> None:
    passage = Passage("a", "One two three four five six seven.")
    assert first_words(passage, 16) == "One two three …"
    assert texts(first_lines(passage, 16, 2)) == ["One two three", "four five six …"]
    assert texts(first_lines(passage, 80, 2)) == ["One two three four five six seven."]


def test_steps_keep_their_lines() -> None:
    assert texts(step_lines("1. Open the page and look.\n2. Wait.\nDone.", 22)) == [
        "  1. Open the page and",
        "     look.",
        "  2. Wait.",
        "  Done.",
    ]


def test_rows_terms_and_items_are_kept_apart_in_the_first_words() -> None:
    table = passage_of(("table", "| Flour | 400 g |\n| Salt | 10 g |", "", 0), file="a.md")
    assert first_words(table, 80) == "Flour | 400 g; Salt | 10 g"
    terms = passage_of(("definition", "Caraway\nwith the salt", "", 0), ("definition", "Seeds\nup to 80 g", "", 0))
    assert first_words(terms, 80) == "Caraway: with the salt; Seeds: up to 80 g"
    items = passage_of(("paragraph", "Buy:", "", 0), ("item", "eggs", "-", 0), ("item", "oil", "-", 0))
    assert first_words(items, 80) == "Buy: eggs; oil"
