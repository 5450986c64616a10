"""Questions with long answers become groups; what is kept out, and a question that comes twice, does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.errors import UserError
from expound.testing import write_jsonl
from expound.train.data.pair_data import build_pair_data


def questions(path: Path, count: int) -> str:
    rows = [{"question": f"Why is stone {n} grey?", "references": [f"Since {n}.", f"Rain {n}."]} for n in range(count)]
    return f"qa:{write_jsonl(path, rows)}"


def test_every_reference_is_a_right_text_and_one_question_in_twenty_is_held_out(tmp_path: Path) -> None:
    parts = build_pair_data([questions(tmp_path / "a.jsonl", 45)])
    assert [len(parts[name]) for name in ("train", "dev")] == [42, 3]
    assert parts["dev"][0].positives == ("Since 0.", "Rain 0.")
    assert {group.origin for group in parts["train"]} == {"qa"}


def test_what_is_kept_out_and_what_comes_twice_is_left_out(tmp_path: Path) -> None:
    train, other = questions(tmp_path / "a.jsonl", 45), questions(tmp_path / "b.jsonl", 10)
    parts = build_pair_data([train, train], [other])
    assert len(parts["train"]) + len(parts["dev"]) == 35
    assert len(build_pair_data([train], most=30)["train"]) == 28


def test_too_few_questions_are_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="only 7 questions with an answer"):
        build_pair_data([questions(tmp_path / "a.jsonl", 7)])
