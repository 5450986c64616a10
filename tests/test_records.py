"""Records survive the way to a file and back; a bad line is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.datasets.predictions import read_predictions
from expound.errors import BadInput, BadRecord
from expound.records import json_files as records
from expound.records import (
    manifest_path,
    prediction_from,
    prediction_record,
    question_id,
    read_lines,
    without_surrogates,
    write_records,
)
from expound.types import Answer, Evidence, Interpretation, Passage, Prediction, Sentence, Source

texts = st.text(max_size=30)
numbers = st.lists(st.integers(1, 20), max_size=3).map(tuple)
passages = st.builds(
    Passage,
    texts,
    texts,
    texts,
    st.builds(Source, texts, st.none() | st.integers(1, 9), texts, texts),
    st.just({"k": 1}),
)
predictions = st.builds(
    Prediction,
    texts,
    texts,
    texts,
    st.builds(Answer, texts, st.lists(st.builds(Sentence, texts, texts, numbers), max_size=2).map(tuple)),
    st.lists(st.builds(Interpretation, texts, st.lists(texts, max_size=2).map(tuple), numbers), max_size=2).map(tuple),
    st.lists(st.builds(Evidence, passages, st.integers(1, 9), st.just(0.5)), max_size=2).map(tuple),
    st.booleans(),
)


@given(predictions)
def test_a_prediction_survives_json(prediction: Prediction) -> None:
    assert prediction_from(json.loads(json.dumps(prediction_record(prediction)))) == prediction


def test_a_question_without_an_id_gets_one_from_its_text() -> None:
    assert question_id("Who?") == question_id("Who?") != question_id("What?")
    assert len(question_id("Who?")) == 12


def test_the_manifest_comes_last_and_names_what_made_the_file(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    assert write_records(out, [{"id": 1}], spec={"system": "x"}, inputs=[]) == 1
    manifest = json.loads(manifest_path(out).read_text())
    assert (manifest["count"], manifest["spec"]) == (1, {"system": "x"})


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    write_records(out, [{"id": 1}], spec={})

    def broken() -> Iterator[dict[str, int]]:
        yield {"id": 2}
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_records(out, broken(), spec={})
    assert out.read_text() == '{"id": 1}\n'
    assert [file.name for file in tmp_path.iterdir() if "partial" in file.name] == []


@pytest.mark.parametrize(("line", "says"), [("{oops", "not JSON"), ("[1]", "object"), ('{"id": 1}', "expected text")])
def test_a_bad_line_is_named(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text('{"id": "a", "answer": {"text": "x"}}\n' + line + "\n")
    with pytest.raises(BadRecord, match=rf"line 2.*{says}"):
        list(read_predictions(file))


def test_a_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        list(read_lines(tmp_path / "none.jsonl"))


def test_half_characters_in_a_file_are_replaced_and_whole_ones_kept(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "1", "answer": "a \\ud83d b \\ud83d\\ude00", "meta": {"\\uDEAD": ["\\udead"]}}\n')
    [(_, record)] = read_lines(path)
    assert record == {"id": "1", "answer": "a \ufffd b \U0001f600", "meta": {"\ufffd": ["\ufffd"]}}
    json.dumps(record, ensure_ascii=False).encode()


@given(
    st.recursive(st.text() | st.none() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(texts, inner))
)
def test_a_value_without_half_characters_stays_as_it_is(value: object) -> None:
    assert without_surrogates(value) == value


def test_what_is_read_at_once_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_AT_ONCE", 50)
    monkeypatch.setattr(records, "LONGEST_LINE", 20)
    (tmp_path / "whole.json").write_text(json.dumps(["x" * 60]))
    with pytest.raises(BadInput, match=r"whole\.json holds more than 50 bytes in one piece"):
        records.read_json(tmp_path / "whole.json")
    (tmp_path / "lines.jsonl").write_text('{"id": 1}\n' + json.dumps({"id": "x" * 30}) + "\n")
    lines = read_lines(tmp_path / "lines.jsonl")
    assert next(lines) == (1, {"id": 1})
    with pytest.raises(BadRecord, match=r"lines\.jsonl, line 2: longer than 20 bytes"):
        next(lines)
