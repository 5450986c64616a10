"""Tables to paste elsewhere."""

from __future__ import annotations

import csv
import io

from expound.text.tables import as_csv, as_latex, as_markdown

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


def test_no_text_becomes_a_line_or_an_escape_sequence() -> None:
    assert "\x1b" not in as_latex(["a"], [["x\x1b[31m\ny"]])
    assert len(as_markdown(["a"], [["x\ny"]]).splitlines()) == 3
