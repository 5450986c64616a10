"""What people prefer as rows for a writer: a text model that is fine-tuned to name the better of two answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from expound.errors import UserError
from expound.files import check_folder
from expound.judge.judge_items import ORDERS, JudgeItem, items_of_people, read_preferences
from expound.judge.two_shot import OVERALL, TwoShot, name_better
from expound.train.data.writer_files import WriterRow, write_writer_rows


def write_choice_rows(people: Sequence[str], path: Path) -> int:
    """A row for each pair in each order: the prompt of `TwoShot(examples=0)`, and what people say to it."""
    check_folder(path.parent)
    rows = choice_rows(items_of_people(one for spec in people for one in read_preferences(spec)))
    if not rows:
        raise UserError("people prefer no answer there: rows need pairs in which most prefer one of two answers")
    write_writer_rows(path, rows)
    return len(rows)


def choice_rows(items: Sequence[JudgeItem]) -> list[WriterRow]:
    """As Xu et al. 2023 (section 4.1.2) fine-tuned GPT-3; in both orders, so that no place is learnt to be better."""
    # The judge's own prompt: what is fine-tuned on these rows will be asked in the same words.
    judge = TwoShot(examples=0)
    shown = [item.in_order(order) for item in items if item.preferred(OVERALL) for order in ORDERS]
    return [WriterRow(judge.prompt(item, OVERALL, ()).text, name_better(item)) for item in shown]
