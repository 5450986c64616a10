"""Judgments survive the way to a file and back; a bad line is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.judged import judged
from expound.errors import BadRecord
from expound.records import judgment_from, judgment_record, read_judgments, write_records
from expound.types import Judgment

names = st.text(min_size=1, max_size=9)
values = st.none() | st.booleans() | st.integers(1, 5) | names | st.lists(st.booleans(), max_size=3)
judgments = st.builds(
    Judgment, names, names, names, names, names, names, names, names, value=values, shown=st.sampled_from(["ab", "ba"]),
    seconds=st.none() | st.floats(0, 999), domain=st.text(max_size=5), comment=st.text(max_size=9),
)  # fmt: skip
GOOD = judgment_record(judged("1", "r", "a"))


@given(judgments)
def test_a_judgment_survives_json(judgment: Judgment) -> None:
    assert judgment_from(json.loads(json.dumps(judgment_record(judgment)))) == judgment


def test_a_line_has_the_fields_of_the_design() -> None:
    fields = "study form item question_id rater criterion a b choice value shown seconds domain comment at worker"
    assert list(GOOD) == fields.split()


def test_judgments_are_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "judgments.jsonl"
    both = [judged("1", "r", "a"), judged("2", "r", "tie")]
    assert write_records(file, map(judgment_record, both), spec={"study": "toy"}) == 2
    assert list(read_judgments(file)) == both


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"choice": "left"}, "a, b, tie or null"),
        ({"value": 3}, "exclude each other"),
        ({"a": ""}, "two different systems"),
        ({"b": "x"}, "two different systems"),
        ({"shown": "left"}, "ab or ba"),
        ({"seconds": -1}, "from 0 on"),
        ({"seconds": "5"}, "from 0 on"),
        ({"rater": ""}, "'rater' must be"),
        ({"rater": 7}, "'rater' must be"),
        ({"comment": None}, "'comment' must be a text"),
        ({"winner": "x"}, "unknown field 'winner'"),
    ],
)
def test_a_bad_line_is_named_with_its_fault(tmp_path: Path, change: dict[str, object], says: str) -> None:
    file = tmp_path / "judgments.jsonl"
    file.write_text("\n".join(map(json.dumps, [GOOD, {**GOOD, **change}])))
    with pytest.raises(BadRecord, match=f"line 2: not a judgment .*{says}"):
        list(read_judgments(file))


def test_a_missing_field_is_named() -> None:
    with pytest.raises(ValueError, match="'item' must be"):
        judgment_from({name: value for name, value in GOOD.items() if name != "item"})
