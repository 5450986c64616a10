"""Recipes that train: a tiny writer in the place of a large one, and the second call trains nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.datasets.predictions import read_predictions
from expound.errors import UserError
from expound.models.decoder import Decoding
from expound.recipes import asqa_writers, eli5_writers, writer_plans
from expound.recipes.catalogue import find_recipe
from expound.recipes.findings import Row, WithInterval
from expound.recipes.shape import Ingredients, measure
from expound.recipes.writer_plans import WriterPlan
from expound.train.data.writer_files import read_writer_rows, write_writer_rows
from expound.train.training_settings import NumberFormat
from expound.types import MetricResult
from train.test_writer_kind import town_rows

TINY = replace(eli5_writers._MULTI_TASK, scratch="tiny", training=replace(writer_plans.FROM_NOTHING, steps=3))


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ingredients:
    """Rows of the town to train and to measure on."""
    for library in ("torch", "transformers", "onnx"):
        pytest.importorskip(library)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    files = (tmp_path / "train.jsonl", tmp_path / "test.jsonl")
    write_writer_rows(files[0], town_rows())
    write_writer_rows(files[1], town_rows()[:3])
    return Ingredients(files=files, out=tmp_path / "out", limit=2)


def test_a_row_is_trained_once_and_measured_beside_the_published_one(given: Ingredients) -> None:
    adapted = Row(eli5_writers._ADAPTED, how=replace(TINY, writing=replace(TINY.writing, tasks=(), k=0)))
    half = Row("Seq2Seq multi-task", {"perplexity": 32.7}, replace(TINY, share=0.5))
    recipe = replace(find_recipe("eli5-writers"), rows=(adapted, half))
    first, second = (measure(recipe, given).findings for _ in range(2))
    assert [finding.values["CPU-seconds"] for finding in first] == [f.values["CPU-seconds"] for f in second]
    assert "over the adapted" in first[1].values
    assert "over the adapted" not in first[0].values
    assert "32.7" in measure(recipe, given).markdown()
    assert (given.folder / "train-0.50.jsonl").read_text().count("\n") == len(town_rows()) // 2


def test_whoever_has_less_time_trains_for_fewer_steps(given: Ingredients) -> None:
    recipe = replace(find_recipe("eli5-writers"), rows=(Row("Seq2Seq multi-task", how=TINY),))
    measure(recipe, replace(given, steps=1))
    assert json.loads((given.folder / "seq2seq-multi-task" / "figures.json").read_text())["steps"] == 1


def test_as_many_answers_are_written_as_is_asked_for(given: Ingredients) -> None:
    recipe = replace(find_recipe("eli5-writers"), rows=(Row("Seq2Seq multi-task", how=TINY),))
    rouge = measure(recipe, replace(given, written=1)).findings[0].values["rouge_1"]
    assert isinstance(rouge, MetricResult)
    assert len(rouge.per_question) == 1


def test_lengths_are_chosen_on_rows_that_are_not_measured(given: Ingredients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.train.writer_figures.LEAST_TOKENS", (0, 4))
    monkeypatch.setattr("expound.train.writer_figures.MOST_TOKENS", (90, 95))
    monkeypatch.setattr("expound.recipes.eli5_writers._DECODING", Decoding(beams=1, no_repeat=0, most_tokens=90))
    write_writer_rows(other := given.folder.parent / "other.jsonl", town_rows()[3:5])
    recipe = replace(find_recipe("eli5-writers"), rows=(Row("Seq2Seq multi-task", how=TINY),))
    (found,) = measure(recipe, replace(given, written=1, lengths_by=other)).findings
    assert found.values["fewest tokens"] in (0, 4)
    assert found.values["most tokens"] in (90, 95)
    with pytest.raises(UserError, match="is no file: --lengths-by"):
        measure(recipe, replace(given, lengths_by=other.with_name("none.jsonl")))


def test_shares_of_the_data_are_rows() -> None:
    assert [row.name for row in find_recipe("eli5-figure7-data").rows] == ["25%", "50%", "75%", "100%"]


def test_asqa_rows_read_as_many_passages_as_they_say() -> None:
    rows = [row for row in find_recipe("asqa-writers").rows if isinstance(row.how, WriterPlan)]
    published = [row for row in rows if row.published]
    assert [row.how.writing.k for row in published] == [1, 0, 3, 5, 0]
    assert [row.published["dr"] for row in published] == [29.2, 15.7, 32.7, 33.7, 52.5]


def test_asqas_controls_differ_from_their_row_in_training_alone() -> None:
    rows = {row.name: row.how for row in find_recipe("asqa-writers").rows if isinstance(row.how, WriterPlan)}
    shuffled, untrained = rows["1 passage, others' answers"], rows["1 passage, not trained"]
    assert replace(shuffled, writing=replace(shuffled.writing, is_shuffled=False)) == rows["1 passage"]
    assert replace(untrained, is_trained=True) == rows["1 passage"]


def test_asqas_controls_are_held_against_their_row_without_writing(
    given: Ingredients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asqa_writers, "open_reader", lambda name: None)  # its tokenizer is not on every machine
    monkeypatch.setattr(asqa_writers, "_METRICS", ("KiltAnswer(kind='rouge_l')",))
    dev = tmp_path / "dev.json"
    dev.write_text(json.dumps({"dev": {name: asqa_question(name) for name in ("mill", "gate", "inn")}}))
    plain = replace(TINY, writing=replace(TINY.writing, tasks=(), k=0))
    rows = (
        Row("1 passage", how=plain),
        Row("1 passage, others' answers", how=replace(plain, writing=replace(plain.writing, is_shuffled=True))),
    )
    recipe = replace(find_recipe("asqa-writers"), rows=rows)
    brought = replace(given, files=given.files[:1], dataset=f"asqa:{dev}", precision=NumberFormat.BFLOAT16)
    own, control = (finding.values for finding in measure(recipe, brought).findings)
    assert {"rouge_l", "log-likelihood"} <= own.keys()
    assert {"log-likelihood", "over 1 passage", "CPU-seconds of training"} == control.keys()
    again = [finding.values["log-likelihood"] for finding in measure(recipe, brought).findings]
    assert again == [own["log-likelihood"], control["log-likelihood"]]


def test_oracle_learns_one_half_and_is_scored_against_the_other_annotator(
    given: Ingredients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asqa_writers, "open_reader", lambda name: None)  # its tokenizer is not on every machine
    monkeypatch.setattr(asqa_writers, "_METRICS", ("KiltAnswer(kind='rouge_l')",))
    names = [f"tower {number}" for number in range(8)]
    dev = tmp_path / "dev.json"
    dev.write_text(json.dumps({"dev": {name: asqa_question(name) for name in names}}))
    tiny = replace(TINY, writing=replace(TINY.writing, tasks=(), k=0))
    row = replace(next(row for row in find_recipe("asqa-writers").rows if row.name == "ORACLE"), how=tiny)
    recipe = replace(find_recipe("asqa-writers"), rows=(row,))
    done = measure(recipe, replace(given, files=given.files[:1], dataset=f"asqa:{dev}", limit=0)).findings[0]
    score = done.values["rouge_l"]
    assert isinstance(score, WithInterval)
    learnt = read_writer_rows([given.folder / "oracle" / "train.jsonl"])
    asked = [answer.question for answer in read_predictions(given.folder / "oracle" / "predictions.jsonl")]
    assert len(learnt) + len(asked) == len(names)
    assert not {row.question.partition(" answers:")[0] for row in learnt} & set(asked)
    # What its annotator knew is read, and that annotator's answer is learnt.
    assert "context2: info: mira was a mason" in learnt[0].question
    assert learnt[0].answer == "it was built by mira the mason"
    assert score.n == len(asked)


def asqa_question(name: str) -> dict[str, Any]:
    """A question with contexts, two answers, and what the writer of the longer one knew."""
    note = {"content": "mira was a mason", "wikipage": "mira"}
    pair = {"question": f"who built {name} first ?", "short_answers": ["mira"], "context": f"mira built {name} ."}
    return {
        "ambiguous_question": f"who built {name} ?",
        "qa_pairs": [pair],
        "annotations": [
            {"long_answer": "mira did", "knowledge": []},
            {"long_answer": "it was built by mira the mason", "knowledge": [note]},
        ],
    }
