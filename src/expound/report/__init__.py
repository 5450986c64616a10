"""Runs as a page: numbers, controls, people's votes and the answers themselves in one file, or as a table to paste."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.report.gathering import report
    from expound.report.report_formats import FORMATS, check_place, report_text, write_report
    from expound.report.report_request import ReportRequest
    from expound.report.reported import Reported, ReportedSystem
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "gathering": "report",
            "report_request": "ReportRequest",
            "reported": "Reported ReportedSystem",
            "report_formats": "FORMATS check_place report_text write_report",
        },
    )

__all__ = [
    "FORMATS",
    "ReportRequest",
    "Reported",
    "ReportedSystem",
    "check_place",
    "report",
    "report_text",
    "write_report",
]
