"""Every file that can be exported, by name: those of all studies, and those that a form declares."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from expound.errors import UserError
from expound.files import write_whole
from expound.records import write_manifest
from expound.study.design.form import FormExport
from expound.study.engine.opened import Study
from expound.study.engine.sent_answers import latest_answers
from expound.study.engine.study_store import record_event
from expound.study.out.label_studio import can_show, config_of, tasks_of
from expound.study.out.lines import adjudicated_lines, answer_lines, judgment_lines, judgment_table, message_lines
from expound.study.out.sheet import sheet_of
from expound.study.out.workers import approve_table, rater_table, return_table


@dataclass(frozen=True)
class Export:
    """How a file is made of a study, and what it is."""

    write: Callable[[Study], str]
    media_type: str


_RESULTS: Mapping[str, Export] = {
    "judgments.jsonl": Export(judgment_lines, "application/jsonl"),
    "judgments.csv": Export(judgment_table, "text/csv"),
    "answers.jsonl": Export(answer_lines, "application/jsonl"),
    "adjudicated.jsonl": Export(adjudicated_lines, "application/jsonl"),
    "messages.jsonl": Export(message_lines, "application/jsonl"),
    "raters.csv": Export(rater_table, "text/csv"),
    "approve.csv": Export(approve_table, "text/csv"),
    "return.csv": Export(return_table, "text/csv"),
}
_TO_FILL_IN: Mapping[str, Export] = {"sheet.csv": Export(sheet_of, "text/csv")}
_FOR_LABEL_STUDIO: Mapping[str, Export] = {
    "label-studio.xml": Export(config_of, "text/xml"),
    "label-studio.json": Export(tasks_of, "application/json"),
}


def exports_of(study: Study) -> dict[str, Export]:
    """The exports of a study: what its form declares stands beside what every study has."""
    declared = {export.name: _of_form(export) for export in study.form.exports}
    # Ours come last: on a clash of names `judgments.jsonl` must mean the same in every study.
    return {**_RESULTS, **declared, **_RESULTS, **_TO_FILL_IN, **_FOR_LABEL_STUDIO}


def offered_exports(study: Study) -> list[str]:
    """The exports that make sense for the form of a study."""
    # Offered only where Label Studio can show the form; asked for by name it says why it cannot.
    others = () if can_show(study) else _FOR_LABEL_STUDIO
    return [name for name in exports_of(study) if name not in others]


def export_text(study: Study, name: str) -> str:
    """An export by its name."""
    exports = exports_of(study)
    if name not in exports:
        raise UserError(f"which export? Name the file, or give --what: {', '.join(exports)}")
    return exports[name].write(study)


def export_file(study: Study, out: Path, what: str = "") -> int:
    """Write an export with its manifest; how many records. Which one is said by `what`, or by the name of the file."""
    name = what or _name_in(study, out)
    started, text = time.time(), export_text(study, name)
    with write_whole(out) as file:
        file.write(text)
    count = _record_count(name, text)
    spec = {"study": study.plan.name, "form": study.form.name, "export": name}
    write_manifest(out, spec=spec, seed=study.plan.seed, inputs=[study.plan.items_path], count=count, started=started)
    with study.store.writing() as connection:
        # That data left the study is part of its history.
        record_event(connection, "exported", detail=name)
    return count


def _name_in(study: Study, out: Path) -> str:
    # By the end of the name: `pilot-judgments.csv` says what it wants to be.
    name = next((name for name in exports_of(study) if out.name.endswith(name)), "")
    # The suffix alone means the judgments, which is what most people want.
    return f"judgments{out.suffix}" if not name and out.suffix in (".jsonl", ".csv") else name


def _record_count(name: str, text: str) -> int:
    """How many records a file holds: lines, rows below the heading, or entries. A cell may have many lines."""
    if name.endswith(".jsonl"):
        return text.count("\n")
    if name.endswith(".csv"):
        # Parsed, because a cell may hold line breaks.
        return sum(1 for _ in csv.reader(io.StringIO(text, newline=""))) - 1
    if not name.endswith(".json"):
        return 1
    content = json.loads(text)
    # ASQA's layout has the questions one level down, by split.
    parts = content.values() if isinstance(content, dict) else [content]
    return sum(len(part) if isinstance(part, dict | list) else 1 for part in parts)


def _of_form(export: FormExport) -> Export:
    return Export(lambda study: export.write(list(latest_answers(study))), export.media_type)
