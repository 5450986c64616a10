"""Every file that can be exported, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from expound.study.correspondence import message_lines
from expound.study.export import answer_lines, judgment_lines, judgment_table
from expound.study.intake import sheet_of
from expound.study.label_studio import config_of, fits, tasks_of
from expound.study.opened import Study
from expound.study.written import ambignq_file, asqa_file, masked_lines

EXPORTS: Mapping[str, tuple[Callable[[Study], str], str]] = {
    "judgments.jsonl": (judgment_lines, "application/jsonl"),
    "judgments.csv": (judgment_table, "text/csv"),
    "answers.jsonl": (answer_lines, "application/jsonl"),
    "messages.jsonl": (message_lines, "application/jsonl"),
    "masked.jsonl": (masked_lines, "application/jsonl"),
    "asqa.json": (asqa_file, "application/json"),
    "ambignq.json": (ambignq_file, "application/json"),
    "sheet.csv": (sheet_of, "text/csv"),
    "label-studio.xml": (config_of, "text/xml"),
    "label-studio.json": (tasks_of, "application/json"),
}
"""How each is made, and what it is."""

_ONLY = {"masked.jsonl": "expert-preference", "asqa.json": "asqa-write", "ambignq.json": "ambig-generate"}


def exports_of(study: Study) -> list[str]:
    """The exports that make sense for the form of a study."""
    others = {name for name, form in _ONLY.items() if form != study.form.name}
    if not fits(study):
        others |= {"label-studio.xml", "label-studio.json"}
    return [name for name in EXPORTS if name not in others]
