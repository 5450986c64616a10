"""ELI5's figures and its table over web documents: joined data, groups by overlap, ranks of oracle sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound import plugins
from expound.cli import execute
from expound.datasets.spec import open_dataset
from expound.errors import BadInput, UserError
from expound.recipes import eli5_figure7, eli5_figure8
from expound.recipes.eli5_figure7 import GIVEN_ANSWERS, overlap
from expound.recipes.eli5_figure8 import HIGHEST, SENTENCES, passage_ranks, run_stretch
from expound.recipes.eli5_table3 import WEB_RECIPE
from expound.recipes.eli5_webgpt import import_with_evidence, write_questions
from expound.recipes.every_table import find_dataset
from expound.recipes.findings import Finding, WithInterval
from expound.recipes.shape import Ingredients, measure
from expound.recipes.systems import SystemTable
from expound.train.data.writer_tasks import TASKS
from expound.types import Passage, Question
from train.test_writer_kind import new_kind

FILLER = ("Ships sail far.", "Waves come and go.", "The moon is bright.", "Sand is warm.", "Fish swim.")


def answer(number: int) -> dict[str, Any]:
    return {
        "question_id": number,
        "question": f"Why does the cup {number} shine?",
        "human_answer": "The cup shines since silver reflects light." if number % 2 else "Nobody knows that at all.",
        "webgpt_answer": "Silver reflects light.",
        "gpt3_answer": "It is silver.",
        "alpaca_answer": "No idea.",
    }


def documents(number: int, kind: str) -> dict[str, Any]:
    text = f"{FILLER[number % 5]} The cup {number} shines. Silver reflects light. {' '.join(FILLER)}"
    return {"question_id": number, "docs": [{"doc_id": f"{kind}:{number}", "title": "Cups", "text": text + kind}]}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    answers, found = tmp_path / "answers.json", tmp_path / "documents.json"
    answers.write_text(json.dumps([answer(number) for number in range(10)]))
    sets = {kind: [documents(number, kind) for number in range(10)] for kind in ("webgpt", "bing", "human", "random")}
    found.write_text(json.dumps(sets))
    return answers, found


@pytest.fixture
def dataset(files: tuple[Path, Path], tmp_path: Path) -> str:
    write_questions(*files, tmp_path / "eli5_web_questions.jsonl")
    return f"qa:{tmp_path / 'eli5_web_questions.jsonl'}"


def test_questions_get_the_documents_that_were_found_for_them(dataset: str) -> None:
    questions = list(open_dataset(dataset))
    assert len(questions) == 10
    assert [passage.id for passage in questions[3].evidence] == ["webgpt:3", "bing:3", "human:3"]
    assert questions[3].meta["answers"]["gpt3"] == "It is silver."


def test_the_joined_questions_can_be_imported_under_a_name(files: tuple[Path, Path], expound_home: Path) -> None:
    arguments = [f"webgpt:{files[0]}", "--evidence", str(files[1]), "--name", "web"]
    assert execute(["--quiet", "datasets", "import", *arguments]) == 0
    assert len(next(iter(open_dataset("web"))).evidence) == 3
    with pytest.raises(UserError, match="layout webgpt, not qa"):
        import_with_evidence("web", files[1])


def test_documents_of_another_kind_and_missing_ones_are_named(files: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not hold WebGPT's documents"):
        write_questions(files[0], files[0], tmp_path / "out.jsonl")
    files[1].write_text(json.dumps({"webgpt": [], "bing": [], "human": []}))
    with pytest.raises(BadInput, match="no documents for the question '0'"):
        write_questions(*files, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_overlap_is_the_share_of_the_answer_in_the_support_document() -> None:
    question = Question("q", "Why does it shine?", ("Silver does shine.",), evidence=(Passage("p", "They shine."),))
    assert overlap(question) == pytest.approx(100 / 3)


def figure7(dataset: str, out: Path, limit: int = 0) -> tuple[Finding, ...]:
    return measure(eli5_figure7.RECIPE, Ingredients(dataset=dataset, out=out, limit=limit)).findings


def number(values: Mapping[str, object], name: str) -> WithInterval:
    value = values[name]
    assert isinstance(value, WithInterval)
    return value


def test_figure_7_has_a_row_a_fifth_and_a_line_a_system(dataset: str, tmp_path: Path) -> None:
    findings = figure7(dataset, tmp_path / "out")
    assert [item.row.name for item in findings] == ["0–20 %", "20–40 %", "40–60 %", "60–80 %", "80–100 %"]
    assert set(findings[0].values) == {"extractive (TF-IDF)", "extractive (reader)", *GIVEN_ANSWERS.values()}
    first, last = (number(findings[place].values, "extractive (TF-IDF)") for place in (0, -1))
    assert (first.n, last.n) == (2, 2)
    assert first.value < last.value


def test_figure_7_has_a_line_for_a_trained_writer(dataset: str, tmp_path: Path) -> None:
    for library in ("torch", "transformers", "peft"):
        pytest.importorskip(library)
    kind = new_kind(tmp_path / "base", shape="seq2seq", k=1, tasks=TASKS)
    kind.export(kind.new_model(), tmp_path / "run", {})
    given = Ingredients(dataset=dataset, out=tmp_path / "out", limit=5, writer=str(tmp_path / "run" / "model"))
    findings = measure(eli5_figure7.RECIPE, given).findings
    assert sum(number(item.values, eli5_figure7.WRITER).n for item in findings) == 5
    with pytest.raises(UserError):
        measure(eli5_figure7.RECIPE, replace(given, writer=str(tmp_path / "none")))


def test_figure_7_respects_the_limit(dataset: str, tmp_path: Path) -> None:
    findings = figure7(dataset, tmp_path / "out", limit=3)
    assert sum(number(item.values, "extractive (TF-IDF)").n for item in findings) == 3


def test_figure_7_leaves_out_a_reference_that_has_no_score(files: tuple[Path, Path], tmp_path: Path) -> None:
    rows = [answer(number) for number in range(10)]
    rows[4]["human_answer"] = "..."
    files[0].write_text(json.dumps(rows))
    write_questions(*files, tmp_path / "questions.jsonl")
    findings = figure7(f"qa:{tmp_path / 'questions.jsonl'}", tmp_path / "out")
    assert sum(number(item.values, "extractive (TF-IDF)").n for item in findings) == 9


def test_a_passage_has_the_rank_of_its_best_sentence() -> None:
    text = "Nothing here. Red sun. Cold rain. Far away. Red cup of gold."
    ranks = passage_ranks(Question("q", "red cup gold", evidence=(Passage("p", text),)))
    assert ranks == {"Red cup of gold.": 0.5, "Far away.": 0.5, "Red sun.": 1, "Nothing here.": 1, "Cold rain.": 1}


def test_figure_8_shares_out_all_oracle_sentences() -> None:
    found = {row.name: run_stretch([[0.02, 0.5], [0.9, 2.0]], row) for row in eli5_figure8.RECIPE.rows}
    shares = {name: number(values, SENTENCES).value for name, values in found.items()}
    assert shares == {
        "first 4 %": 25, "0–20 %": 25, "20–40 %": 0, "40–60 %": 25, "60–80 %": 0, "80–100 %": 25, "in no passage": 25,
    }  # fmt: skip
    highest = [number(values, HIGHEST).value for values in found.values() if HIGHEST in values]
    assert highest == [0, 0, 50, 0, 50]


def test_figure_8_can_be_measured_and_drawn(dataset: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "ranks.png"
    given = Ingredients(dataset=dataset, limit=4, out=tmp_path / "out", plot=picture)
    done = measure(eli5_figure8.RECIPE, given)
    assert max(number(item.values, SENTENCES).n for item in done.findings) <= 4
    assert done.tables()[0][1][0][:2] == ["first 4 %", "9.0"]
    assert picture.stat().st_size > 1000


def test_the_table_over_web_documents_is_measured(dataset: str, tmp_path: Path) -> None:
    findings = measure(WEB_RECIPE, Ingredients(dataset=dataset, train=dataset, limit=2, out=tmp_path / "out")).findings
    values = {item.row.name: number(item.values, "rouge_1").value for item in findings if item.values}
    assert values["oracle web sources"] >= values["extractive (TF-IDF)"] > 0


def test_a_reader_of_ones_own_has_a_row_that_asks_for_it(dataset: str, tmp_path: Path) -> None:
    findings = measure(WEB_RECIPE, Ingredients(dataset=dataset, train=dataset, limit=1, out=tmp_path / "out")).findings
    [row] = [item for item in findings if item.row.name == "extractive reader, trained on best spans"]
    assert not row.values
    assert "--sentences FILE" in row.row.why
    assert row.row.published["rouge_1"] == 23.5


@pytest.mark.parametrize("table", [eli5_figure7.SYSTEMS, eli5_figure8.SYSTEMS], ids=lambda table: table.name)
def test_every_system_of_a_figure_exists(table: SystemTable) -> None:
    for row in table.rows:
        assert plugins.load("answer", plugins.parse(row.how.answer).name)


def test_questions_with_documents_are_found_in_a_folder(dataset: str, tmp_path: Path) -> None:
    assert find_dataset(tmp_path, "eli5-web") == dataset
