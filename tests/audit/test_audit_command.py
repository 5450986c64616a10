"""`expound audit`: verdicts on the screen, a page and a record in the folder, and clear words for bad input."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from audit import worlds
from expound.cli import execute
from expound.records import evidence_record, prediction_record, question_record
from expound.testing import write_jsonl


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A small world as files: dataset, answers with passages and with random ones, training questions."""
    made = worlds.world(tmp_path, n=15)
    inputs = worlds.audited(made, worlds.clean)
    dataset = write_jsonl(tmp_path / "dev.jsonl", [question_record(question) for question in made.questions])
    answers = write_jsonl(tmp_path / "answers.jsonl", [prediction_record(item) for item in inputs.predictions.values()])
    random = write_jsonl(tmp_path / "random.jsonl", [prediction_record(item) for item in inputs.random.values()])
    return {"dataset": f"qa:{dataset}", "answers": str(answers), "random": str(random), "train": made.train}


def run(*words: str) -> int:
    return execute(["--quiet", "audit", *words])


def test_verdicts_page_and_record_come_out(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "audit"
    words = ["--dataset", files["dataset"], "--train", files["train"], "--random", files["random"], "--no-vectors"]
    assert run(files["answers"], *words, "--out", str(out)) == 0
    assert "random-retrieval" in capsys.readouterr().out
    record = json.loads((out / "audit.json").read_text())
    assert [section["name"] for section in record["sections"]] == [
        "answers", "grounding", "overlap", "bounds", "length", "gaming", "repetition",
    ]  # fmt: skip
    page = (out / "audit.html").read_text()
    assert page.startswith("<!doctype html>")
    assert 'href="#grounding"' in page
    assert 'id="grounding"' in page
    pairs = [json.loads(line) for line in (out / "pairs.jsonl").read_text().splitlines()]
    assert {"id", "train_id", "label"} <= pairs[0].keys()


def test_json_is_the_record(files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "audit"
    assert run(files["answers"], "-d", files["dataset"], "--out", str(out), "--json", "--skip", "gaming") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((out / "audit.json").read_text())
    outcomes = {item["check"]: item["outcome"] for section in printed["sections"] for item in section["verdicts"]}
    assert outcomes["train-paraphrases"] == outcomes["random-retrieval"] == "not run"
    assert "swapped-answers" not in outcomes


def test_the_same_seed_gives_the_same_audit(files: dict[str, str], tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert (
            run(
                files["answers"],
                "-d",
                files["dataset"],
                "--train",
                files["train"],
                "--no-vectors",
                "-o",
                str(tmp_path / name),
            )
            == 0
        )
    assert (tmp_path / "a" / "audit.json").read_bytes() == (tmp_path / "b" / "audit.json").read_bytes()
    assert (tmp_path / "a" / "audit.html").read_bytes() == (tmp_path / "b" / "audit.html").read_bytes()


def test_one_question_is_audited_and_has_no_interval(files: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "audit"
    assert (
        run(files["answers"], "-d", files["dataset"], "--limit", "1", "-o", str(out), "--random", files["random"]) == 0
    )
    record = json.loads((out / "audit.json").read_text())
    verdicts = [item for section in record["sections"] for item in section["verdicts"]]
    assert {item["outcome"] for item in verdicts} == {"cannot tell", "not run"}
    assert any("One question has no interval" in item["sentence"] for item in verdicts)


def test_retrievals_of_other_questions_are_refused(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strange = write_jsonl(tmp_path / "retrieved.jsonl", [{"id": "x1", "evidence": [{"id": "p", "text": "A text."}]}])
    assert run(files["answers"], "-d", files["dataset"], "--retrievals", str(strange), "-o", str(tmp_path / "o")) == 2
    assert "retrievals for other questions: it has x1" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_missing_retrievals_are_named_unless_allowed(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = worlds.world(tmp_path, n=15)
    rows = [
        {"id": id, "evidence": [evidence_record(item) for item in items]}
        for id, items in list(made.evidence.items())[:14]
    ]
    some = write_jsonl(tmp_path / "some.jsonl", rows)
    words = (files["answers"], "-d", files["dataset"], "--retrievals", str(some), "-o", str(tmp_path / "o"))
    assert run(*words) == 2
    assert "1 of 15 questions have no retrieval, such as q14" in capsys.readouterr().err
    assert run(*words, "--allow-missing") == 0


def test_a_malformed_retrieval_names_its_line(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = write_jsonl(tmp_path / "bad.jsonl", [{"id": "q0", "evidence": []}, {"id": "q1"}])
    assert run(files["answers"], "-d", files["dataset"], "--retrievals", str(bad), "-o", str(tmp_path / "o")) == 2
    assert "bad.jsonl, line 2: not a retrieval" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "o"], "which predictions?"),
        (["{answers}", "--out", "o"], "which questions?"),
        (["{answers}", "-d", "{dataset}", "--out", "o", "--skip", "colour"], "no control named 'colour'"),
        (["{answers}", "-d", "{dataset}", "--out", "o", "--content", "x"], "no content words by 'x'"),
        (
            ["{answers}", "-d", "{dataset}", "--out", "o", "-p", "kilt", "-m", "recall@5"],
            "needs a metric of the answer's text",
        ),
        (
            ["{answers}", "-d", "{dataset}", "--out", "o", "--plan", "p.toml", "--random", "{random}"],
            "--random or --plan",
        ),
        (["nothing.jsonl", "-d", "{dataset}", "--out", "o"], "no such file: nothing.jsonl"),
        (["{answers}", "-d", "{dataset}", "--out", "o.html"], "--out is the folder"),
    ],
)
def test_mistakes_get_one_clear_line(
    words: list[str], said: str, files: dict[str, str], tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(*(word.format(**files) for word in words)) == 2
    assert said in capsys.readouterr().err


FOREIGN = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"answer": " ".join(item["text"] for item in asked["evidence"])}), flush=True)
"""


@pytest.mark.parametrize("answer", ["TopPassages(k=2)", "foreign"])
def test_a_plan_is_run_and_run_again_with_random_passages(answer: str, tmp_path: Path) -> None:
    (tmp_path / "system.py").write_text(FOREIGN)
    made = worlds.world(tmp_path, n=12)
    rows = [
        {
            **question_record(q),
            "evidence": [{"id": item.passage.id, "text": item.passage.text} for item in made.evidence[q.id]],
        }
        for q in made.questions
    ]
    dataset = write_jsonl(tmp_path / "dev.jsonl", rows)
    spec = f"Command('{sys.executable} {tmp_path / 'system.py'}')" if answer == "foreign" else answer
    plan = tmp_path / "plan.toml"
    plan.write_text(f'dataset = "qa:{dataset}"\nretrieve = "Given"\nclarify = "AsAsked"\nanswer = {json.dumps(spec)}\n')
    out = tmp_path / "audit"
    assert run("--plan", str(plan), "--out", str(out)) == 0
    verdicts = [
        item for section in json.loads((out / "audit.json").read_text())["sections"] for item in section["verdicts"]
    ]
    outcomes = {item["check"]: item["outcome"] for item in verdicts}
    assert outcomes["random-retrieval"] == outcomes["random-words"] == "pass"
    random = [json.loads(line) for line in (out / "random" / "predictions.jsonl").read_text().splitlines()]
    assert all(item["evidence"] for item in random)
    # What was answered is kept: the same command goes on, or finds all done.
    before = (out / "random" / "predictions.jsonl").stat().st_mtime_ns
    assert run("--plan", str(plan), "--out", str(out)) == 0
    assert (out / "random" / "predictions.jsonl").stat().st_mtime_ns == before


def test_a_plan_without_passages_has_no_random_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = worlds.world(tmp_path, n=12)
    dataset = write_jsonl(tmp_path / "dev.jsonl", [question_record(question) for question in made.questions])
    plan = tmp_path / "plan.toml"
    plan.write_text(f'dataset = "qa:{dataset}"\nretrieve = "Nothing"\nclarify = "AsAsked"\nanswer = "RepeatQuestion"\n')
    assert run("--plan", str(plan), "--out", str(tmp_path / "o")) == 2
    assert "two or more questions need some" in capsys.readouterr().err


def test_split_writes_both_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = worlds.world(tmp_path, n=15, leaks=True)
    dataset = write_jsonl(tmp_path / "dev.jsonl", [question_record(question) for question in made.questions])
    out = tmp_path / "split"
    words = ["split", f"qa:{dataset}", made.train, "--share", "0.3", "--no-vectors", "--out", str(out), "--json"]
    assert run(*words) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["train"] + summary["held out"] == 30
    assert len((out / "held-out.jsonl").read_text().splitlines()) == summary["held out"]


def test_the_help_shows_both_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    shown = capsys.readouterr().out
    assert "predictions" in shown
    assert "split" in shown


def test_half_characters_in_answers_do_not_stop_an_audit(files: dict[str, str], tmp_path: Path) -> None:
    lines = [json.loads(line) for line in Path(files["answers"]).read_text().splitlines()]
    lines[0]["answer"]["text"] += " \ud83d \ud83d."
    Path(files["answers"]).write_text("\n".join(map(json.dumps, lines)))
    assert run(files["answers"], "-d", files["dataset"], "--out", str(tmp_path / "audit")) == 0
    assert "\ufffd" in (tmp_path / "audit" / "audit.json").read_text(encoding="utf-8")
