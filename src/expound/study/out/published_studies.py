"""Published answers as a study: error spans of HaluQuestQA, roles of Xu et al. 2022, preferences of Xu et al. 2023."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from expound.datasets.item_ids import item_of
from expound.datasets.spec import open_preferences
from expound.errors import BadRecord, UserError
from expound.records import read_lines, write_records
from expound.study.design.form import LEFT, NO, RIGHT, YES
from expound.study.design.items import Item, SystemAnswer, item_record
from expound.study.design.making import check_free
from expound.study.design.study_plan import StudyPlan, write_plan
from expound.study.engine.intake import ForeignAnswer, take_in
from expound.study.engine.opened import Study, open_study
from expound.study.forms.posted import Sent

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
class PublishedAnswer:
    """What one rater said to an item; `lost` are quotations that stand in no answer."""

    item: Item
    rater: str
    sent: Sent
    where: str
    lost: int = 0


Reader: TypeAlias = Callable[[Path], Iterator[PublishedAnswer]]


@dataclass(frozen=True)
class PublishedForm:
    """How a file is read, and what was asked in it."""

    read: Reader
    form: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class PublishedStudy:
    """A study that was made of published answers; `lost` quotations stand in no answer and were left out."""

    study: Study
    answers: int
    lost: int


def make_published(path: Path, spec: str) -> PublishedStudy:
    """Write a study of published answers, and take the answers in."""
    check_free(path)
    layout, _, where = spec.partition(":")
    if layout not in LAYOUTS:
        raise UserError(f"no published study named {layout!r}; there are: {', '.join(LAYOUTS)}")
    published = LAYOUTS[layout]
    found = list(published.read(Path(where)))
    items = {one.item.id: item_record(one.item) for one in found}
    # What every item has: the study is over as it stands, and whoever goes on with it asks for more.
    overlap = min(Counter(one.item.id for one in found).values(), default=1)
    plan = StudyPlan(path.stem, published.form, overlap=overlap, options=published.options, folder=path.parent)
    write_records(plan.items_path, items.values(), spec={"published": spec}, seed=0, inputs=[Path(where)])
    write_plan(path, plan)
    study = open_study(path)
    take_in(study, map(_answer, found))
    return PublishedStudy(study, len(found), sum(one.lost for one in found))


def _answer(one: PublishedAnswer) -> ForeignAnswer:
    return ForeignAnswer(rater=one.rater, item=one.item.id, sent=one.sent, seconds=0.0, where=one.where)


def _by_line(read: Callable[[Mapping[str, Any], str], Iterator[PublishedAnswer]]) -> Reader:
    """A reader of a file whose lines are read one by one; a bad one is named."""

    def read_file(path: Path) -> Iterator[PublishedAnswer]:
        for number, row in read_lines(path):
            where = f"{path}, line {number}"
            try:
                yield from read(row, where)
            except (KeyError, TypeError, ValueError, SyntaxError) as error:
                raise BadRecord(f"{where}: not a line of a published study ({error!r})") from error

    return read_file


def _error_spans(row: Mapping[str, Any], where: str) -> Iterator[PublishedAnswer]:
    """HaluQuestQA: an expert marked two answers to a question; a quotation belongs to the answer that has it."""
    id = str(row["source_file"]).removesuffix(".txt")
    marks = [(name, str(quote)) for aspect, name in _ASPECTS.items() for quote in _read_list(row[f"{aspect}_span"])]
    texts = [str(row["ans1_text"]), str(row["ans2_text"])]
    for number, text in enumerate(texts, start=1):
        answer = SystemAnswer(str(row[f"ans{number}_label"]), text)
        item = Item(f"{id}-{number}", id, str(row["question_text"]), domain=str(row["category"]), candidates=(answer,))
        # What stands in neither is told with the first: it is mostly a part of the question.
        other = texts[2 - number]
        own = [mark for mark in marks if _find(text, mark[1]) or (number == 1 and not _find(other, mark[1]))]
        yield _mark_answer(item, str(row["annotator"]), own, where)


def _roles(row: Mapping[str, Any], where: str) -> Iterator[PublishedAnswer]:
    """Xu et al. 2022: three raters gave every sentence of an answer a role."""
    id, text = f"{row['q_id']}-{row['a_id']}", str(row["answer_paragraph"])
    item = Item(id, str(row["q_id"]), str(row["question"]), candidates=(SystemAnswer(str(row["dataset"]), text),))
    sentences, said = row["answer_sentences"], row["raw_role_annotation"]
    # As many as every sentence has: a rater who skipped one cannot be told from the one who follows.
    for number in range(min(map(len, said), default=0)):
        marks = [(str(roles[number]), str(sentence)) for sentence, roles in zip(sentences, said, strict=True)]
        yield _mark_answer(item, f"rater {number + 1}", marks, where)


def _mark_answer(item: Item, rater: str, marks: Sequence[tuple[str, str]], where: str) -> PublishedAnswer:
    lines = [_line(item.candidates[0].text, *mark) for mark in marks]
    sent = {"spans": ["\n".join(line for line in lines if line)]}
    return PublishedAnswer(item=item, rater=rater, sent=sent, where=where, lost=sum(not line for line in lines))


def _expert_preferences(path: Path) -> Iterator[PublishedAnswer]:
    """Xu et al. 2023: experts chose one of two answers, and said why; sides stand as they did."""
    for one in open_preferences(f"xu2023:{path}"):
        candidates = (SystemAnswer(one.a_system, one.a), SystemAnswer(one.b_system, one.b))
        item = Item(item_of(one), one.question.id, one.question.text, domain=one.domain, candidates=candidates,
                    extra={"is_fixed": True})  # fmt: skip
        difficult = YES if one.meta["is_difficult"] else NO
        sent = {
            "overall": [{"a": LEFT, "b": RIGHT}[str(one.choice)]],
            "difficult": [difficult],
            "justification": [one.comment],
        }
        yield PublishedAnswer(item=item, rater=one.rater, sent=sent, where=f"{path}, {one.id}")


LAYOUTS: Mapping[str, PublishedForm] = {
    "haluquestqa": PublishedForm(_by_line(_error_spans), "coding", {"labels": list(_ASPECTS.values())}),
    "xu2022": PublishedForm(_by_line(_roles), "coding", {"labels": list(_ROLES)}),
    "xu2023": PublishedForm(_expert_preferences, "expert-preference", {"least_words": 0}),
}


def _read_list(written: str) -> list[str]:
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
