"""The experiment with found, random and no documents, on a made-up town with a tiny writer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.cli import execute
from expound.datasets.predictions import read_predictions
from expound.errors import UserError
from expound.models.torch_writer import TorchWriter
from expound.recipes import Ingredients, Measurement, find_recipe, hurdles_writers, measure
from expound.recipes.findings import Row, WithInterval
from expound.recipes.hurdles_writers import FOUND, NONE, RANDOM, GeneratorSettings, WriterUse, set_up, sizes_of
from expound.testing import write_jsonl
from expound.train.data.writer_files import WriterRow
from expound.train.scratch_writer import SIZES, write_scratch_base
from expound.types import Passage

THINGS = ("tower", "market", "bridge", "harbour", "wall", "mill", "gate", "inn")


def lines(names: str) -> list[dict[str, Any]]:
    """Who built what, with the sentence that says so."""
    return [
        {
            "question": f"who built the {thing} of {name} ?",
            "references": [f"the {thing} of {name} was built by {name}"],
            "evidence": [{"id": f"{thing}-{name}", "title": "", "text": f"{name} built the {thing} of {name} ."}],
        }
        for thing in THINGS
        for name in names.split()
    ]


@pytest.fixture
def given(tmp_path: Path) -> Ingredients:
    asked, train = (
        write_jsonl(tmp_path / "asked.jsonl", lines("mira")),
        write_jsonl(tmp_path / "t.jsonl", lines("olan")),
    )
    return Ingredients(dataset=f"qa:{asked}", train=f"qa:{train}", out=tmp_path / "out", limit=2)


def measure_tiny(given: Ingredients, tmp_path: Path) -> Measurement:
    for library in ("torch", "transformers", "peft"):
        pytest.importorskip(library)
    rows = [
        WriterRow(line["question"], line["references"][0], (Passage("1", line["question"]),)) for line in lines("mira")
    ]
    base = write_scratch_base(tmp_path / "base", rows, SIZES["tiny"], shape="causal", seed=3)
    settings = replace(sizes_of(given), k=1, most_tokens=96, answer_words=12, base=str(base))
    return measure(replace(find_recipe("hurdles-tables"), prepare=lambda given: set_up(given, settings)), given)


def test_every_writer_is_asked_with_found_random_and_no_documents(given: Ingredients, tmp_path: Path) -> None:
    done = measure_tiny(given, tmp_path)
    found = {finding.row.name: finding.values for finding in done.findings}
    assert number(found["trained with found, found documents"]["rouge_l"]).n == 2
    less = number(found["trained with random: found less none"]["log-likelihood"]).value
    both = [number(found[f"trained with random, {read} documents"]["log-likelihood"]).value for read in (FOUND, NONE)]
    assert less == pytest.approx(both[0] - both[1])
    assert "rouge_l" not in found["people"]
    # Whoever asks whether training taught a writer to read needs the writer before it.
    assert list(found["not trained: found less random"]) == ["log-likelihood"]
    assert number(found["copy input, five times (lower)"]["content in question"]).value == 100
    assert [len(sheet) for _, sheet in done.tables()] == [20, 20, 20]
    # What audits and studies take: the answers with the documents that were read.
    answers = [str(given.folder / name / "predictions.jsonl") for name in ("found-found", "found-random")]
    audit = ["audit", answers[0], "--random", answers[1], "--dataset", given.dataset, "--limit", "2"]
    assert execute([*audit, "--out", str(tmp_path / "audit")]) == 0
    assert (tmp_path / "audit" / "audit.html").is_file()
    study = ["study", "new", str(tmp_path / "ab.toml"), "--form", "hurdles-ab", "--predictions", *answers]
    assert execute([*study, "--dataset", given.dataset]) == 0
    said = list(read_predictions(given.folder / "found-random" / "predictions.jsonl"))
    assert len(said) == 2
    assert said[0].evidence[0].passage.id != "tower-mira"
    assert not next(iter(read_predictions(given.folder / "found-none" / "predictions.jsonl"))).evidence


def test_a_second_call_writes_and_reads_nothing_again(
    given: Ingredients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = measure_tiny(given, tmp_path)
    for name in ("write_all", "guess"):
        monkeypatch.setattr(TorchWriter, name, None)
    assert measure_tiny(given, tmp_path).findings == first.findings


def test_answers_drawn_in_another_way_take_the_same_writers_and_stand_beside_the_first(
    given: Ingredients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = replace(given, rows=("trained with found, found documents",))
    first = measure_tiny(given, tmp_path)
    # No reference is read again, and no writer is trained again.
    monkeypatch.setattr(TorchWriter, "guess", None)
    monkeypatch.setattr(hurdles_writers, "train_writer", None)
    again = measure_tiny(replace(given, written=1, top_p=0.9, seed=14), tmp_path)
    assert (given.folder / "found-found-p0.9-n1-seed14" / "predictions.jsonl").is_file()
    values = [done.findings[0].values for done in (first, again)]
    assert [number(one["rouge_l"]).n for one in values] == [2, 1]
    assert values[0]["log-likelihood"] == values[1]["log-likelihood"]


def test_numbers_of_the_paper_are_those_of_the_same_drawing(given: Ingredients) -> None:
    recipe = find_recipe("hurdles-tables")
    by_name = {row.name: row for row in recipe.rows}
    found, people = by_name["trained with found, found documents"], by_name["people"]

    def publish(row: Row, top_p: float) -> object:
        return recipe.publish(row, replace(given, top_p=top_p)).get("1-g in found")

    assert [publish(found, top_p) for top_p in (0.0, 0.6, 0.9, 0.5)] == [52.3, 52.3, 53.9, None]
    assert [publish(people, top_p) for top_p in (0.6, 0.9, 0.5)] == [54.1, 54.1, 54.1]


def test_pages_without_a_word_and_questions_without_an_answer_are_left_out(given: Ingredients, tmp_path: Path) -> None:
    page = {"id": "empty", "title": "", "text": " "}
    odd, *others = lines("mira")
    asked = write_jsonl(
        tmp_path / "odd.jsonl",
        [{**odd, "references": [""]}, *({**line, "evidence": [page, *line["evidence"]]} for line in others)],
    )
    experiment = set_up(replace(given, dataset=f"qa:{asked}", limit=3), GeneratorSettings(k=1))
    assert [question.evidence[0].id for question in experiment.questions] == [
        "market-mira",
        "bridge-mira",
        "harbour-mira",
    ]


def test_training_never_sees_a_question_that_is_asked(given: Ingredients) -> None:
    experiment = set_up(replace(given, train=given.train, limit=8), GeneratorSettings(rows_a_question=1))
    assert not {question.text for question in experiment.questions} & {item.text for item in experiment.training}
    with pytest.raises(UserError, match="fewer than two questions have both an answer and documents"):
        set_up(replace(given, train=given.dataset), GeneratorSettings())


def test_random_documents_are_those_of_another_question(given: Ingredients) -> None:
    experiment = set_up(replace(given, limit=8), GeneratorSettings(k=1))
    pairs = list(zip(experiment.documents(FOUND), experiment.documents(RANDOM), strict=True))
    assert all(found != drawn for found, drawn in pairs)
    assert sorted(p[0].id for p, _ in pairs) == sorted(p[0].id for _, p in pairs)
    assert WriterUse(FOUND, NONE).name == "found-none"


def number(value: object) -> WithInterval:
    assert isinstance(value, WithInterval)
    return value
