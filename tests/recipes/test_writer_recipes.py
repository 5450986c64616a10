"""Recipes that train: a tiny writer in the place of a large one, and the second call trains nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from expound.recipes import eli5_writers, writer_plans
from expound.recipes.catalogue import find_recipe
from expound.recipes.findings import Row
from expound.recipes.shape import Ingredients, measure
from expound.train.data.writer_files import write_writer_rows
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


def test_shares_of_the_data_are_rows() -> None:
    assert [row.name for row in find_recipe("eli5-figure7-data").rows] == ["25%", "50%", "75%", "100%"]


def test_asqa_rows_read_as_many_passages_as_they_say() -> None:
    rows = find_recipe("asqa-writers").rows
    assert [row.how.writing.k for row in rows] == [0, 1, 3, 5]
    assert [row.published["dr"] for row in rows] == [15.7, 29.2, 32.7, 33.7]
