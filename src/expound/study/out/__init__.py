"""What leaves a study: judgments, exports, figures; and the way back for answers that other tools collected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.study.out.analyzing import analyze_source, analyze_study, write_analysis
    from expound.study.out.exports import export_file, export_text
    from expound.study.out.foreign_answers import import_answers
    from expound.study.out.judgments import judgments_of
    from expound.study.out.label_studio import read_annotations
    from expound.study.out.masked_filling import masked_test
    from expound.study.out.monitor import look_at, status_of
    from expound.study.out.published_studies import make_published
    from expound.study.out.sheet import read_sheet
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "analyzing": "analyze_source analyze_study write_analysis",
            "exports": "export_file export_text",
            "foreign_answers": "import_answers",
            "judgments": "judgments_of",
            "label_studio": "read_annotations",
            "masked_filling": "masked_test",
            "monitor": "look_at status_of",
            "published_studies": "make_published",
            "sheet": "read_sheet",
        },
    )

__all__ = [
    "analyze_source",
    "analyze_study",
    "export_file",
    "export_text",
    "import_answers",
    "judgments_of",
    "look_at",
    "make_published",
    "masked_test",
    "read_annotations",
    "read_sheet",
    "status_of",
    "write_analysis",
]
