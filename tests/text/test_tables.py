"""Tables to paste elsewhere."""

from __future__ import annotations

import csv
import io
import math

import pytest

from expound.text.tables import as_csv, as_latex, as_markdown, from_csv_cell

COLUMNS = ["metric", "value", "n"]
ROWS = [["rouge_l|x", 41.456, 3], ["50 % & more", 1.0, 12]]


def test_markdown_escapes_pipes_and_aligns_numbers() -> None:
    assert as_markdown(COLUMNS, ROWS).splitlines() == [
        "| metric | value | n |",
        "| --- | ---: | ---: |",
        r"| rouge_l\|x | 41.46 | 3 |",
        "| 50 % & more | 1.00 | 12 |",
    ]


def test_csv_reads_back_with_all_digits() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(COLUMNS, ROWS))))
    assert rows == [COLUMNS, ["rouge_l|x", "41.456", "3"], ["50 % & more", "1.0", "12"]]


def test_latex_escapes_what_it_would_obey() -> None:
    text = as_latex(COLUMNS, ROWS)
    assert r"\begin{tabular}{lrr}" in text
    assert r"rouge\_l|x & 41.46 & 3 \\" in text
    assert r"50 \% \& more & 1.00 & 12 \\" in text


def test_a_number_that_was_written_out_stands_with_the_numbers() -> None:
    rows = [["a", "< 0.0001"], ["b", "0.0432"], ["c", "–"]]
    assert r"\begin{tabular}{lr}" in as_latex(["metric", "p"], rows)
    assert r"a & $<$ 0.0001 \\" in as_latex(["metric", "p"], rows)
    assert "| --- | ---: |" in as_markdown(["metric", "p"], rows)


def test_no_number_is_a_dash_and_its_column_one_of_numbers() -> None:
    table = as_markdown(["metric", "value"], [["a", math.nan], ["b", 1.0]])
    assert table.splitlines()[1:] == ["| --- | ---: |", "| a | – |", "| b | 1.00 |"]


def test_no_text_becomes_a_line_or_an_escape_sequence() -> None:
    assert "\x1b" not in as_latex(["a"], [["x\x1b[31m\ny"]])
    assert len(as_markdown(["a"], [["x\ny"]]).splitlines()) == 3


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " \n=1", "＝1", "－1+1", "=1\U000e0020"]
)
def test_no_cell_of_a_csv_file_is_a_formula(text: str) -> None:
    [[head], [cell]] = csv.reader(io.StringIO(as_csv([text], [[text]])))
    assert head == cell
    assert cell.startswith("'")
    assert from_csv_cell(cell) == text.replace("\U000e0020", "")


@pytest.mark.parametrize("text", ["-0.25", "+3", "-1,000.5", "1e-5", "-12%", "plain", "", "'quoted'", "a=b"])
def test_numbers_and_other_texts_stay_as_they_are(text: str) -> None:
    assert list(csv.reader(io.StringIO(as_csv(["a"], [[text, ""]])))) == [["a"], [text, ""]]
    assert from_csv_cell(text) == text


def test_a_line_end_inside_a_cell_does_not_end_the_row() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(["a", "b"], [["one\rtwo", "three\r\nfour"]]), newline="")))
    assert [len(row) for row in rows] == [2, 2]
    assert "\r" not in rows[1][0]


@pytest.mark.parametrize(
    "text", ["1234567890123456789", "-7064137926889573912", "0042", "12e3", "5E10", "20-1", "3/4", "1-2-3"]
)
def test_an_id_that_a_spreadsheet_would_take_for_a_number_comes_back_as_it_was(text: str) -> None:
    (cell,) = list(csv.reader(io.StringIO(as_csv(["a"], [[text]]))))[1]
    assert cell == f"'{text}"
    assert from_csv_cell(cell) == text
