"""The verdicts of audits beside the numbers: from the record of an audit, or of an audit that is made now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from expound.audit.auditing import gather
from expound.audit.controls import RECORD, audit_record, run_controls
from expound.errors import BadInput
from expound.records import read_json
from expound.report.report_request import ReportRequest
from expound.report.reported import ReportedSystem, Verdicts
from expound.report.sources import Found

_PLACES = ("audit", ".")
"""Where the record of a run's audit is looked for, from the run's folder."""


def find_verdicts(folder: Path) -> Verdicts | None:
    """The verdicts of the audit in a run's folder, or in `audit` below it; None where there is none."""
    for place in _PLACES:
        path = folder / place / RECORD
        if path.is_file():
            return verdicts_from(read_json(path), str(path))
    return None


def make_verdicts(system: ReportedSystem, found: Found, request: ReportRequest) -> ReportedSystem:
    """The system with its verdicts; it is audited if nobody did before."""
    if system.verdicts is not None:
        return system
    # Questions that failed have no answer to audit, and are told as failures elsewhere.
    wanted = request.audit_request(found, allow_missing=bool(system.errors))
    # Its answers with random passages are of no use to anybody after the verdict.
    with TemporaryDirectory() as scratch:
        result = run_controls(gather(wanted, Path(scratch)))
    return replace(system, verdicts=verdicts_from(audit_record(result), system.name))


def verdicts_from(record: Mapping[str, Any], where: str) -> Verdicts:
    """The verdicts of an audit's record."""
    try:
        found = [
            (str(one["outcome"]), str(one["check"]), str(one["sentence"]))
            for section in record["sections"]
            for one in section["verdicts"]
        ]
    except (KeyError, TypeError) as error:
        raise BadInput(f"{where} is not the record of an audit; make it again: expound audit") from error
    return Verdicts(metric=str(record.get("metric") or ""), found=tuple(found))
