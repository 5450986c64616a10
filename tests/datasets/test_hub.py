"""A hub's Parquet files become the official files that the layouts read; what is missing is said in one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from expound.cli import execute
from expound.datasets import hub
from expound.datasets.hub import HubName, files_of, parse, unfold
from expound.datasets.spec import import_dataset, open_dataset
from expound.errors import BadInput, FetchFailed, UserError

ASQA = {
    "ambiguous_question": "Who won?", "sample_id": "7", "wikipages": [{"title": "Cup", "url": "https://e.org/Cup"}],
    "qa_pairs": [{"question": "Who won in 1990?", "short_answers": ["Ann"], "context": "No context provided",
                  "wikipage": None}],
    "annotations": [{"long_answer": "Ann won.", "knowledge": [{"content": "Ann won it.", "wikipage": "Cup"}]}],
}  # fmt: skip
AMBIGNQ = {
    "id": "a1", "question": "Who won?", "nq_answer": ["Ann"], "nq_doc_title": "Cup", "viewed_doc_titles": ["Cup"],
    "used_queries": {"query": ["cup"], "results": [{"title": ["Cup"], "snippet": ["A cup."]}]},
    "annotations": {
        "type": ["multipleQAs", "singleAnswer"], "answer": [[], ["Ann", "A. Smith"]],
        "qaPairs": [{"question": ["Who won in 1990?", "Who won in 1991?"], "answer": [["Ann"], ["Bo"]]},
                    {"question": [], "answer": []}],
    },
}  # fmt: skip
CATEGORY = {"q_id": "c1", "title": "Why?", "selftext": "", "category": "Biology",
            "answers": {"text": ["No idea.", "Because."], "score": [2, 9]}}  # fmt: skip
KILT = {
    "id": "k1", "input": "Why?",
    "output": [{"answer": "Because.", "provenance": []}, {"answer": "", "provenance": [{"wikipedia_id": "12"}]}],
}  # fmt: skip


def write_parquet(path: Path, row: Mapping[str, Any]) -> Path:
    import duckdb

    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.with_suffix(".jsonl")
    lines.write_text(json.dumps(row) + "\n", encoding="utf-8")
    duckdb.connect().execute(f"COPY (SELECT * FROM read_json('{lines}')) TO '{path}' (FORMAT parquet)")
    return path


class FakeHub:
    """Files by their path on the hub, all in one revision; the calls are counted."""

    def __init__(self, folder: Path, revision: str = "main") -> None:
        self.folder, self.revision, self.calls = folder, revision, 0

    def list_files(self, repository: str, revision: str) -> list[str]:
        self.calls += 1
        paths = self.folder.rglob("*.parquet") if revision == self.revision else ()
        return ["README.md", *(path.relative_to(self.folder).as_posix() for path in paths)]

    def download(self, repository: str, file: str, revision: str) -> Path:
        assert revision == self.revision
        return self.folder / file


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expound_home: Path) -> FakeHub:
    made = FakeHub(tmp_path / "hub")
    monkeypatch.setattr(hub, "list_files", made.list_files)
    monkeypatch.setattr(hub, "download", made.download)
    return made


def test_asqa_of_the_hub_is_read_like_its_official_file(fake: FakeHub) -> None:
    write_parquet(fake.folder / "data" / "dev-00000-of-00001.parquet", ASQA)
    [question] = open_dataset("asqa:hub://din0s/asqa@dev")
    assert (question.id, question.references) == ("7", ("Ann won.",))
    assert question.interpretations[0].answers == ("Ann",)
    assert question.meta["contexts"] == [""]


def test_ambignq_gets_its_lists_back(fake: FakeHub) -> None:
    write_parquet(fake.folder / "full" / "validation-0.parquet", AMBIGNQ)
    [question] = open_dataset("ambignq:hub://sewon/ambig_qa/full")
    assert [[reading.answers for reading in readings] for readings in question.annotations] == [
        [("Ann",), ("Bo",)],
        [("Ann", "A. Smith")],
    ]
    assert question.meta["used_queries"][0]["query"] == "cup"


def test_eli5_category_and_kilt_are_found_where_the_hub_converted_them(fake: FakeHub) -> None:
    fake.revision = "refs/convert/parquet"
    write_parquet(fake.folder / "default" / "test" / "0000.parquet", CATEGORY)
    write_parquet(fake.folder / "eli5" / "validation" / "0000.parquet", KILT)
    [explained] = open_dataset("eli5-category:hub://rexarski/eli5_category@test")
    assert explained.references == ("Because.", "No idea.")
    [kilt] = open_dataset("kilt:hub://facebook/kilt_tasks")
    assert (kilt.references, kilt.meta["provenance"]) == (("Because.",), [["12"]])


def test_what_was_fetched_needs_no_network_again_and_can_be_imported(fake: FakeHub) -> None:
    write_parquet(fake.folder / "dev.parquet", ASQA)
    assert len(list(open_dataset("asqa:hub://din0s/asqa"))) == 1
    before = fake.calls
    found, is_new = import_dataset("asqa:hub://din0s/asqa")
    assert (found.name, found.records, is_new, fake.calls) == ("asqa-dev", 1, True, before)


def test_a_missing_split_and_a_broken_file_are_named(fake: FakeHub) -> None:
    broken = fake.folder / "test.parquet"
    broken.parent.mkdir()
    broken.write_bytes(b"PAR1 no")
    with pytest.raises(BadInput, match=r"no Parquet file of the split 'dev'"):
        open_dataset("asqa:hub://din0s/asqa")
    with pytest.raises(BadInput, match="cannot be read as Parquet"):
        open_dataset("asqa:hub://din0s/asqa@test")
    with pytest.raises(BadInput, match="cannot be read as Parquet"):  # nothing half written stands in for it
        open_dataset("asqa:hub://din0s/asqa@test")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, expound_home: Path) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UserError, match=r"pip install 'expound\[hub\]'"):
        open_dataset("asqa:hub://din0s/asqa")


def test_without_the_reader_of_parquet_it_says_what_to_install(fake: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    write_parquet(fake.folder / "dev.parquet", ASQA)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(UserError, match=r"pip install 'expound\[hub\]'"):
        open_dataset("asqa:hub://din0s/asqa")


def test_without_a_network_it_is_one_line(
    monkeypatch: pytest.MonkeyPatch, expound_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(repository: str, revision: str) -> list[str]:
        raise ConnectionError("name not known\nand much more")

    monkeypatch.setattr(hub, "list_files", fail)
    with pytest.raises(FetchFailed, match=r"\(name not known\); check the name and the network"):
        open_dataset("asqa:hub://din0s/asqa")
    assert execute(["--quiet", "datasets", "info", "asqa:hub://din0s/asqa"]) != 0
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


@pytest.mark.parametrize("path", ["hub://asqa", "hub://a/b/c/d", "hub://../b", "hub://a/b@", "hub://a/b@x y"])
def test_a_name_that_is_none_is_refused(path: str) -> None:
    with pytest.raises(UserError, match="OWNER/NAME"):
        parse("asqa", path)


def test_files_are_chosen_by_configuration_and_split() -> None:
    paths = ["light/train-0.parquet", "light/dev-1.parquet", "light/dev-0.parquet", "full/dev-0.parquet", "dev.py"]
    assert files_of(HubName("a/b", "light", "dev"), paths) == ["light/dev-0.parquet", "light/dev-1.parquet"]
    assert files_of(HubName("a/b", "", "test"), paths) == []


def test_an_object_of_lists_is_a_list_of_objects() -> None:
    assert unfold({"a": [1, 2], "b": [3, 4]}) == [{"a": 1, "b": 3}, {"a": 2, "b": 4}]
    assert unfold([{"a": 1}]) == [{"a": 1}]
