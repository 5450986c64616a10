"""Tables of the papers: rows that can be run are measured, the others stay with their reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from expound import plugins
from expound.cli import execute
from expound.cli.recipe import STATISTICS, TABLES
from expound.errors import UnknownName, UserError
from expound.recipes.registry import RECIPES, find_dataset
from expound.recipes.registry import STATISTICS as STATISTICS_RECIPES
from expound.recipes.table import Inputs, Recipe, Row, columns_and_rows, markdown, measure
from expound.recipes.table_plot import plot_rows
from expound.score.results import Scorer

RECIPE = Recipe(
    "toy",
    "A toy table",
    "qa",
    ("Length()", "Rouge(kind='1')"),
    (
        Row("question", {"rouge_1": 12.5}, "RepeatQuestion(times=2)"),
        Row("people", {"rouge_1": 50.0}, "references", protocol="human"),
        Row("large model", {"rouge_1": 40.0}, why="needs a large model"),
    ),
    "The toy world is small.",
)


def dataset(folder: Path) -> str:
    rows = [{"id": f"q{n}", "question": f"Who won {n}?", "references": [f"Ann won {n}.", "Bo won."]} for n in range(3)]
    (folder / "qa.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return f"qa:{folder / 'qa.jsonl'}"


def test_rows_are_measured_or_keep_their_reason(tmp_path: Path) -> None:
    measured = measure(RECIPE, Inputs(dataset(tmp_path)), tmp_path / "out")
    columns, rows = columns_and_rows(measured)
    assert columns == [
        "row", "rouge_1 published", "rouge_1 measured", "length published", "length measured", "n", "note",
    ]  # fmt: skip
    assert [row[0] for row in rows] == ["question", "people", "large model"]
    assert measured[0].results["length"].value == 6
    assert measured[1].results["length"].value == 2.5
    assert rows[2][-1] == "needs a large model"
    assert "The toy world is small." in markdown(RECIPE, measured)


def test_answers_are_kept_for_the_next_time(tmp_path: Path) -> None:
    inputs = Inputs(dataset(tmp_path))
    measure(RECIPE, inputs, tmp_path / "out")
    before = (tmp_path / "out/01/predictions.jsonl").stat().st_mtime_ns
    measure(RECIPE, inputs, tmp_path / "out")
    assert (tmp_path / "out/01/predictions.jsonl").stat().st_mtime_ns == before


def test_only_the_named_rows_are_run(tmp_path: Path) -> None:
    inputs = Inputs(dataset(tmp_path), rows=("people",))
    assert [item.row.name for item in measure(RECIPE, inputs, tmp_path / "out")] == ["people"]
    with pytest.raises(UnknownName, match="the recipe toy has no row 'peeple'; did you mean 'people'"):
        measure(RECIPE, replace(inputs, rows=("peeple",)), tmp_path / "out")


def test_training_questions_are_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--train"):
        measure(RECIPES["hurdles-table7"], Inputs(dataset(tmp_path)), tmp_path / "out")


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda recipe: recipe.name)
def test_every_part_of_a_table_exists(recipe: Recipe) -> None:
    assert len(Scorer(recipe.metrics).profile.metrics) == len(recipe.metrics)
    for row in recipe.rows:
        if row.answer and row.protocol != "human":
            assert plugins.load("answer", plugins.parse(row.answer.format(train="qa:x", sentences="x.onnx")).name)
        plugins.load("retrieve", row.retrieve)
        plugins.load("clarify", plugins.parse(row.clarify).name)
        assert row.answer or row.why, "a row that cannot be run says why"


def test_the_commands_are_the_tables() -> None:
    assert set(TABLES) == set(RECIPES)
    assert set(STATISTICS) == set(STATISTICS_RECIPES)


def test_a_table_is_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    annotations = [{"type": "multipleQAs", "qaPairs": [
        {"question": "Who won in 1990?", "answer": ["Ann"]}, {"question": "Who won in 1991?", "answer": ["Bo"]},
    ]}]  # fmt: skip
    file = tmp_path / "ambig.json"
    file.write_text(json.dumps([{"id": "1", "question": "Who won?", "annotations": annotations}]))
    arguments = ["--dataset", f"ambignq:{file}", "--out", str(tmp_path / "out")]
    assert execute(["--quiet", "recipe", "ambigqa-table4", *arguments]) == 0
    assert "| always the prompt question | 47.4 |" in capsys.readouterr().out
    assert (tmp_path / "out/table.md").exists()


def test_statistics_stand_beside_the_published_ones(capsys: pytest.CaptureFixture[str]) -> None:
    dev = Path(__file__).parents[2] / "examples/scoring/dev.json"
    assert execute(["--quiet", "recipe", "asqa-tables-1-2", "--dataset", f"asqa:{dev}"]) == 0
    out = capsys.readouterr().out
    assert "| answers per question | 2.00 | 2.0" in out
    assert "not in this file" in out


def test_all_measures_what_it_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    annotations = [{"type": "singleAnswer", "answer": ["Ann"]}]
    rows = [{"id": "1", "question": "Who won?", "annotations": annotations}]
    (tmp_path / "ambignq_dev_light_1.json").write_text(json.dumps(rows))
    assert find_dataset(tmp_path, "ambignq").endswith("ambignq_dev_light_1.json")
    assert execute(["--quiet", "recipe", "all", "--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "## asqa-table3: left out" in out
    assert "| 1 | 49.00 | 100.00 | 1 |" in out


def test_a_table_can_be_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot_rows("toy", measure(RECIPE, Inputs(dataset(tmp_path)), tmp_path / "out"), tmp_path / "toy.png")
    assert (tmp_path / "toy.png").stat().st_size > 1000
    with pytest.raises(UserError, match="cannot be drawn"):
        plot_rows("toy", [], tmp_path / "toy.doc")


def test_a_row_that_is_refused_keeps_its_reason(tmp_path: Path) -> None:
    rows = (Row("question", {}, "RepeatQuestion(times=2)"), Row("memory", {}, "ClosedBook()"))
    _, memory = measure(replace(RECIPE, rows=rows), Inputs(dataset(tmp_path)), tmp_path / "out")
    assert memory.row.why.startswith("not run: ClosedBook needs a text model")
    with pytest.raises(UserError, match="ClosedBook"):
        measure(replace(RECIPE, rows=rows[1:]), Inputs(dataset(tmp_path)), tmp_path / "none")
