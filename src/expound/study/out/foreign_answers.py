"""Take in answers that were given elsewhere, in whichever file they come."""

from __future__ import annotations

from pathlib import Path

from expound.study.engine.intake import take_in
from expound.study.engine.opened import Study
from expound.study.out.label_studio import read_annotations
from expound.study.out.sheet import read_sheet


def import_answers(study: Study, file: Path) -> int:
    """The answers of a filled-in sheet (.csv) or of an export of Label Studio (.json); how many were new."""
    return take_in(study, read_sheet(file) if file.suffix == ".csv" else read_annotations(file, study))
