"""Predictions in the official layouts, and what is said of a file that is none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from expound.datasets.predictions import (
    predictions_from,
    read_fills,
    read_log_probabilities,
    read_predictions,
    read_probabilities,
    read_short_answers,
    with_meta,
)
from expound.errors import BadInput, BadRecord
from expound.records import prediction_record, question_id
from expound.types import Answer, Interpretation, Prediction


def written(tmp_path: Path, content: str | bytes, name: str = "predictions.json") -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_asqa_and_squad_are_texts_by_id(tmp_path: Path) -> None:
    first, second = read_predictions(written(tmp_path, '{"1": "Charles X.", "2": ""}'))
    assert (first.id, first.answer.text, first.system) == ("1", "Charles X.", "predictions")
    assert second.answer.text == ""


def test_ambigqa_is_a_list_of_answers_or_pairs(tmp_path: Path) -> None:
    path = written(tmp_path, '{"1": ["Ann", "Bo"], "2": [{"question": "Who in 1990?", "answer": "Ann"}], "3": []}')
    answers, pairs, nothing = read_predictions(path)
    assert answers.interpretations == (Interpretation("", ("Ann",)), Interpretation("", ("Bo",)))
    assert pairs.interpretations == (Interpretation("Who in 1990?", ("Ann",)),)
    assert nothing.interpretations == ()


def test_kilt_lines_have_answers_and_pages(tmp_path: Path) -> None:
    line = {"id": 7, "output": [{"answer": "It is.", "provenance": [{"wikipedia_id": " 12 "}, {"title": "x"}]}]}
    [prediction] = read_predictions(written(tmp_path, json.dumps(line) + "\n", "guess.jsonl"))
    assert (prediction.id, prediction.answer.text) == ("7", "It is.")
    assert [item.passage.meta.get("wikipedia_id") for item in prediction.evidence] == ["12", None]


def test_plain_lines_need_an_id_or_a_question(tmp_path: Path) -> None:
    lines = '{"id": "a", "output": "One."}\n\n{"question": "Who?", "prediction": "Two."}\n'
    first, second = read_predictions(written(tmp_path, lines))
    assert (first.id, first.answer.text) == ("a", "One.")
    assert (second.id, second.answer.text) == (question_id("Who?"), "Two.")


def test_our_own_records_come_back_whole(tmp_path: Path) -> None:
    prediction = Prediction("1", "Who?", "mine", Answer("Ann."), abstained=False)
    assert list(read_predictions(written(tmp_path, json.dumps(prediction_record(prediction)), "p.jsonl"))) == [
        prediction
    ]
    assert list(read_predictions(written(tmp_path, json.dumps([prediction_record(prediction)])))) == [prediction]


def test_a_compressed_file_reads_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b'{"1": "One."}'), "p.json.gz")
    assert [item.answer.text for item in read_predictions(path)] == ["One."]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"1": null}', "the answer to '1' .*expected text, found null"),
        ('{"1": 3}', "the answer to '1' .*found 3"),
        ('{"1": NaN}', "NaN is not a JSON value"),
        ('{"1": "a", "1": "b"}', "'1' stands twice"),
        ('{"1": [null]}', "the answer to '1'"),
        ('{"1": [{"question": "q"}]}', "the answer to '1' .*no 'answer'"),
        ("{}", "holds no predictions"),
        ("", "is empty"),
        ("[]", "holds no predictions"),
        ('"text"', "holds no predictions"),
        ('{"1": "a"', "is not JSON"),
        (b'{"1": "\xff"}', "line 1: not UTF-8"),
        (b'{"1": "a",\n"2": "\xff"}', "line 2: not UTF-8"),
    ],
)
def test_a_file_without_predictions_is_explained(content: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message):
        list(read_predictions(written(tmp_path, content)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": "b"}', "expected text, found null"),
        (b'{"id": null, "answer": "x"}', "expected an id"),
        (b'{"answer": "x"}', "no 'question'"),
        (b'{"id": "b", "answer": {"text": null}}', "found null"),
        (b'{"id": "b", "output": [{"answer": 4}]}', "found 4"),
        (b'{"id": "b", "answer": "\xff"}', "not UTF-8"),
        (b"[1]", "a JSON object is needed"),
        (b"{oops", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_line_is_named(line: bytes, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, b'{"id": "a", "answer": "x"}\n' + line + b"\n", "p.jsonl")
    with pytest.raises(BadRecord, match=rf"p\.jsonl, line 2.*{message}"):
        list(read_predictions(path))


def test_a_file_that_was_cut_short_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b'{"1": "One."}' * 99)[:-9], "p.json.gz")
    with pytest.raises(BadInput, match=r"p\.json\.gz cannot be unpacked"):
        list(read_predictions(path))


def test_side_files_add_to_predictions(tmp_path: Path) -> None:
    short = read_short_answers(written(tmp_path, '{"-1_0": "Ann", "-1_1": ["Bo", "B."]}'))
    assert short == {"-1": {0: ("Ann",), 1: ("Bo", "B.")}}
    [prediction] = with_meta(predictions_from({"-1": "text"}, "here"), "short_answers", short)
    assert prediction.meta["short_answers"] == short["-1"]
    assert read_probabilities(written(tmp_path, '{"1": 0.5, "2": 1}')) == {"1": 0.5, "2": 1.0}
    assert read_log_probabilities(written(tmp_path, '{"1": [-1, -0.5]}')) == {"1": [-1.0, -0.5]}
    assert read_fills(written(tmp_path, '{"1": [{"gold": "a", "predicted": "b"}]}'))["1"][0]["gold"] == "a"


def test_an_entry_that_a_side_file_lacks_is_named_or_allowed() -> None:
    with pytest.raises(BadInput, match=r"side\.json has no entry for '1'"):
        list(with_meta(predictions_from({"1": "x"}, "here"), "short_answers", {}, where="side.json"))
    assert len(list(with_meta(predictions_from({"1": "x"}, "here"), "short_answers", {}))) == 1


def test_bad_side_files_are_explained(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="'x' is not <id>_<index>"):
        read_short_answers(written(tmp_path, '{"x": "Ann"}'))
    with pytest.raises(BadInput, match="the entry of '1' must be a number, found 'high'"):
        read_probabilities(written(tmp_path, '{"1": "high"}'))
    with pytest.raises(BadInput, match="must be a list"):
        read_log_probabilities(written(tmp_path, '{"1": -2}'))
    with pytest.raises(BadInput, match="a gap of '1'"):
        read_fills(written(tmp_path, '{"1": [{"gold": "a"}]}'))
    with pytest.raises(BadInput, match="must be a JSON object"):
        read_probabilities(written(tmp_path, "[0.5]"))
