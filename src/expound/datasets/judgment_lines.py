"""Judgments as `study export` and `judge` write them, with the texts of the items that stand beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import WRONG, fields, identifier, items, reason, text, texts
from expound.datasets.preferences import refuse_double
from expound.errors import BadInput, BadRecord
from expound.records import interpretation_from, manifest_path, question_id, read_json, read_judgments, read_lines
from expound.types import Judgment, Preference, Question

_ENDING = ".items.jsonl"


@dataclass(frozen=True)
class JudgmentLines:
    """Lines of `Judgment`. Choices between two answers become preferences; other judgments are left out.

    The texts are those of the items: of the file that the manifest names, or of `NAME.items.jsonl` beside `NAME.jsonl`.
    """

    path: Path

    def __iter__(self) -> Iterator[Preference]:
        chosen = [one for one in read_judgments(self.path) if one.choice is not None]
        if not chosen:
            raise BadInput(f"{self.path} has no choices between two answers")
        file = items_beside(self.path)
        if file is None:
            hint = f"put the items of the study beside it, as {_beside(self.path).name}"
            raise BadInput(f"{self.path} has judgments without texts; {hint}")
        known = _read_items(file)
        return refuse_double((_preference(one, known, self.path) for one in chosen), self.path)


def items_beside(path: Path) -> Path | None:
    """The file with the texts that were judged: they are not repeated in every judgment."""
    manifest = manifest_path(path)
    named = fields(read_json(manifest)).get("inputs", {}) if manifest.exists() else {}
    # Beside the judgments first: whoever moves a study moves both files.
    candidates = [path.with_name(Path(name).name) for name in named] + [Path(name) for name in named] + [_beside(path)]
    return next((file for file in candidates if file.name.endswith(_ENDING) and file.exists()), None)


def _beside(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(".gz").removesuffix(".jsonl") + _ENDING)


def _read_items(path: Path) -> dict[str, tuple[Question, str, dict[str, str]]]:
    known = {}
    for number, record in read_lines(path):
        try:
            known[identifier(record["id"])] = _item(record)
        except WRONG as error:
            raise BadRecord(f"{path}, line {number}: not an item of a study ({reason(error)})") from error
    return known


def _item(record: Mapping[str, Any]) -> tuple[Question, str, dict[str, str]]:
    """The question, its domain, and the texts by system."""
    asked = text(record.get("question", ""))
    readings = tuple(interpretation_from(one) for one in items(record.get("interpretations", [])))
    # Items of older studies have no id of a question: the same text then means the same question.
    question = Question(
        id=str(record.get("question_id") or question_id(asked)),
        text=asked,
        references=texts(record.get("references", [])),
        interpretations=readings,
    )
    answers = {text(one["system"]): text(one["text"]) for one in map(fields, items(record["candidates"]))}
    return question, str(record.get("domain", "")), answers


def _preference(one: Judgment, known: Mapping[str, tuple[Question, str, dict[str, str]]], path: Path) -> Preference:
    # An item that is missing is told below, together with one that lacks a system: the remedy is the same.
    question, domain, texts = known.get(one.item, (Question("", ""), "", {}))
    if missing := [system for system in (one.a, one.b) if system not in texts]:
        raise BadInput(f"{path}: the items beside it have no answer of {missing[0]!r} for the item {one.item!r}")
    return Preference(
        id=f"{one.rater}-{one.item}-{one.criterion}",
        question=question,
        a=texts[one.a],
        b=texts[one.b],
        choice=str(one.choice),
        a_system=one.a,
        b_system=one.b,
        criterion=one.criterion,
        rater=one.rater,
        domain=one.domain or domain,
        comment=one.comment,
    )
