"""Recipes over documents: files are written as they are, answers are judged, baselines stand beside them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from expound.cli import execute
from expound.datasets.document_parts import TRAINED_ON, part_of
from expound.errors import UserError
from expound.recipes import documents_qa, real_documents_recipe
from expound.recipes.document_answers import SYSTEMS, Outcome, Trial, mean_words, within
from expound.recipes.document_table import ALL
from expound.recipes.documents_qa import GoldSentences, ask_set, file_name, sample, without_questions
from expound.recipes.real_documents_recipe import Keys, ask_suite
from expound.recipes.shape import Ingredients, measure
from expound.score.debris import AnswerPiece

MANUAL = """# Kettle manual

## Boiling water
The kettle boils one litre of water in three minutes. It stops when the water boils.

```
kettle --boil --litres 1
```

## Descaling
Descale the kettle every month with vinegar, because lime shortens its life.
"""
HEADED = "# FAQ\n\n### Why is my tea bitter?\n\nTea is bitter because the water was too hot.\n"


def _write(file: Path, records: list[dict[str, Any]]) -> None:
    with gzip.open(file, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record) + "\n" for record in records)


def _question(number: int, text: str, document: str, gold: list[str] | None) -> dict[str, Any]:
    return {
        "id": f"toy-{number}",
        "question": text,
        "kind": "why" if text.startswith("Why") else "value",
        "documents": [{"id": document}],
        "gold_sentences": gold,
        "answer": None,
        "short_answers": None,
        "meta": {},
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    start = HEADED.index("###")
    spans = [[start, HEADED.index("\n", start) + 1]]
    documents: list[dict[str, Any]] = [
        {"id": "toy/kettle.md", "title": "Kettle", "text": MANUAL},
        {"id": "toy/faq.yml", "title": "FAQ", "text": HEADED, "question_heading_spans": spans},
    ]
    questions = [
        _question(
            1,
            "How long does the kettle take to boil a litre of water?",
            "toy/kettle.md",
            ["The kettle boils one litre of water in three minutes."],
        ),
        _question(2, "Why is my tea bitter?", "toy/faq.yml", ["Tea is bitter because the water was too hot."]),
        _question(3, "Why is there no gold?", "toy/faq.yml", None),
    ]
    _write(folder / "toy.jsonl.gz", questions)
    _write(folder / "toy_documents.jsonl.gz", documents)
    return folder


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "collections.toml").write_text('[kettle]\nhalf = "choose"\n[oven]\nhalf = "decide"\n')
    records = [
        ("k1", "kettle", "How long does the kettle take to boil a litre of water?", True, ["three  ?minutes"]),
        ("k2", "kettle", "Who won the football cup of Peru in 1931?", False, []),
        ("o1", "oven", "How hot does the oven get?", True, ["250"]),
    ]
    lines = [
        {"id": id, "collection": name, "question": text, "kind": "value", "answerable": answerable, "keys": keys}
        for id, name, text, answerable, keys in records
    ]
    (folder / "questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "documents" / "kettle").mkdir(parents=True)
    (folder / "documents" / "kettle" / "manual.md").write_text(MANUAL)
    return folder


def toy(data: Path, half: str = "all") -> Ingredients:
    return Ingredients(data=data, set_name="toy", half=half)


def kettles(suite: Path, half: str = "all", *only: str) -> Ingredients:
    return Ingredients(data=suite / "documents", suite=suite, half=half, collections=only)


def overall(records: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of every system on all questions."""
    return {record["system"]: record["figures"] for record in records if record["by"] == ALL}


def test_every_system_is_measured_on_all_questions_and_on_every_kind(data: Path) -> None:
    done = measure(documents_qa.RECIPE, toy(data))
    rows = done.record()
    assert {(row["group"], row["system"]) for row in rows} == {(g, s) for g in (ALL, "value", "why") for s in SYSTEMS}
    assert overall(rows)["first passage"]["good"]["value"] == 100
    assert overall(rows)["first passage"]["silent"]["value"] == 0
    json.dumps(rows, allow_nan=False)
    assert done.markdown().startswith("### documents-qa, toy (all)\n")
    assert "| first passage | 2 | 100.0" in done.markdown()


def test_a_question_without_gold_is_not_asked(data: Path) -> None:
    assert [item.trial.id for item in ask_set(toy(data))] == ["toy-1", "toy-2"]


def test_the_headings_that_are_questions_do_not_reach_the_files(data: Path, expound_home: Path) -> None:
    ask_set(toy(data))
    folder = expound_home / "recipes" / "documents-qa" / "toy"
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    assert files == ["toy/faq.md", "toy/kettle.md"]
    assert "Why is my tea bitter" not in (folder / "toy" / "faq.md").read_text()


def test_spans_are_cut_out_of_the_text() -> None:
    assert without_questions({"text": "abcdef", "question_heading_spans": [[0, 1], [3, 5]]}) == "bcf"


@pytest.mark.parametrize(
    ("identifier", "text", "name"),
    [
        ("a/b/faq.md", "x", "a/b/faq.md"),
        ("a/.hidden/faq.txt", "x", "a/hidden/faq.txt"),
        ("a/faq.yml", "x", "a/faq.md"),
        ("policy/site.com", "plain", "policy/site.com.txt"),
        ("tables/7", "| a | b |\n| 1 | 2 |", "tables/7.md"),
        ("gov/https://www.gov.uk/tax", "plain", "gov/https/www.gov.uk/tax.txt"),
    ],
)
def test_a_file_keeps_its_own_suffix_or_gets_one_that_fits(identifier: str, text: str, name: str) -> None:
    assert file_name(identifier, text) == name


def test_an_unknown_set_names_those_that_are_there(data: Path) -> None:
    with pytest.raises(UserError, match="it has: toy"):
        ask_set(Ingredients(data=data, set_name="toys"))


def test_an_unknown_half_is_refused(data: Path, suite: Path) -> None:
    with pytest.raises(UserError, match="--half"):
        ask_set(toy(data, "other"))
    with pytest.raises(UserError, match="--half"):
        ask_suite(kettles(suite, "other"))


def test_six_tenths_of_the_first_two_sentences_make_a_good_answer() -> None:
    gold = GoldSentences(("Tea tastes bitter.", "Hot water burns leaves.", "Background says something else."))
    assert gold.is_good("Tea tastes bitter, and hot water does it.")
    assert not gold.is_good("Tea and hot water.")
    assert gold.recall("Background says something else.") < 0.5


def test_a_direct_answer_is_right_if_the_gold_has_it() -> None:
    gold = GoldSentences(("It takes three minutes.",))
    assert gold.names("three minutes", "")
    assert not gold.names("four minutes", "")
    assert not gold.names("minute", "")
    assert GoldSentences(("It is blue or red.",), ("blue",)).names("Blue.", "")
    assert not GoldSentences(("It is blue or red.",), ("blue",)).names("red", "")


def test_all_keys_make_a_good_answer_whatever_the_white_space() -> None:
    keys = Keys(("three minutes", "one (litre|liter)"))
    assert keys.is_good("One liter boils in three\n   minutes.")
    assert not keys.is_good("It boils in three minutes.")
    assert keys.recall("It boils in three minutes.") == 0.5
    assert keys.names("three minutes", "")
    assert not keys.names("four minutes", "It boils in three minutes.")


def test_a_direct_answer_may_be_part_of_what_a_key_finds() -> None:
    assert Keys(("default is \\d+ seconds",)).names("25 seconds", "The default is 25 seconds.")


def test_the_suite_asks_its_half_and_counts_refusals(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # An installed text model is not asked: the figures must not depend on the machine.
    monkeypatch.setenv("EXPOUND_ENDPOINT", "http://127.0.0.1:9/v1#nobody")
    rows = overall(measure(real_documents_recipe.RECIPE, kettles(suite, "choose")).record())
    assert rows["answer"]["good"]["n"] == 1
    assert rows["answer"]["refused"]["n"] == 1
    assert rows["answer"]["refused"]["value"] == 100
    assert rows["first passage"]["refused"]["value"] == 0  # a baseline refuses nothing


def test_one_collection_can_be_asked_alone(suite: Path) -> None:
    assert [item.trial.id for item in ask_suite(kettles(suite, "all", "kettle"))] == ["k1", "k2"]
    with pytest.raises(UserError, match="no collection 'oven' in this half"):
        ask_suite(kettles(suite, "choose", "oven"))


def test_a_folder_without_a_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no collections\.toml"):
        ask_suite(Ingredients(data=tmp_path, suite=tmp_path))


def test_documents_that_were_not_fetched_are_named(suite: Path) -> None:
    with pytest.raises(UserError, match="no documents of oven"):
        ask_suite(kettles(suite))


def test_passages_are_cut_at_a_sentence_and_code_at_a_line() -> None:
    pieces = [AnswerPiece("One two three."), AnswerPiece("a b\nc d\ne f", "code"), AnswerPiece("Four five six.")]
    assert [piece.text for piece in within(pieces, 6)] == ["One two three.", "a b", "c d"]
    assert [piece.text for piece in within(pieces, 1)] == ["One two three."]


def test_silent_answers_have_no_length() -> None:
    silent = Outcome(is_answerable=True, is_silent=True, is_good=False, recall=0, words=0, prose_words=0)
    given = Outcome(is_answerable=True, is_silent=False, is_good=True, recall=1, words=10, prose_words=8)
    assert mean_words([silent, given]) == 10


def test_a_sample_is_the_same_every_time() -> None:
    trials = [Trial(id=str(number), question="?", kind="why", group="all", judge=None) for number in range(20)]
    assert sample(trials, 5) == sample(trials, 5)
    assert len(sample(trials, 5)) == 5
    assert sample(trials, 0) == trials


def test_the_parts_of_a_set_are_stable_and_only_what_may_train_trains() -> None:
    identifiers = [f"document/{number}" for number in range(400)]
    parts = [part_of("sosum", identifier) for identifier in identifiers]
    assert "sosum" not in TRAINED_ON
    assert set(parts) == {"choose", "decide"}
    assert 150 < parts.count("choose") < 250
    assert [part_of("covidqa", identifier) for identifier in identifiers].count("train") > 200
    assert part_of("docfaq", "django/django/docs/faq/usage.txt") == "decide"


@pytest.mark.usefixtures("embedder_files")
def test_the_commands_print_a_table_or_json_and_keep_both(
    data: Path, suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    execute(["recipe", "documents-qa", "--set", "toy", "--data", str(data), "--out", str(out)])
    assert "| first passage |" in capsys.readouterr().out
    assert {file.name for file in out.iterdir()} >= {"predictions.jsonl", "judgments.jsonl", "table.json", "table.md"}
    command = ["recipe", "real-documents", "--data", str(suite / "documents"), "--suite", str(suite)]
    execute([*command, "--half", "choose", "--json"])
    assert json.loads(capsys.readouterr().out)[0]["system"] == "answer"
