"""What people prefer as rows for a writer: in both orders, only where most prefer one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Capture, fail, succeed
from datasets.test_preferences import XU, write
from expound.judge.judge_items import JudgeItem, JudgeSide
from expound.judge.replies import read_better
from expound.meta.choice_rows import choice_rows
from expound.train.data.writer_files import read_writer_rows
from expound.types import Question


def item(**votes: int) -> JudgeItem:
    sides = (JudgeSide("one", "Because of salt."), JudgeSide("two", "Because."))
    return JudgeItem(id="1", question=Question("q", "Why?"), sides=sides, votes={"overall": votes})


def test_a_pair_is_shown_in_both_orders_and_the_reply_follows_the_answer() -> None:
    first, turned = choice_rows([item(a=2, b=1)])
    assert first.question.index("of salt") < first.question.index("ANSWER2") < turned.question.index("of salt")
    assert [read_better(row.answer) for row in (first, turned)] == [
        read_better("ANSWER1 is better."),
        read_better("ANSWER2 is better."),
    ]


@pytest.mark.parametrize("votes", [{"a": 1, "b": 1}, {"tie": 2}, {}])
def test_split_votes_and_ties_teach_nothing(votes: dict[str, int]) -> None:
    assert choice_rows([item(**votes)]) == []


def test_the_command_writes_what_a_writer_reads(tmp_path: Path, capsys: Capture) -> None:
    people = f"xu2023:{write(tmp_path, [XU], 'xu.jsonl')}"
    found = json.loads(
        succeed(capsys, "train", "choice-rows", "--people", people, "--out", str(tmp_path / "rows.jsonl"))
    )
    assert found == {"rows": 2}
    assert len(read_writer_rows([tmp_path / "rows.jsonl"])) == 2
    nobody = f"xu2023:{write(tmp_path, [], 'none.jsonl')}"
    fail(capsys, "train", "choice-rows", "--people", nobody, "--out", str(tmp_path / "none-rows.jsonl"))
    assert not (tmp_path / "none-rows.jsonl").exists()
