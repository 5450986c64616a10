"""The recipe on readings counts what a user meets: right ones, invented ones and missed ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.errors import BadInput
from expound.recipes import Ingredients, find_recipe, measure
from expound.testing import write_jsonl, write_toy_folder


def _questions(path: Path, *annotations: object) -> str:
    rows = [{"id": "1", "question": "Who built the red kite?", "annotations": list(annotations)}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return f"ambignq:{path}"


def _several(*pairs: tuple[str, str]) -> dict[str, object]:
    return {"type": "multipleQAs", "qaPairs": [{"question": asked, "answer": [answer]} for asked, answer in pairs]}


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    rows = [
        {"id": "a", "title": "Red kite (1920)", "text": "The red kite of 1920 was built by Ann Lee in Rome."},
        {"id": "b", "title": "Red kite (1990)", "text": "The red kite of 1990 was built by Tom Hay in Oslo."},
    ]
    return str(write_jsonl(tmp_path / "kites.jsonl", rows))


def test_every_figure_has_its_interval(tmp_path: Path, corpus: str) -> None:
    gold = _several(("Who built the red kite in 1920?", "Ann Lee"), ("Who built the red kite in 1990?", "Tom Hay"))
    given = Ingredients(dataset=_questions(tmp_path / "q.json", gold), corpus=(corpus,), out=tmp_path / "out")
    record = measure(find_recipe("ambignq-readings"), given).record()
    named = "f1_answer f1_answer_multi f1_bleu4 f1_edit_f1 shown_right false_readings missed".split()
    assert set(named) <= set(record)
    assert set(record["f1_answer"]) == {"value", "low", "high", "n"}
    assert record["f1_answer"]["n"] == record["missed"]["n"] == 1
    stages = "gold_in_passages gold_read gold_extracted gold_shown".split()
    assert [record[stage]["value"] for stage in stages] == [100] * 4
    # No question here has one answer, so that nothing can be invented.
    assert record["false_readings"]["value"] is None
    assert (tmp_path / "out" / "predictions.jsonl").is_file()


def test_confidence_is_drawn_against_how_often_it_is_right(
    tmp_path: Path, corpus: str, embedder_files: dict[str, Path]
) -> None:
    pytest.importorskip("matplotlib")
    gold = _several(("Who built the red kite in 1920?", "Ann Lee"), ("Who built the red kite in 1990?", "Tom Hay"))
    plot = tmp_path / "calibration.svg"
    given = Ingredients(dataset=_questions(tmp_path / "q.json", gold), corpus=(corpus,), plot=plot)
    record = measure(find_recipe("ambignq-readings"), given).record()
    shown = [record[f"right_from_{low}"] for low in (0, 20, 40, 60, 80)]
    assert sum(figure["n"] or 0 for figure in shown) > 0
    assert plot.read_text().startswith("<?xml")


def test_a_file_without_annotations_is_refused(tmp_path: Path) -> None:
    given = Ingredients(dataset=_questions(tmp_path / "q.json"), corpus=(str(write_toy_folder(tmp_path / "toys")),))
    with pytest.raises(BadInput, match="no question with AmbigNQ's annotations"):
        measure(find_recipe("ambignq-readings"), given)


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        ({"type": "singleAnswer", "answer": []}, "'answer' is empty"),
        ({"type": "multipleQAs", "qaPairs": []}, "'qaPairs' is empty"),
        ({"type": "multipleQAs", "qaPairs": [{"question": "Who?", "answer": []}]}, "'answer' is empty"),
    ],
)
def test_an_annotation_without_an_answer_is_refused(
    annotation: dict[str, object], reason: str, tmp_path: Path, corpus: str
) -> None:
    given = Ingredients(dataset=_questions(tmp_path / "q.json", annotation), corpus=(corpus,))
    with pytest.raises(BadInput, match=f"record 1: .*{reason}"):
        measure(find_recipe("ambignq-readings"), given)
