"""What people wrote, in the layouts of the papers: ASQA's answers, AmbigQA's readings, masked justifications."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from expound.errors import UserError
from expound.study.export import latest_answers, readings_in
from expound.study.forms.ambig_generate import READINGS
from expound.study.items import in_order
from expound.study.opened import Study
from expound.study.raters import pseudonym

MASK = "<extra_id_{}>"

# “A” is mostly the article: alone it means the answer only before a verb, a full stop or another answer.
_MENTION = re.compile(
    r"\b(?:(?:answers?|options?)\s+([AB])|(B)|(A)(?=\s+(?:is|was|has|had|does|did|and|or|but|gives|explains|provides|"
    r"contains|covers|states|says|answers|mentions)\b|[.,;:)]|$))(?=\W|$)",
    re.IGNORECASE,
)


def asqa_file(study: Study) -> str:
    """Long answers in ASQA's own layout, `{split: {id: question}}`."""
    _need(study, "asqa-write")
    questions: dict[str, Any] = {}
    for placed, row in latest_answers(study):
        item, answers = placed.item, json.loads(row.answers)
        question = questions.setdefault(
            item.question_id,
            {
                "ambiguous_question": item.question,
                "qa_pairs": [
                    {"question": one.question, "short_answers": list(one.answers)} for one in item.interpretations
                ],
                "annotations": [],
            },
        )
        knowledge = [{"content": one["content"], "wikipage": one["source"]} for one in answers.get("knowledge", [])]
        question["annotations"].append({"long_answer": answers["long_answer"], "knowledge": knowledge})
    return json.dumps({"study": questions}, ensure_ascii=False, indent=1) + "\n"


def ambignq_file(study: Study) -> str:
    """Readings in AmbigNQ's own layout; skipped questions are left out."""
    _need(study, "ambig-generate")
    questions: dict[str, Any] = {}
    for placed, row in latest_answers(study):
        readings = readings_in(json.loads(row.answers).get(READINGS.name, []))
        if readings:
            empty = {"id": placed.item.question_id, "question": placed.item.question, "annotations": []}
            questions.setdefault(placed.item.question_id, empty)["annotations"].append(_annotation(readings))
    return json.dumps(list(questions.values()), ensure_ascii=False, indent=1) + "\n"


def _annotation(readings: list[dict[str, Any]]) -> dict[str, Any]:
    if len(readings) == 1:
        return {"type": "singleAnswer", "answer": readings[0]["answers"]}
    pairs = [{"question": one["question"], "answer": one["answers"]} for one in readings]
    return {"type": "multipleQAs", "qaPairs": pairs}


def masked_lines(study: Study) -> str:
    """Justifications whose references to the two answers are masked (Xu et al. 2023, 3.3.1); others are left out."""
    _need(study, "expert-preference")
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in _masked_records(study))


def _masked_records(study: Study) -> Iterator[Mapping[str, Any]]:
    for placed, row in latest_answers(study):
        masked, targets = mask_references(json.loads(row.answers)["justification"])
        if targets:
            left, right = (candidate.text for candidate in in_order(placed.item.candidates, placed.shown))
            shared = {"item": placed.item.id, "rater": pseudonym(row.rater), "question": placed.item.question}
            yield {**shared, "answer_a": left, "answer_b": right, "masked": masked, "targets": targets}


def mask_references(text: str) -> tuple[str, list[str]]:
    """The text with every mention as “Answer” and a mask, and the letters behind the masks."""
    targets: list[str] = []

    def mask(match: re.Match[str]) -> str:
        letter = next(group for group in match.groups() if group)
        if not letter.isupper():
            return match[0]
        targets.append(letter)
        return f"Answer {MASK.format(len(targets) - 1)}"

    return _MENTION.sub(mask, text), targets


def _need(study: Study, form: str) -> None:
    if study.form.name != form:
        raise UserError(f"this export is for studies of {form}, and {study.plan.name} is one of {study.form.name}")
