"""Official benchmark files become questions; a file of another layout is refused with the place that shows it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from expound.datasets.spec import open_dataset
from expound.errors import BadInput, UnknownName, UserError
from expound.types import Interpretation, Question
from golden import SHARED

AMBIG = {
    "id": "1",
    "question": "Who won?",
    "annotations": [
        {"type": "singleAnswer", "answer": ["Ann", "A."]},
        {"type": "multipleQAs", "qaPairs": [
            {"question": "Who won in 1990?", "answer": ["Ann"]}, {"question": "Who won in 1991?", "answer": ["Bo"]},
        ]},
    ],
}  # fmt: skip
KILT = {
    "id": "k",
    "input": "Why?",
    "output": [
        {"answer": " Because. ", "provenance": [{"wikipedia_id": 12}, {"title": "no id"}]},
        {"answer": "Because."},
        {"provenance": []},
    ],
}
ELI5 = {"id": "e", "question": "Why is it so ? --T-- really", "document": "One . <P> Two .", "answer": "It is ."}
SQUAD = {
    "data": [{"title": "T", "paragraphs": [{"context": "Ann won.", "qas": [
        {"id": "s1", "question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]},
        {"id": "s2", "question": "When?", "answers": []},
    ]}]}]
}  # fmt: skip
NQ = {"question": "who won", "answer": ["Ann", "Bo"]}
FILES: dict[str, Any] = {"ambignq": [AMBIG], "kilt": KILT, "eli5": [ELI5], "squad2": SQUAD, "nq-open": NQ}


def write(folder: Path, content: object, name: str = "data.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def read(layout: str, path: Path) -> list[Question]:
    return list(open_dataset(f"{layout}:{path}"))


def test_every_annotation_of_ambignq_is_a_set_of_readings(tmp_path: Path) -> None:
    [question] = read("ambignq", write(tmp_path, [AMBIG]))
    one, two = question.annotations
    assert one == (Interpretation("Who won?", ("Ann", "A.")),)
    assert [reading.answers for reading in two] == [("Ann",), ("Bo",)]
    assert question.interpretations == two


def test_kilt_keeps_answers_once_and_pages_per_output(tmp_path: Path) -> None:
    [question] = read("kilt", write(tmp_path, KILT))
    assert question.references == ("Because.",)
    assert question.meta["provenance"] == [["12", None], []]


@pytest.mark.parametrize("name", ["data.json", "data.jsonl"])
def test_eli5_reads_lists_and_lines(tmp_path: Path, name: str) -> None:
    [question] = read("eli5", write(tmp_path, [ELI5] if name.endswith("json") else ELI5, name))
    assert (question.text, question.references) == ("Why is it so ? really", ("It is .",))
    assert [passage.text for passage in question.evidence] == ["One .", "Two ."]


def test_squad_says_which_questions_have_an_answer(tmp_path: Path) -> None:
    answered, unanswered = read("squad2", write(tmp_path, SQUAD))
    assert (answered.references, unanswered.references) == (("Ann",), ())
    assert (answered.meta["is_answerable"], unanswered.meta["is_answerable"]) == (True, False)
    assert answered.evidence[0].text == "Ann won."


def test_nq_open_gets_ids_from_its_questions(tmp_path: Path) -> None:
    [question] = read("nq-open", write(tmp_path, NQ))
    assert len(question.id) == 12
    assert question.interpretations[0].answers == question.references == ("Ann", "Bo")


@pytest.mark.parametrize("layout", FILES)
def test_a_compressed_file_reads_the_same(layout: str, tmp_path: Path) -> None:
    plain = write(tmp_path, FILES[layout])
    packed = tmp_path / "data.json.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read(layout, packed) == read(layout, plain)


@pytest.mark.parametrize("layout", FILES)
@pytest.mark.parametrize("other", FILES)
def test_a_file_of_another_layout_is_refused(layout: str, other: str, tmp_path: Path) -> None:
    if layout != other:
        with pytest.raises(BadInput, match=r"data\.json"):
            read(layout, write(tmp_path, FILES[other]))


@pytest.mark.parametrize("layout", FILES)
def test_broken_files_are_named(layout: str, tmp_path: Path) -> None:
    for content in (b"", b"\xff\xfe\x00", b'{"id": ', b'{"a": NaN}', b"[]", b"3"):
        path = tmp_path / "data.json"
        path.write_bytes(content)
        with pytest.raises(BadInput, match=r"data\.json"):
            read(layout, path)
    cut = tmp_path / "cut.json.gz"
    cut.write_bytes(gzip.compress(json.dumps(FILES[layout]).encode() * 50)[:-20])
    with pytest.raises(BadInput, match=r"cut\.json\.gz cannot be unpacked"):
        read(layout, cut)


def test_a_packed_file_is_read_whatever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(gzip.compress(json.dumps(FILES["ambignq"]).encode()))
    assert read("ambignq", path) == read("ambignq", write(tmp_path, FILES["ambignq"], "plain.json"))


@pytest.mark.parametrize("layout", ["ambignq", "eli5"])
def test_an_id_that_stands_twice_is_refused(layout: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="two questions have the id"):
        read(layout, write(tmp_path, FILES[layout] * 2))


def test_a_spec_needs_a_known_layout_and_a_path(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no dataset layout named 'asq'.*asqa"):
        open_dataset("asq:dev.json")
    with pytest.raises(UserError, match="asqa:PATH"):
        open_dataset("asqa")
    with pytest.raises(BadInput, match="no such file"):
        read("kilt", tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("ambignq:ambignq/ambignq_dev_light_1644.json.gz", 1644),
        ("ambignq:ambignq/ambignq_dev_full_search_evidence_251.json.gz", 251),
        ("asqa:asqa/asqa_dev_748.json.gz", 748),
        ("eli5:eli5/eli5_official_examples_with_support_docs_10.json.gz", 10),
        ("nq-open:nq_open/nq_open_dev_3610.jsonl.gz", 3610),
        ("squad2:squad/squad2_dev_half_6078_questions.json.gz", 6078),
    ],
)
def test_the_real_files_are_read_whole(spec: str, count: int) -> None:
    layout, _, name = spec.partition(":")
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip("needs ../shared/data")
    assert len(read(layout, path)) == count
