"""`expound score` and `expound compare`: official layouts in, tables and JSON out, one line for what is wrong."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from commands import Capture, as_json, fail, succeed
from expound.cli import execute
from expound.cli.score_screen import print_comparisons
from expound.cli.screen import TableFormat
from expound.records import prediction_record
from expound.score import rouge
from expound.text import punkt
from expound.types import Answer, Comparison, Prediction

ASQA = {
    "dev": {
        str(number): {
            "ambiguous_question": f"Who won cup {number}?",
            "qa_pairs": [
                {"question": f"Who won cup {number} in 1990?", "short_answers": [f"Ann{number}x"]},
                {"question": f"Who won cup {number} in 1991?", "short_answers": [f"Bo{number}x", f"B{number}x"]},
            ],
            "annotations": [
                {"long_answer": f"Ann{number}x won cup {number} in 1990. Bo{number}x won it in 1991.", "knowledge": []},
                {"long_answer": f"In 1990 Ann{number}x won, then Bo{number}x.", "knowledge": []},
            ],
        }
        for number in range(6)
    }
}
GOOD = {id: f"Ann{id}x won cup {id} in 1990. Later Bo{id}x won it." for id in ASQA["dev"]}
POOR = {id: f"Ann{id}x won the cup." if int(id) < 5 else f"Bo{id}x and Ann{id}x won." for id in ASQA["dev"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in (("dev.json", ASQA), ("good.json", GOOD), ("poor.json", POOR)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


RULES = ("--dataset", "asqa:dev.json", "--splitter", "rules")


def test_json_has_every_number_with_interval_and_signature(folder: Path, capsys: Capture) -> None:
    record = as_json(capsys, "score", "good.json", *RULES)
    assert (record["n"], record["missing"]) == (6, 0)
    assert [item["metric"] for item in record["results"]] == [
        "length", "rouge_1", "rouge_2", "rouge_l", "rouge_lsum", "str_em",
    ]  # fmt: skip
    for item in record["results"]:
        assert set(item) == {"metric", "value", "low", "high", "n", "signature", "per_question"}
        assert item["low"] <= item["value"] + 1e-9
        assert item["value"] <= item["high"] + 1e-9
        assert item["value"] == pytest.approx(sum(item["per_question"].values()) / 6)
    assert "splitter:rules" in record["results"][4]["signature"]
    assert record["results"][5]["value"] == 100


def test_values_per_question_can_be_left_out(folder: Path, capsys: Capture) -> None:
    record = as_json(capsys, "score", "good.json", *RULES, "--no-per-question")
    assert all("per_question" not in item for item in record["results"])


def test_the_table_shows_every_metric(folder: Path, capsys: Capture) -> None:
    out = succeed(capsys, "score", "poor.json", *RULES)
    for part in ("metric", "str_em", "58.33", "rouge_lsum|profile:asqa"):
        assert part in out


def test_tables_can_be_pasted(folder: Path, capsys: Capture) -> None:
    rows = list(csv.DictReader(io.StringIO(succeed(capsys, "score", "poor.json", *RULES, "--format", "csv"))))
    assert float(rows[-1]["value"]) == pytest.approx(100 * 3.5 / 6)
    assert r"str\_em" in succeed(capsys, "score", "poor.json", *RULES, "--format", "latex")
    assert "| str_em | 58.33 |" in succeed(capsys, "score", "poor.json", *RULES, "--format", "markdown")


def test_short_answers_add_the_reading_metrics_and_dr(folder: Path, capsys: Capture) -> None:
    said = {f"{id}_{index}": f"{name}{id}x" for id in ASQA["dev"] for index, name in enumerate(("Ann", "nobody"))}
    (folder / "short.json").write_text(json.dumps(said))
    record = as_json(capsys, "score", "good.json", *RULES, "--short-answers", "short.json")
    values = {item["metric"]: item["value"] for item in record["results"]}
    assert (values["qa_em"], values["qa_f1"], values["qa_hit"]) == (50, 50, 0)
    assert values["dr"] == pytest.approx((50 * values["rouge_lsum"]) ** 0.5)


def test_people_can_be_scored_against_each_other(folder: Path, capsys: Capture) -> None:
    record = as_json(capsys, "score", *RULES, "--protocol", "human")
    values = {item["metric"]: item["value"] for item in record["results"]}
    assert values["str_em"] == 100
    assert values["length"] == pytest.approx((11 + 6) / 2)


def test_the_official_aggregate_has_its_own_signature(folder: Path, capsys: Capture) -> None:
    plain = as_json(capsys, "score", "poor.json", *RULES)["results"][4]
    official = as_json(capsys, "score", "poor.json", *RULES, "--official-aggregate", "0")["results"][4]
    assert official["value"] == pytest.approx(plain["value"], abs=5)
    assert "aggregate:official-0" in official["signature"]


def test_a_metric_can_be_picked_by_name_or_spec(folder: Path, capsys: Capture) -> None:
    record = as_json(capsys, "score", "good.json", *RULES, "-m", "str_em", "-m", "Rouge(kind='2')")
    assert [item["metric"] for item in record["results"]] == ["str_em", "rouge_2"]
    assert "no metric named 'rogue'" in fail(capsys, "score", "good.json", *RULES, "-m", "rogue")


def test_a_partial_file_is_refused_and_can_be_allowed(folder: Path, capsys: Capture) -> None:
    (folder / "some.json").write_text(json.dumps({id: text for id, text in GOOD.items() if id != "3"} | {"99": "x"}))
    assert "some.json: 1 of 6 questions have no prediction: 3" in fail(capsys, "score", "some.json", *RULES)
    record = as_json(capsys, "score", "some.json", *RULES, "--allow-missing")
    assert (record["n"], record["missing"]) == (5, 2)
    assert record["missing_ids"] == {"predictions": ["3"], "questions": ["99"]}
    assert all("missing:2" in item["signature"] for item in record["results"])
    assert execute(["score", "some.json", *RULES, "--allow-missing"]) == 0
    out, err = capsys.readouterr()
    assert "missing" in out.splitlines()[0]
    assert "questions without a prediction, not scored: 3" in err


def test_several_processes_give_the_same_numbers(folder: Path, capsys: Capture) -> None:
    one = as_json(capsys, "score", "good.json", *RULES)
    assert as_json(capsys, "score", "good.json", *RULES, "--jobs", "2") == one


def test_our_own_records_and_gzip_are_read(folder: Path, capsys: Capture) -> None:
    lines = [json.dumps(prediction_record(Prediction(id, "", "x", Answer(text)))) for id, text in GOOD.items()]
    (folder / "records.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    assert as_json(capsys, "score", "records.jsonl.gz", *RULES) == as_json(capsys, "score", "good.json", *RULES)


def test_systems_are_compared_in_pairs(folder: Path, capsys: Capture) -> None:
    found = as_json(capsys, "compare", "good.json", "poor.json", *RULES, "--samples", "200")
    exact = next(item for item in found if item["metric"] == "str_em")
    assert (exact["a"], exact["b"], exact["wins"], exact["ties"], exact["losses"]) == ("good", "poor", 5, 1, 0)
    assert exact["difference"] == pytest.approx(100 * 2.5 / 6)
    out = succeed(capsys, "compare", "good.json", "poor.json", *RULES, "--samples", "200")
    assert out.startswith("A: good\nB: poor\n")
    assert "A 100.00, B 58.33" in out
    assert "two or more" in fail(capsys, "compare", "good.json", *RULES)


SURE = Comparison(
    "str_em", "good", "poor", 90.0, 60.0, 30.0, 25.0, 35.0, 0.00004, 0.00008, 70, 20, 10, 100, 0, "str_em|v:1"
)


@pytest.mark.parametrize(
    ("format", "shown"),
    [
        (TableFormat.text, " < 0.0001 "),
        (TableFormat.latex, "& $<$ 0.0001 & $<$ 0.0001 &"),
        (TableFormat.markdown, "| < 0.0001 | < 0.0001 |"),
        (TableFormat.csv, ",4e-05,8e-05,"),
    ],
)
def test_a_small_p_value_is_not_zero_in_any_table(capsys: Capture, format: TableFormat, shown: str) -> None:
    print_comparisons([SURE], format)
    assert shown in capsys.readouterr().out


def test_systems_are_compared_by_what_a_reader_read_off_their_answers(folder: Path, capsys: Capture) -> None:
    for name, right in (("good", 6), ("poor", 2)):
        read = {f"{id}_{n}": (f"Ann{id}x", f"Bo{id}x")[n] if int(id) < right else "no" for id in GOOD for n in (0, 1)}
        (folder / f"{name}-short.json").write_text(json.dumps(read))
    words = ("compare", "good.json", "poor.json", *RULES, "--samples", "200", "--short-answers", "good-short.json")
    found = {item["metric"]: item for item in as_json(capsys, *words, "--short-answers", "poor-short.json")}
    assert {"qa_em", "qa_f1", "qa_hit", "dr"} <= found.keys()
    assert (found["qa_em"]["a_value"], found["qa_em"]["b_value"]) == pytest.approx((100, 100 / 3))
    assert "2 systems, and --short-answers for 1: give it once a system" in fail(capsys, *words)


def test_many_missing_ids_are_told_by_the_first(folder: Path, capsys: Capture) -> None:
    questions = {f"q{n}": ASQA["dev"]["0"] for n in range(140)}
    (folder / "many.json").write_text(json.dumps({"dev": questions}))
    (folder / "few.json").write_text(json.dumps({f"q{n}": GOOD["0"] for n in range(8)}))
    words = ["score", "few.json", "-d", "asqa:many.json", "--splitter", "rules", "--allow-missing"]
    assert execute(words) == 0
    err = capsys.readouterr().err
    assert "132 questions without a prediction, not scored: q8, q9, q10, q11, q12, … (--json names all)" in err
    assert len(as_json(capsys, *words)["missing_ids"]["predictions"]) == 132


def test_the_signature_tells_the_protocol(folder: Path, capsys: Capture) -> None:
    [result] = as_json(capsys, "score", "good.json", *RULES, "-m", "rouge_lsum", "--protocol", "oracle")["results"]
    assert "|protocol:oracle|refs:1|" in result["signature"]


def test_a_picked_metric_still_needs_fitting_data(folder: Path, capsys: Capture) -> None:
    (folder / "lists.json").write_text(json.dumps({**GOOD, "3": ["a", "b"]}))
    assert "prediction for '3' is a list" in fail(capsys, "score", "lists.json", *RULES, "-m", "str_em")
    wrong = fail(capsys, "score", "good.json", "-d", "asqa:dev.json", "-p", "kilt", "-m", "em")
    assert "profiles that fit it: answer-only, asqa" in wrong
    assert "--short-answers" in fail(capsys, "score", "good.json", *RULES, "-m", "dr")


def test_what_a_comparison_leaves_out_is_counted(folder: Path, capsys: Capture) -> None:
    (folder / "some.json").write_text(json.dumps({id: text for id, text in GOOD.items() if id != "3"}))
    assert "some.json: 1 of 6 questions" in fail(capsys, "compare", "good.json", "some.json", *RULES)
    [found] = as_json(capsys, "compare", "good.json", "some.json", *RULES, "-m", "str_em", "--allow-missing")
    assert (found["n"], found["missing"]) == (5, 1)
    assert "|missing:1|n:5|" in found["signature"]


def test_seeds_and_formats_are_checked(folder: Path, capsys: Capture) -> None:
    assert "--seed" in fail(capsys, "score", "good.json", *RULES, "--seed", "-1")
    assert "--official-aggregate" in fail(capsys, "score", "good.json", *RULES, "--official-aggregate", "-1")
    assert "not both" in fail(capsys, "score", "good.json", *RULES, "--json", "--format", "csv")
    assert "rouge package" in fail(capsys, "score", "good.json", *RULES, "--rouge-package", "nope")


def test_without_punkt_the_asqa_profile_says_how_to_get_it(folder: Path, capsys: Capture) -> None:
    rouge._asqa_reading.cache_clear()
    punkt.english.cache_clear()
    assert "expound models get punkt" in fail(capsys, "score", "good.json", "--dataset", "asqa:dev.json")


PAIRS = [{"question": "Who won in 1990?", "answer": ["Ann"]}, {"question": "Who won in 1991?", "answer": ["Bo"]}]
AMBIG = [{"id": "1", "question": "Who won?", "annotations": [{"type": "multipleQAs", "qaPairs": PAIRS}]}]


@pytest.mark.parametrize(
    ("answers", "names"),
    [
        (["Ann"], ["f1_answer", "f1_answer_multi"]),
        ("Ann", ["f1_answer", "f1_answer_multi"]),
        (
            [{"question": "Who won in 1990?", "answer": "Ann"}],
            ["f1_answer", "f1_answer_multi", "f1_bleu1", "f1_bleu2", "f1_bleu3", "f1_bleu4", "f1_edit_f1"],
        ),
    ],
)
def test_ambigqa_scores_answers_and_questions(folder: Path, capsys: Capture, answers: Any, names: list[str]) -> None:
    (folder / "ambig.json").write_text(json.dumps(AMBIG))
    (folder / "said.json").write_text(json.dumps({"1": answers}))
    record = as_json(capsys, "score", "said.json", "--dataset", "ambignq:ambig.json")
    assert [item["metric"] for item in record["results"]] == names
    assert record["results"][0]["value"] == pytest.approx(100 * 2 / 3)


def test_kilt_scores_answers_and_pages(folder: Path, capsys: Capture) -> None:
    output = [{"answer": "It is so.", "provenance": [{"wikipedia_id": "12"}]}]
    (folder / "gold.jsonl").write_text(json.dumps({"id": "1", "input": "Why?", "output": output}))
    (folder / "guess.jsonl").write_text(json.dumps({"id": "1", "output": output}))
    record = as_json(capsys, "score", "guess.jsonl", "--dataset", "kilt:gold.jsonl", "--k", "5")
    values = {item["metric"]: item["value"] for item in record["results"]}
    assert list(values) == [
        "accuracy", "em", "f1", "rouge_l", "kilt_accuracy", "kilt_em", "kilt_f1", "kilt_rouge_l",
        "r_precision", "recall@5", "precision@5", "success@5",
    ]  # fmt: skip
    assert values["kilt_rouge_l"] == pytest.approx(100, abs=1e-5)
    assert values["precision@5"] == 20


WRONG: list[tuple[list[str], str]] = [
    (["score", "good.json", "--dataset", "asqa:dev.json", "--profile", "kilt"], "kilt needs provenance"),
    (["score", "good.json", "--dataset", "asqa:dev.json", "--profile", "squad2"], "squad2 needs"),
    (["score", "good.json", "--dataset", "asqa:dev.json", "--profile", "asq"], "no profile named 'asq'"),
    (["score", "good.json", "--dataset", "kilt:dev.json"], "not in the layout kilt"),
    (["score", "none.json", *RULES], "no such file: none.json"),
    (["score", *RULES], "which predictions?"),
    (["score", "good.json", *RULES, "--protocol", "human"], "leave the predictions out"),
    (["score", "good.json", *RULES, "--splitter", "magic"], "magic"),
    (["score", "good.json", "--dataset", "kilt:dev.json", "--rouge-package", "9"], "9"),
    (["score", "lists.json", *RULES], "the prediction for '0' is a list of answers"),
    (["score", "other.json", *RULES], "no prediction has the id of a question"),
    (["compare", "good.json", "good.json", *RULES], "named twice"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_mistake_is_one_clear_line(folder: Path, capsys: Capture, arguments: list[str], message: str) -> None:
    (folder / "lists.json").write_text(json.dumps({id: ["a", "b"] for id in GOOD}))
    (folder / "other.json").write_text(json.dumps({f"x{id}": "a" for id in GOOD}))
    assert message in fail(capsys, *arguments)
