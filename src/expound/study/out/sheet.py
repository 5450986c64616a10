"""Sheets: a row for each item, a column for each field, as ASQA's raters filled them in; out and back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from expound.errors import BadInput
from expound.records import read_whole
from expound.study.design.items import Placed
from expound.study.engine.assignment import MAIN
from expound.study.engine.intake import ForeignAnswer
from expound.study.engine.opened import Study
from expound.study.forms.posted import COMMENT
from expound.text.tables import as_csv, from_csv_cell


def sheet_of(study: Study) -> str:
    """The items as a sheet to fill in, blind and in the order of the sides on record."""
    items = study.by_kind[MAIN]
    names = list(dict.fromkeys(field.name for placed in items for field in study.form.fields(study.view(placed))))
    columns = ["item", "question", "answer A", "answer B", "readings", "rater", *names, COMMENT]
    return as_csv(columns, [_row(study, placed, width=len(columns)) for placed in items])


def _row(study: Study, placed: Placed, *, width: int) -> list[str]:
    """What is there to read; the rest is for the rater."""
    view = study.view(placed)
    readings = "\n".join(
        f"{n}: {one.question} — {' / '.join(one.answers)}" for n, one in enumerate(view.interpretations)
    )
    # Two columns for answers, whatever the form compares.
    filled = [placed.item.id, view.question, *[*view.texts, "", ""][:2], readings]
    return [*filled, *[""] * (width - len(filled))]


def read_sheet(path: Path) -> Iterator[ForeignAnswer]:
    """The rows of a filled-in sheet that name a rater; several ticks of one field are separated by semicolons."""
    # Rows as a spreadsheet counts them, with the heading as the first.
    for number, row in enumerate(_rows_of(path), start=2):
        if row["rater"]:
            where = f"{path}, row {number}"
            # Undone what `as_csv` did to ids that a spreadsheet would take for a formula.
            item = from_csv_cell(row["item"])
            yield ForeignAnswer(rater=row["rater"], item=item, sent=_cells(row), seconds=0.0, where=where)


def _rows_of(path: Path) -> list[dict[str, str]]:
    content = read_whole(path)
    try:
        # With the mark that Excel puts in front of UTF-8; strict, so that an open quotation does not swallow the rest.
        reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig")), strict=True)
        columns, rows = reader.fieldnames or (), list(reader)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 ({error.reason}); save the sheet as CSV in UTF-8") from error
    except csv.Error as error:
        raise BadInput(f"{path} cannot be read as CSV: {error}") from error
    if not {"item", "rater"} <= set(columns):
        raise BadInput(f"{path}: a sheet needs the columns item and rater")
    return rows


def _cells(row: Mapping[str, str | None]) -> dict[str, list[str]]:
    """A field's values; a text may hold semicolons too, so it is kept whole as well."""
    return {name: [value, *map(str.strip, value.split(";"))] for name, value in row.items() if name and value}
