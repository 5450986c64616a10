"""Tables of the controls: small made-up files give the rows that can be checked by hand; real ones, the findings."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from expound.cli import execute
from expound.errors import BadInput, UserError
from expound.recipes.catalogue import find_recipe
from expound.recipes.hurdles_answers import ANSWER_SETS, EXCHANGES, read_documents
from expound.recipes.hurdles_paraphrase import PAIRS as LABELLED
from expound.recipes.hurdles_table11 import inputs_of, read_questions
from expound.recipes.printing import Sheet
from expound.recipes.shape import Ingredients, measure
from expound.testing import write_jsonl
from golden import SHARED

ELI5 = SHARED / "data" / "eli5"
TEXT = "The nerve net of a jellyfish carries signals through its body."


def measured(name: str, files: Sequence[Path]) -> Sheet:
    """The table that a recipe prints."""
    [sheet] = measure(find_recipe(name), Ingredients(files=tuple(files))).tables()
    return sheet


def webgpt_files(folder: Path) -> list[Path]:
    """Twelve questions; answers with documents quote them, all others say something else."""
    systems = {answers.answers for answers in ANSWER_SETS} - {"human"}
    rows, documents = [], []
    for number in range(12):
        said = {
            f"{name}_answer": f"{TEXT} {number}." if "doc" in name and "rand" not in name else "It is unclear."
            for name in systems
        }
        rows.append(
            {"question_id": number, "question": "How do they work?", "human_answer": f"{TEXT} {number}.", **said}
        )
        documents.append({"question_id": number, "docs": [{"doc_id": "d", "text": f"{TEXT} {number}."}]})
    other = [{**row, "docs": [{"doc_id": "r", "text": "Paris is a city."}]} for row in documents]
    answers, found = folder / "answers.json", folder / "documents.json"
    answers.write_text(json.dumps(rows))
    found.write_text(json.dumps({"webgpt": documents, "bing": documents, "human": documents, "random": other}))
    return [answers, found]


def test_overlap_has_a_row_for_every_system(tmp_path: Path) -> None:
    columns, rows = measured("hurdles-tables-2-4", webgpt_files(tmp_path))
    table = {str(row[0]): dict(zip(columns, row, strict=True)) for row in rows}
    assert list(table) == [answers.name for answers in ANSWER_SETS]
    assert str(table["GPT-3, WebGPT's documents"]["2-g in documents"]).startswith("100.0")
    assert str(table["GPT-3, random documents"]["2-g in documents"]).startswith("0.0")


def test_content_words_by_rules_are_always_there_and_by_spacy_where_it_is(tmp_path: Path) -> None:
    columns, rows = measured("hurdles-table4", webgpt_files(tmp_path))
    assert [name for name in columns if "spaCy" not in name] == [
        "answers", "in question, rules", "in documents, rules", "in random, rules",
    ]  # fmt: skip
    table = {row[0]: dict(zip(columns, row, strict=True)) for row in rows}
    assert str(table["WebGPT"]["in documents, rules"]).startswith("0.0")
    assert str(table["GPT-3, WebGPT's documents"]["in documents, rules"]).startswith("100.0")


def test_what_random_documents_cost_has_its_sign(tmp_path: Path) -> None:
    columns, rows = measured("hurdles-random-documents", webgpt_files(tmp_path))
    assert len(rows) == len(EXCHANGES)
    assert all(float(str(row[columns.index("content")]).split(" ")[0]) > 50 for row in rows)


def test_documents_of_another_shape_are_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"webgpt": [{"question_id": 1}]}')
    with pytest.raises(BadInput, match="does not hold documents"):
        read_documents(bad)


def test_missing_kinds_of_documents_and_missing_questions_are_told(tmp_path: Path) -> None:
    answers, documents = webgpt_files(tmp_path)
    documents.write_text('{"webgpt": [], "human": []}')
    with pytest.raises(BadInput, match="no documents of the kind bing, random"):
        measured("hurdles-table4", [answers, documents])
    answers.write_text("[]")
    with pytest.raises(BadInput, match="has no questions"):
        measured("hurdles-table4", [answers, documents])


def test_the_number_of_files_is_checked(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs 2 files: the answers of the 12 systems, their documents"):
        measured("hurdles-tables-2-4", [tmp_path])


def test_the_longest_reference_is_cut_and_scored_against_the_others(tmp_path: Path) -> None:
    rows = [{"input": f"Why {n}?", "outputs": ["one two three four", "one two", f"five {n}"]} for n in range(3)]
    file = write_jsonl(tmp_path / "questions.jsonl", [*rows, {"input": "Why?", "outputs": ["alone"]}])
    inputs = inputs_of(read_questions(file))
    assert len(inputs.questions) == 3  # one reference cannot be scored against others
    assert inputs.questions[0].references == ("one two", "five 0")
    _, table = measured("hurdles-table11", [file])
    assert [row[0] for row in table] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0]
    assert str(table[4][3]).startswith("100.0")  # half of it is the second reference


def test_questions_of_one_file_are_found_in_the_other(tmp_path: Path) -> None:
    def row(id: str, title: str) -> dict[str, object]:
        return {"q_id": id, "title": title, "selftext": "", "answers": {"text": ["x"], "score": [1]}}

    asked = ["Why is the sky blue?", "How do magnets attract iron?"]
    one = write_jsonl(tmp_path / "one.jsonl", [row(f"a{n}", title) for n, title in enumerate(asked)])
    other = write_jsonl(tmp_path / "other.jsonl", [row("b1", "Why is the sky so blue?"), row("b2", "Who won?")])
    _, table = measured("hurdles-table5", [one, other])
    assert str(table[0][2]).startswith("50.0")


def test_labelled_pairs_are_ids_and_labels_only() -> None:
    pairs = json.loads(LABELLED.read_text())["pairs"]
    assert len(pairs) == 124
    assert {label for *_, label in pairs} == {0, 1, 2}
    assert all(len(first) < 8 and len(second) < 8 for first, second, *_ in pairs)


@pytest.mark.slow
def test_on_real_questions_half_of_the_words_have_the_whole_score(capsys: pytest.CaptureFixture[str]) -> None:
    file = ELI5 / "eli5_waterbench_multi_reference_200.jsonl.gz"
    if not file.exists():
        pytest.skip("needs ../shared/data/eli5")
    assert execute(["--quiet", "recipe", "hurdles-table11", str(file), "--format", "csv"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    cut = {float(row[0]): float(row[3].split(" ")[0]) for row in rows}
    assert cut[0.1] == pytest.approx(17.7, abs=0.05)
    assert cut[0.5] == pytest.approx(23.1, abs=0.05)
    assert cut[1.0] == pytest.approx(22.8, abs=0.05)


@pytest.mark.slow
def test_on_real_answers_rouge_does_not_see_random_documents_and_content_does() -> None:
    files = [
        ELI5 / "eli5_webgpt_questions_answers_12_systems_271.json.gz",
        ELI5 / "eli5_webgpt_questions_evidence_docs_271.json.gz",
    ]
    if not all(file.exists() for file in files):
        pytest.skip("needs ../shared/data/eli5")
    assert len(json.loads(gzip.decompress(files[0].read_bytes()))) == 271
    _, rows = measured("hurdles-random-documents", files)
    rouge, content = (str(rows[0][column]).split(" ")[0] for column in (1, 4))
    assert abs(float(rouge)) < 1 < 30 < float(content)
