"""Reading anyone's own questions."""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest

from expound.datasets.qa import Qa
from expound.errors import BadInput, BadRecord
from expound.types import Interpretation, Passage, Question


def written(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_a_line_is_a_question(tmp_path: Path) -> None:
    row = {
        "id": "q1",
        "question": "Why?",
        "references": ["Because."],
        "interpretations": [{"question": "Why now?", "answers": ["so", "thus"]}],
        "evidence": [{"id": "p1", "title": "Page", "text": "Text."}],
        "meta": {"topic": "causes"},
    }
    assert list(Qa(written(tmp_path, row))) == [
        Question(
            "q1",
            "Why?",
            references=("Because.",),
            interpretations=(Interpretation("Why now?", ("so", "thus")),),
            evidence=(Passage("p1", "Text.", "Page"),),
            meta={"topic": "causes"},
        )
    ]


def test_a_row_without_an_id_is_known_by_its_question(tmp_path: Path) -> None:
    [question] = Qa(written(tmp_path, {"question": "Why is it so?"}))
    assert question.id == sha256(b"Why is it so?").hexdigest()[:12]


def test_a_compressed_file_with_empty_lines_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl.gz"
    path.write_bytes(gzip.compress(b'\n{"id": "1", "question": "Why?"}\n\n'))
    assert [question.id for question in Qa(path)] == ["1"]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({}, "'question' is missing"),
        ({"question": " "}, "'question' is empty"),
        ({"question": None}, "'question' must be text, found None"),
        ({"question": "?", "id": 7}, "'id' must be text, found 7"),
        ({"question": "?", "references": "one"}, "'references' must be a list, found 'one'"),
        ({"question": "?", "references": [None]}, "'references' must hold texts, found None"),
        ({"question": "?", "interpretations": ["a"]}, "expected an object with 'question', found 'a'"),
        ({"question": "?", "interpretations": [{"question": "?", "answers": "a"}]}, "'answers' must be a list"),
        ({"question": "?", "interpretations": [{"question": "?"}]}, "'answers' is missing"),
        ({"question": "?", "evidence": [{"id": "p"}]}, "'text' is missing"),
        ({"question": "?", "evidence": [{"id": "p", "text": "t", "source": {"shelf": 3}}]}, "shelf"),
        ({"question": "?", "meta": []}, "'meta' must be an object"),
        ({"question": "?", "answer": "Ann"}, "found 'answer', did you mean 'references'"),
        ({"question": "?", "answers": ["Ann"]}, "found 'answers', did you mean 'references'"),
        ({"question": "?", "reference": "Ann"}, "found 'reference', did you mean 'references'"),
        (["question"], "object"),
        ({"id": "first", "question": "Again?"}, "the id 'first' is already on line 1"),
    ],
)
def test_a_bad_row_is_refused_with_file_and_line(tmp_path: Path, row: object, problem: str) -> None:
    with pytest.raises(BadRecord, match=rf"mine\.jsonl, line 2: .*{problem}"):
        list(Qa(written(tmp_path, {"id": "first", "question": "Fine?"}, row)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mine.jsonl", b""),
        ("mine.jsonl", b'{"question": "Why?"'),
        ("mine.jsonl", b'{"question": "\xff"}'),
        ("mine.jsonl.gz", b"not gzip"),
        ("mine.jsonl.gz", gzip.compress(b'{"question": "Why?"}\n', mtime=0)[:-9]),
    ],
)
def test_a_broken_file_is_refused_in_one_line(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput, match=name):
        list(Qa(path))


def test_fields_beside_the_references_are_left_alone(tmp_path: Path) -> None:
    [question] = Qa(written(tmp_path, {"question": "?", "references": ["Ann won."], "answer": "Ann"}))
    assert question.references == ("Ann won.",)


def test_half_a_character_in_a_question_is_replaced(tmp_path: Path) -> None:
    [question] = Qa(written(tmp_path, {"question": "Why \ud800?"}))
    assert question.text == "Why \ufffd?"
