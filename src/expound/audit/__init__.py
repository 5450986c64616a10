"""Are the numbers believable? Controls on anyone's predictions, each with a verdict and its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.audit.audit_request import AuditRequest
    from expound.audit.auditing import audit
    from expound.audit.clean_split import Split, Wanted, split, write_split
    from expound.audit.controls import CONTROLS, PAGE, Audit, audit_record, run_controls, write_audit
    from expound.audit.inputs import Inputs
    from expound.audit.verdict import Verdict
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "auditing": "audit",
            "clean_split": "Split Wanted split write_split",
            "controls": "CONTROLS PAGE Audit audit_record run_controls write_audit",
            "inputs": "Inputs",
            "audit_request": "AuditRequest",
            "verdict": "Verdict",
        },
    )

__all__ = [
    "CONTROLS",
    "PAGE",
    "Audit",
    "AuditRequest",
    "Inputs",
    "Split",
    "Verdict",
    "Wanted",
    "audit",
    "audit_record",
    "run_controls",
    "split",
    "write_audit",
    "write_split",
]
