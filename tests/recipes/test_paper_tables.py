"""Tables of the papers: rows that can be run are measured, the others stay with their reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound import plugins
from expound.cli import execute
from expound.datasets.spec import open_dataset
from expound.errors import UnknownName, UserError
from expound.recipes.catalogue import LISTED, find_recipe
from expound.recipes.dataset_stats import question_statistics
from expound.recipes.every_table import find_dataset
from expound.recipes.findings import Finding, Row, WithInterval
from expound.recipes.pictures import draw_lines
from expound.recipes.shape import Ingredients, Recipe, measure
from expound.recipes.systems import Parts, SystemTable, system_recipe
from expound.score.results import Scorer

RECIPE = system_recipe(
    name="toy",
    title="A toy table",
    layout="qa",
    metrics=("Length()", "Rouge(kind='1')"),
    rows=(
        Row("question", {"rouge_1": 12.5}, Parts("RepeatQuestion(times=2)")),
        Row("people", {"rouge_1": 50.0}, Parts("references", protocol="human")),
        Row("large model", {"rouge_1": 40.0}, why="needs a large model"),
    ),
    why="The toy world is small.",
)
DEV = Path(__file__).parents[2] / "examples/scoring/dev.json"


def dataset(folder: Path) -> str:
    rows = [{"id": f"q{n}", "question": f"Who won {n}?", "references": [f"Ann won {n}.", "Bo won."]} for n in range(3)]
    (folder / "qa.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return f"qa:{folder / 'qa.jsonl'}"


def toy(folder: Path, **more: Any) -> Ingredients:
    return Ingredients(dataset=dataset(folder), out=folder / "out", **more)


def ambignq(folder: Path) -> Path:
    """One question with one answer, under the name that `recipe all` looks for."""
    annotations = [{"type": "singleAnswer", "answer": ["Ann"]}]
    file = folder / "ambignq_dev_light_1.json"
    file.write_text(json.dumps([{"id": "1", "question": "Who won?", "annotations": annotations}]))
    return file


def number(finding: Finding, name: str) -> float:
    value = finding.values[name]
    assert isinstance(value, WithInterval)
    return value.value


def test_rows_are_measured_or_keep_their_reason(tmp_path: Path) -> None:
    done = measure(RECIPE, toy(tmp_path))
    [(columns, rows)] = done.tables()
    assert columns == [
        "row", "rouge_1 published", "rouge_1 measured", "length published", "length measured", "n", "note",
    ]  # fmt: skip
    assert [row[0] for row in rows] == ["question", "people", "large model"]
    assert number(done.findings[0], "length") == 6
    assert number(done.findings[1], "length") == 2.5
    assert rows[2][-1] == "needs a large model"
    assert "The toy world is small." in done.markdown()
    assert (tmp_path / "out/table.md").read_text() == done.markdown()
    assert json.loads((tmp_path / "out/table.json").read_text()) == done.record()


def test_the_record_has_every_number_with_its_interval(tmp_path: Path) -> None:
    question, _, large = measure(RECIPE, toy(tmp_path)).record()
    assert question["row"] == "question"
    assert question["published"] == {"rouge_1": 12.5}
    assert question["measured"]["length"] == {"value": 6.0, "low": 6.0, "high": 6.0, "n": 3}
    assert large == {
        "row": "large model",
        "published": {"rouge_1": 40.0},
        "measured": {},
        "note": "needs a large model",
    }


def test_answers_are_kept_for_the_next_time(tmp_path: Path) -> None:
    measure(RECIPE, toy(tmp_path))
    before = (tmp_path / "out/01/predictions.jsonl").stat().st_mtime_ns
    measure(RECIPE, toy(tmp_path))
    assert (tmp_path / "out/01/predictions.jsonl").stat().st_mtime_ns == before


def test_only_the_named_rows_are_run(tmp_path: Path) -> None:
    given = toy(tmp_path, rows=("people",))
    assert [item.row.name for item in measure(RECIPE, given).findings] == ["people"]
    with pytest.raises(UnknownName, match="the recipe toy has no row 'peeple'; did you mean 'people'"):
        measure(RECIPE, replace(given, rows=("peeple",)))


def test_training_questions_are_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--train"):
        measure(find_recipe("hurdles-table7"), toy(tmp_path))


@pytest.mark.parametrize("name", LISTED)
def test_every_recipe_of_the_catalogue_is_there_under_its_name(name: str) -> None:
    recipe = find_recipe(name)
    assert recipe.name == name
    assert recipe.title
    assert bool(recipe.files) == any(key in LISTED[name].takes for key in ("files", "passages", "answerable"))
    assert bool(recipe.draw) <= ("plot" in LISTED[name].takes)


def tables_of_systems() -> list[tuple[str, SystemTable]]:
    recipes = [(name, find_recipe(name)) for name in LISTED]
    return [(name, recipe.prepare.__self__) for name, recipe in recipes if hasattr(recipe.prepare, "__self__")]


@pytest.mark.parametrize(
    ("name", "table"), tables_of_systems(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_part_of_a_table_exists(name: str, table: SystemTable) -> None:
    assert len(Scorer(table.metrics).profile.metrics) == len(table.metrics)
    for row in table.rows:
        assert row.how or row.why, "a row that cannot be run says why"
        if not row.how:
            continue
        if row.how.protocol != "human":
            answer = row.how.answer.format(train="qa:x", sentences="x.onnx")
            assert plugins.load("answer", plugins.parse(answer).name)
        plugins.load("retrieve", row.how.retrieve)
        plugins.load("clarify", plugins.parse(row.how.clarify).name)


def test_there_are_nine_tables_of_systems() -> None:
    assert len(tables_of_systems()) == 9


def test_an_unknown_recipe_is_told_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="no recipe named 'asqa-tabel3'; did you mean 'asqa-table3'"):
        find_recipe("asqa-tabel3")


def test_a_table_is_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    annotations = [{"type": "multipleQAs", "qaPairs": [
        {"question": "Who won in 1990?", "answer": ["Ann"]}, {"question": "Who won in 1991?", "answer": ["Bo"]},
    ]}]  # fmt: skip
    file = tmp_path / "ambig.json"
    file.write_text(json.dumps([{"id": "1", "question": "Who won?", "annotations": annotations}]))
    command = ["recipe", "ambigqa-table4", "--dataset", f"ambignq:{file}", "--out", str(tmp_path / "out")]
    assert execute(["--quiet", *command]) == 0
    assert "| always the prompt question | 47.4 |" in capsys.readouterr().out
    assert (tmp_path / "out/table.md").exists()
    assert execute(["--quiet", *command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[3]["row"] == "always the prompt question"
    assert execute(["--quiet", *command, "--json", "--format", "csv"]) == 2
    assert "--json or --format csv, not both" in capsys.readouterr().err


def test_a_row_that_keeps_no_answers_makes_the_folder_of_its_table(tmp_path: Path) -> None:
    measure(RECIPE, toy(tmp_path, rows=("people",)))
    assert (tmp_path / "out/table.md").exists()


def test_statistics_stand_beside_the_published_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["--quiet", "recipe", "asqa-tables-1-2", "--dataset", f"asqa:{DEV}"]) == 0
    out = capsys.readouterr().out
    assert "| answers per question | 2.00 | 2.0" in out
    assert "not in this file" in out


def test_statistics_have_the_intervals_of_the_numbers_that_datasets_stats_prints() -> None:
    findings = measure(find_recipe("asqa-tables-1-2"), Ingredients(dataset=f"asqa:{DEV}")).findings
    known = {(item.group, item.name): item for item in question_statistics(list(open_dataset(f"asqa:{DEV}")))}
    names = [("answers", "per question"), ("length", "answer"), ("references agree", "ROUGE-Lsum")]
    for finding, name in zip(findings, names, strict=False):
        value = finding.values["mean"]
        assert isinstance(value, WithInterval)
        assert value.value == pytest.approx(known[name].value)
        assert value.n == known[name].n
        assert value.low <= value.value <= value.high
    mean = findings[1].values["mean"]
    assert isinstance(mean, WithInterval)
    assert number(findings[1], "mean") > mean.low


def test_all_measures_what_it_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ambignq(tmp_path)
    assert find_dataset(tmp_path, "ambignq").endswith("ambignq_dev_light_1.json")
    command = ["--quiet", "recipe", "all", "--data", str(tmp_path), "--out", str(tmp_path / "out")]
    assert execute(command) == 0
    out = capsys.readouterr().out
    assert "## asqa-table3: left out" in out
    assert "| 1 | 49.00 | 100.00 (100.00–100.00) | 1 |" in out
    assert (tmp_path / "out/ambigqa-table2/table.md").exists()


def test_all_refuses_a_folder_that_is_not_there_or_has_no_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, reason in ((tmp_path / "nope", "there is no folder"), (tmp_path, "no file below")):
        assert execute(["recipe", "all", "--data", str(folder), "--out", str(tmp_path / "out")]) == 2
        printed = capsys.readouterr()
        assert f"error: {reason}" in printed.err
        assert not printed.out
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("punkt_file")
def test_all_goes_on_after_a_failure_and_names_it_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ambignq(tmp_path)
    (tmp_path / "asqa_dev.json").write_text("[]")
    command = ["--quiet", "recipe", "all", "--data", str(tmp_path), "--out", str(tmp_path / "out")]
    assert execute(command) == 1
    printed = capsys.readouterr()
    assert "## asqa-table3: failed" in printed.out
    assert "| 1 | 49.00 | 100.00" in printed.out
    assert "asqa-table3: " in printed.err
    last = printed.err.splitlines()[-1]
    assert last == "error: 4 of 8 recipes failed: asqa-tables-1-2, asqa-table3, asqa-figure3, written-models"


def test_a_table_can_be_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    findings = measure(RECIPE, toy(tmp_path)).findings
    draw_lines("toy", findings, tmp_path / "toy.png")
    assert (tmp_path / "toy.png").stat().st_size > 1000
    with pytest.raises(UserError, match="cannot be drawn"):
        draw_lines("toy", [], tmp_path / "toy.doc")


def test_a_row_that_is_refused_keeps_its_reason(tmp_path: Path) -> None:
    rows = (Row("question", how=Parts("RepeatQuestion(times=2)")), Row("memory", how=Parts("ClosedBook()")))

    def recipe(*rows: Row) -> Recipe[Any]:
        return system_recipe(name="toy", title="", layout="qa", metrics=("Length()",), rows=rows)

    _, memory = measure(recipe(*rows), toy(tmp_path)).findings
    assert memory.row.why.startswith("not run: ClosedBook needs a text model")
    with pytest.raises(UserError, match="ClosedBook"):
        measure(recipe(rows[1]), replace(toy(tmp_path), out=tmp_path / "none"))
