"""A report as text: the page, tables to paste, and the record; written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.files import write_whole
from expound.records import without_nan
from expound.report.latex_table import latex_table
from expound.report.report_page import page_parts, report_page
from expound.report.reported import Reported, ReportedSystem
from expound.report.summary_table import (
    EVERY_NUMBER,
    how_made,
    number_rows,
    summary_columns,
    summary_rows,
    told_agreement,
    told_differences,
)
from expound.text.tables import as_csv, as_markdown
from expound.version import __version__

FORMATS = ("html", "markdown", "latex", "csv", "json")
_TABLES = {".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex"}
INDEX = "index.html"
"""The page of a report that is kept in a folder."""


def report_text(reported: Reported, format: str = "html") -> str:
    """The report in one of the formats: `html` is the whole of it, the others are its numbers."""
    made: dict[str, Callable[[Reported], str]] = {
        "html": report_page,
        "markdown": _markdown,
        "latex": latex_table,
        "csv": lambda found: as_csv(EVERY_NUMBER, number_rows(found)),
        "json": lambda found: json.dumps(report_record(found), ensure_ascii=False, indent=1) + "\n",
    }
    if format not in made:
        raise UserError(f"no format named {format!r}; there are: {', '.join(FORMATS)}")
    return made[format](reported)


def check_place(out: Path | None, format: str = "html", *, split: bool = False) -> None:
    """Refuse a place that a report cannot be written to, before the long work; None is the screen."""
    if out is None and (split or format == "html"):
        raise UserError("where to? Write --out report.html, or print a table: --format markdown")
    # Whoever names a table wants one: the page would be written under its name.
    if out and format == "html" and out.suffix.lower() in _TABLES:
        raise UserError(
            f"{out} is no page: add --format {_TABLES[out.suffix.lower()]}, or name a file that ends in .html"
        )
    if split and (format != "html" or (out and out.is_file())):
        raise UserError("--split makes a folder with a page: choose --format html, and a folder for --out")
    if out and not split and out.is_dir():
        raise UserError(f"{out} is a folder; name a file, such as {out / 'report.html'}, or make a folder with --split")
    # Told before scoring: otherwise the folder would be found to be a file after minutes of work.
    if above := next((parent for parent in (out.parents if out else ()) if parent.is_file()), None):
        raise UserError(f"{above} is a file, not a folder")


def write_report(reported: Reported, out: Path, format: str = "html", *, split: bool = False) -> Path:
    """Write a report to a file; or as a page with its data beside it into a folder. The file to open is given back."""
    check_place(out, format, split=split)
    if not split:
        _write(out, report_text(reported, format))
        return out
    page, parts = page_parts(reported)
    for name, content in parts.items():
        _write(out / name, content)
    # Last: who finds the page finds all of it.
    _write(out / INDEX, page)
    return out / INDEX


def report_record(reported: Reported) -> dict[str, Any]:
    """The numbers as JSON values; what does not exist is null."""
    record: dict[str, Any] = {
        "dataset": reported.dataset,
        "questions": len(reported.questions),
        "systems": [_system_record(system, reported) for system in reported.systems],
        "comparisons": [asdict(one) for one in reported.comparisons],
        "differences": told_differences(reported),
        "bounds": {name: [_numbers(one) for one in found.values()] for name, found in reported.bounds.items()},
        "how_made": how_made(reported),
        "seed": reported.seed,
        "expound": __version__,
    }
    if reported.people:
        record["people"] = {
            "judgments": len(reported.people.judgments),
            "points": _figures(reported.people.points),
            "agreement": _figures(reported.people.agreement),
            "told": [told_agreement(name, found) for name, found in reported.people.agreement.items()],
        }
    if reported.judges:
        record["judges"] = [asdict(one) for one in reported.judges]
    finite: dict[str, Any] = without_nan(record)
    return finite


def _markdown(reported: Reported) -> str:
    table = as_markdown(summary_columns(reported), summary_rows(reported))
    said = "".join(f"- {sentence}\n" for sentence in told_differences(reported))
    return f"{table}\n{said}{chr(10) if said else ''}{how_made(reported)}\n"


def _system_record(system: ReportedSystem, reported: Reported) -> dict[str, Any]:
    return {
        "letter": system.letter,
        "name": system.name,
        "spec": dict(system.spec),
        "words": system.words,
        "seconds": system.seconds,
        "spent": dict(system.spent),
        "errors": len(system.errors),
        "results": [
            {**_numbers(result), "above": reported.beaten(system.name, name)} for name, result in system.results.items()
        ],
        "verdicts": [
            dict(zip(("outcome", "check", "sentence"), one, strict=True))
            for one in (system.verdicts.found if system.verdicts else ())
        ],
    }


def _numbers(result: Any) -> dict[str, Any]:
    return {name: getattr(result, name) for name in ("metric", "value", "low", "high", "n", "signature")}


def _figures(found: Any) -> dict[str, Any]:
    return {name: {inner: asdict(one) for inner, one in row.items()} for name, row in found.items()}


def _write(path: Path, content: str) -> None:
    with write_whole(path) as file:
        file.write(content)
