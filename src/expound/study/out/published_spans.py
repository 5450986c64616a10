"""Published marks as a finished study: error spans of HaluQuestQA, sentence roles of Xu et al. 2022."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.errors import BadRecord, UserError
from expound.records import read_lines, write_records
from expound.study.design.items import Item, SystemAnswer, item_record
from expound.study.design.making import check_free
from expound.study.design.study_plan import StudyPlan, write_plan
from expound.study.engine.intake import ForeignAnswer, take_in
from expound.study.engine.opened import Study, open_study

# HaluQuestQA's names of aspects, and what a rater reads in their place.
_ASPECTS: Mapping[str, str] = {
    "ques_misconception": "misconception in the question",
    "factuality": "not factual",
    "irrelevance": "irrelevant",
    "incomplete_ans": "incomplete",
    "reference_example": "reference or example",
}
_ROLES = (
    "Answer (Summary)",
    "Answer",
    "Answer - Example",
    "Answer - Organizational sentence",
    "Auxiliary Information",
    "Miscellaneous",
)


@dataclass(frozen=True)
class MarkedAnswer:
    """An answer and what one rater marked in it: label and quotation."""

    item: Item
    rater: str
    marks: tuple[tuple[str, str], ...]
    where: str


@dataclass(frozen=True)
class PublishedStudy:
    """A study that was made of published marks; `lost` quotations stand in no answer and were left out."""

    study: Study
    answers: int
    marks: int
    lost: int


def make_published(path: Path, spec: str) -> PublishedStudy:
    """Write a coding study of published marks, and take the marks in."""
    check_free(path)
    layout, _, where = spec.partition(":")
    if layout not in LAYOUTS:
        raise UserError(f"no published marks named {layout!r}; there are: {', '.join(LAYOUTS)}")
    read, labels = LAYOUTS[layout]
    found = list(_rows(Path(where), read))
    lines = [[_line(one.item.candidates[0].text, *mark) for mark in one.marks] for one in found]
    items = {one.item.id: item_record(one.item) for one in found}
    plan = StudyPlan(name=path.stem, form="coding", overlap=1, options={"labels": list(labels)}, folder=path.parent)
    write_records(plan.items_path, items.values(), spec={"published": spec}, seed=0, inputs=[Path(where)])
    write_plan(path, plan)
    study = open_study(path)
    take_in(study, (_answer(one, marks) for one, marks in zip(found, lines, strict=True)))
    told = [line for marks in lines for line in marks]
    return PublishedStudy(study, len(found), sum(map(bool, told)), sum(not line for line in told))


def _rows(path: Path, read: Callable[[Mapping[str, Any], str], Iterator[MarkedAnswer]]) -> Iterator[MarkedAnswer]:
    for number, row in read_lines(path):
        where = f"{path}, line {number}"
        try:
            yield from read(row, where)
        except (KeyError, TypeError, ValueError, SyntaxError) as error:
            raise BadRecord(f"{where}: not a line of published marks ({error!r})") from error


def _error_spans(row: Mapping[str, Any], where: str) -> Iterator[MarkedAnswer]:
    """HaluQuestQA: an expert marked two answers to a question; a quotation belongs to the answer that has it."""
    id = str(row["source_file"]).removesuffix(".txt")
    marks = [(name, str(quote)) for aspect, name in _ASPECTS.items() for quote in _listed(row[f"{aspect}_span"])]
    texts = [str(row["ans1_text"]), str(row["ans2_text"])]
    for number, text in enumerate(texts, start=1):
        answer = SystemAnswer(str(row[f"ans{number}_label"]), text)
        item = Item(f"{id}-{number}", id, str(row["question_text"]), domain=str(row["category"]), candidates=(answer,))
        # What stands in neither is told with the first: it is mostly a part of the question.
        other = texts[2 - number]
        own = [mark for mark in marks if _find(text, mark[1]) or (number == 1 and not _find(other, mark[1]))]
        yield MarkedAnswer(item, str(row["annotator"]), tuple(own), where)


def _roles(row: Mapping[str, Any], where: str) -> Iterator[MarkedAnswer]:
    """Xu et al. 2022: three raters gave every sentence of an answer a role."""
    id, text = f"{row['q_id']}-{row['a_id']}", str(row["answer_paragraph"])
    item = Item(id, str(row["q_id"]), str(row["question"]), candidates=(SystemAnswer(str(row["dataset"]), text),))
    sentences, said = row["answer_sentences"], row["raw_role_annotation"]
    for number in range(min(map(len, said), default=0)):
        marks = ((str(roles[number]), str(sentence)) for sentence, roles in zip(sentences, said, strict=True))
        yield MarkedAnswer(item, f"rater {number + 1}", tuple(marks), where)


LAYOUTS: Mapping[str, tuple[Callable[[Mapping[str, Any], str], Iterator[MarkedAnswer]], tuple[str, ...]]] = {
    "haluquestqa": (_error_spans, tuple(_ASPECTS.values())),
    "xu2022": (_roles, _ROLES),
}


def _listed(written: str) -> list[str]:
    """The file writes lists as Python does."""
    found = ast.literal_eval(written) if written else []
    if not isinstance(found, list):
        raise ValueError(f"expected a list of quotations, found {written!r:.40}")
    return found


def _find(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quotation stands: the published ones begin with a capital and end with a full stop of their own."""
    wanted, lower = quote.strip().rstrip(".").lower(), text.lower()
    # Lower case may be longer than what it is made of; offsets would then be off.
    start = lower.find(wanted) if wanted and len(lower) == len(text) else -1
    return None if start < 0 else (start, start + len(wanted))


def _line(text: str, label: str, quote: str) -> str:
    """A mark as the page posts it, or nothing if the words are not there."""
    found = _find(text, quote)
    if found is None:
        return ""
    start, end = found
    return json.dumps({"label": label, "place": 0, "start": start, "end": end, "quote": text[start:end]})


def _answer(one: MarkedAnswer, lines: list[str]) -> ForeignAnswer:
    sent = {"spans": ["\n".join(line for line in lines if line)]}
    return ForeignAnswer(rater=one.rater, item=one.item.id, sent=sent, seconds=0.0, where=one.where)
