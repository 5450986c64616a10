"""AmbigQA's table of answer lists: what models list, how they vote, and what is counted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from expound.errors import BadInput, BadRecord
from expound.recipes import Ingredients, ambigqa_table3, find_recipe, measure
from expound.recipes.ambigqa_table3 import make_readings, vote_answers
from expound.recipes.halves import half_of
from expound.testing import write_jsonl
from expound.train.data.answer_lists import AnswerList, write_answer_lists
from expound.train.writer_request import WriterRequest
from expound.types import Evidence, Passage

ASK = "what ask shows"
QUESTION = "Who built the red kite?"


@pytest.fixture
def given(tmp_path: Path) -> Ingredients:
    """Two kites, one question of the half that reports and one of the other, and lists to learn from."""
    kites = [
        {"id": "a", "title": "Red kite (1920)", "text": "The red kite of 1920 was built by Ann Lee in Rome."},
        {"id": "b", "title": "Red kite (1990)", "text": "The red kite of 1990 was built by Tom Hay in Oslo."},
    ]
    built = {"1920": "Ann Lee", "1990": "Tom Hay"}
    pairs = [{"question": f"Who built the red kite in {year}?", "answer": [name]} for year, name in built.items()]
    annotation = {"type": "multipleQAs", "qaPairs": pairs}
    halves = {half_of(str(number)): str(number) for number in range(20)}
    rows = [{"id": number, "question": QUESTION, "annotations": [annotation]} for number in halves.values()]
    (tmp_path / "dev.json").write_text(json.dumps(rows))
    files = (tmp_path / "full.jsonl", tmp_path / "partial.jsonl")
    write_answer_lists(files[0], [AnswerList(QUESTION, ("Ann Lee", "Tom Hay"), (Passage("a", "Ann Lee did."),))])
    write_answer_lists(files[1], [AnswerList("Who built the inn?", ("Mira",), (Passage("b", "Mira did."),))])
    corpus = str(write_jsonl(tmp_path / "kites.jsonl", kites))
    dataset = f"ambignq:{tmp_path / 'dev.json'}"
    return Ingredients(files=files, dataset=dataset, corpus=(corpus,), rows=(ASK,), out=tmp_path / "out")


def test_only_questions_that_nothing_was_chosen_on_are_asked(given: Ingredients) -> None:
    done = measure(find_recipe("ambigqa-table3"), given)
    assert done.findings[0].values["n"] == 1
    assert (given.folder / "predictions" / "01.jsonl").read_text().count("\n") == 1


def test_more_than_half_of_the_models_have_to_list_an_answer() -> None:
    assert vote_answers([["Ann", "Bo"], ["the Ann"], ["Cy", "Bo"]]) == ["Ann", "Bo"]


def test_where_models_agree_on_nothing_the_first_one_is_believed() -> None:
    assert vote_answers([[], ["Ann", "Bo"], ["Cy"]]) == ["Ann"]
    assert vote_answers([[], [], []]) == []


def test_an_answer_that_no_passage_has_keeps_the_question_as_it_was_asked() -> None:
    texts = {"1920": "Ann Lee", "1990": "Tom Hay"}
    evidence = [
        Evidence(Passage(year, f"The red kite of {year} was built by {name}.", f"Red kite ({year})"), number, 1.0)
        for number, (year, name) in enumerate(texts.items(), start=1)
    ]
    found = make_readings(QUESTION, ["Ann Lee", "Tom Hay", "Bo"], evidence)
    assert [reading.answers for reading in found] == [("Ann Lee",), ("Tom Hay",), ("Bo",)]
    assert found[2].question == QUESTION
    assert found[0].question != QUESTION


def test_a_row_trains_what_it_needs_once(given: Ingredients, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("torch", "transformers"):
        pytest.importorskip(library)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")

    def from_nothing(files: object, settings: object, writing: object, *, base: str) -> WriterRequest:
        return WriterRequest(files, settings, replace(writing, lora=0), scratch="tiny")  # type: ignore[arg-type, type-var]

    monkeypatch.setattr(ambigqa_table3, "WriterRequest", from_nothing)
    asked = replace(given, rows=("co-training, ensemble", "SPANSEQGEN + QD", "the base, not trained"), steps=1)
    first, second = (measure(find_recipe("ambigqa-table3"), asked).findings for _ in range(2))
    assert [finding.values["CPU-seconds"] for finding in first] == [f.values["CPU-seconds"] for f in second]
    assert (given.folder / "cotrained/final/model-3/lists.json").is_file()
    assert not (given.folder / "nq-open").exists()
    untrained = json.loads((given.folder / "untrained/final/model-1/figures.json").read_text())
    assert untrained["steps"] == 1


def test_a_bad_line_is_told_before_anything_is_searched(given: Ingredients) -> None:
    given.files[1].write_text('{"question": "Who?", "answers": ["Ann", "Bo"]}\n')
    with pytest.raises(BadRecord, match=r"partial\.jsonl, line 1: 2 answers"):
        measure(find_recipe("ambigqa-table3"), given)


def test_questions_without_annotations_are_refused(given: Ingredients, tmp_path: Path) -> None:
    (tmp_path / "open.jsonl").write_text(json.dumps({"question": "Who?", "answer": ["Ann"]}) + "\n")
    with pytest.raises(BadInput, match="no question with AmbigNQ's annotations"):
        measure(find_recipe("ambigqa-table3"), replace(given, dataset=f"nq-open:{tmp_path / 'open.jsonl'}"))
