"""Reading ASQA's official file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from expound.datasets.asqa import Asqa
from expound.errors import BadInput
from expound.types import Interpretation, Question
from golden import SHARED

ROW: dict[str, Any] = {
    "ambiguous_question": "Who sang it?",
    "qa_pairs": [{"question": "Who sang it in 2016?", "short_answers": ["Dami Im", "Im"], "context": "Dami Im sang."}],
    "wikipages": [{"title": "Sound of Silence", "url": "https://example.org"}],
    "annotations": [
        {"long_answer": "Dami Im did.", "knowledge": [{"content": "She is Australian.", "wikipage": "Dami Im"}]},
        {"long_answer": "It was Dami Im."},
    ],
}


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "asqa.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_a_question_keeps_its_answers_and_readings(tmp_path: Path) -> None:
    path = written(tmp_path, {"train": {}, "dev": {"7": ROW}})
    assert list(Asqa(path)) == [
        Question(
            "7",
            "Who sang it?",
            references=("Dami Im did.", "It was Dami Im."),
            interpretations=(Interpretation("Who sang it in 2016?", ("Dami Im", "Im")),),
            meta={
                "wikipages": ROW["wikipages"],
                "contexts": ["Dami Im sang."],
                "context_wikipages": [""],
                "knowledge": [[{"content": "She is Australian.", "wikipage": "Dami Im"}], []],
            },
        )
    ]
    with pytest.raises(BadInput, match="no questions in its split 'train'"):
        list(Asqa(path, split="train"))


def test_a_context_that_was_not_provided_is_empty(tmp_path: Path) -> None:
    pairs = [{**ROW["qa_pairs"][0], "context": "No context provided"}, ROW["qa_pairs"][0]]
    [question] = Asqa(written(tmp_path, {"dev": {"7": {**ROW, "qa_pairs": pairs}}}))
    assert question.meta["contexts"] == ["", "Dami Im sang."]


def test_a_list_of_questions_with_ids_is_read_too(tmp_path: Path) -> None:
    row = {**ROW, "id": "7", "passages": [{"title": "Dami Im", "text": "A singer."}]}
    [question] = Asqa(written(tmp_path, [row]))
    assert (question.id, question.evidence[0].title) == ("7", "Dami Im")
    with pytest.raises(BadInput, match="an id of its own"):
        list(Asqa(written(tmp_path, [row, row])))


def test_a_compressed_file_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "asqa.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"dev": {"7": ROW}}).encode()))
    assert [question.id for question in Asqa(path)] == ["7"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "not an ASQA file"),
        ({"dev": [ROW]}, "not an ASQA file"),
        ({"train": {}, "test": {}}, "no split 'dev'; it has: train, test"),
        ({"dev": {"7": {}}}, "question 7 .*no 'ambiguous_question'"),
        ({"dev": {"7": None}}, "question 7"),
        ({"dev": {"7": {**ROW, "ambiguous_question": 3}}}, "question 7 .*expected text, found 3"),
        ({"dev": {"7": {**ROW, "annotations": [{"long_answer": None}]}}}, "question 7 .*found null"),
        ({"dev": {"7": {**ROW, "annotations": None}}}, "question 7"),
        ({"dev": {"7": {**ROW, "annotations": [{"long_answer": "", "knowledge": ["x"]}]}}}, "question 7 .*an object"),
        ({"dev": {"7": {**ROW, "qa_pairs": [{"question": "?", "short_answers": "Im"}]}}}, "question 7 .*list"),
    ],
)
def test_another_layout_is_refused_in_one_line(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        list(Asqa(written(tmp_path, content)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("asqa.json", b""),
        ("asqa.json", b'{"dev": '),
        ("asqa.json", b'{"dev": "\xff"}'),
        ("asqa.json.gz", b"not gzip"),
        ("asqa.json.gz", gzip.compress(b'{"dev": {}}' * 99, mtime=0)[:-12]),
    ],
)
def test_a_broken_file_is_refused_in_one_line(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput, match=name):
        list(Asqa(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no such file: .*nowhere\.json"):
        list(Asqa(tmp_path / "nowhere.json"))


def test_the_training_questions_are_read_whole() -> None:
    path = SHARED / "data" / "asqa" / "asqa_train_subset_1275.json.gz"
    if not path.exists():
        pytest.skip("needs ../shared/data")
    assert sum(1 for _ in Asqa(path)) == 1275


def test_the_official_file_is_read_whole() -> None:
    path = SHARED / "data" / "asqa" / "asqa_dev_748.json.gz"
    if not path.exists():
        pytest.skip("needs ../shared/data")
    questions = list(Asqa(path))
    assert len(questions) == 748
    assert all(len(question.references) == 2 and question.interpretations for question in questions)
