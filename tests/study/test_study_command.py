"""`expound study` on the command line: a whole study, and one clear line for each mistake."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from expound.cli import execute
from expound.study.engine.opened import open_study
from study.study_helpers import Browse, join, judge_all, write_inputs


@pytest.fixture
def new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """`expound study new study.toml` with two systems, and more arguments."""
    monkeypatch.chdir(tmp_path)
    dataset, _ = write_inputs(tmp_path)

    def run(*more: str, predictions: tuple[str, ...] = ("zebra.json", "quokka.json")) -> int:
        given = ["--form", "asqa-pairwise", "--predictions", *predictions]
        return execute(["study", "new", "study.toml", *given, "--dataset", dataset, *more])

    return run


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err.strip()


def test_a_study_from_new_to_analysis(
    new: Callable[..., int], browse: Browse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new("--overlap", "2") == 0
    study = open_study(tmp_path / "study.toml")
    for _ in range(2):
        browser = browse(study)
        judge_all(browser, join(browser, study))
    assert execute(["study", "status", "study.toml"]) == 0
    assert "6 of 6 judgments, 3 of 3 items complete" in capsys.readouterr().out
    assert execute(["study", "status", "study.toml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["judgments"] == 6
    assert execute(["study", "export", "study.toml", "--out", "judgments.jsonl"]) == 0
    lines = (tmp_path / "judgments.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 6 * 5
    assert (tmp_path / "judgments.jsonl.manifest.json").is_file()
    assert execute(["study", "export", "study.toml", "--out", "table.csv"]) == 0
    assert (tmp_path / "table.csv").read_text(encoding="utf-8").startswith("study,form,item,")
    for source in ("study.toml", "judgments.jsonl"):
        assert execute(["study", "analyze", source, "--out", "found.html", "--samples", "50"]) == 0
        figures = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
        assert figures["overall"]["judgments"] == 6  # by five criteria each
    assert execute(["study", "backup", "study.toml", "--out", "copy.db"]) == 0
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        assert copy.execute("SELECT count(*) FROM submissions").fetchone() == (6,)


def test_the_percentages_have_the_names_of_the_paper(new: Callable[..., int], browse: Browse, tmp_path: Path) -> None:
    new("--overlap", "1")
    study = open_study(tmp_path / "study.toml")
    browser = browse(study)
    judge_all(browser, join(browser, study))
    execute(["study", "analyze", "study.toml", "--out", "found.html", "--samples", "20"])
    figures = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert set(figures["overall"]["percentages"]["zebra"]) == {"ACC", "COMP", "FLUE", "HO"}
    assert figures["overall"]["percentages"]["zebra"]["HO"]["value"] == 50  # all ties


def test_six_answers_make_three_pairs_each_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("a", "b", "c", "d", "e", "f")
    dataset, _ = write_inputs(tmp_path, systems=names)
    files = [f"{name}.json" for name in names]
    assert execute(["study", "new", "study.toml", "--form", "asqa-pairwise", "-p", *files, "-d", dataset]) == 0
    items = [json.loads(line) for line in (tmp_path / "study.items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(items) == 9
    for question in ("q1", "q2", "q3"):
        pairs = [item["candidates"] for item in items if item["question_id"] == question]
        assert sorted(one["system"] for pair in pairs for one in pair) == list(names)


def test_upvotes_make_pairs_of_human_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    question = {"id": "1", "question": "Why?", "references": ["low", "high"], "meta": {"scores": [2, 9]}}
    (tmp_path / "q.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")
    command = ["study", "new", "s.toml", "--form", "expert-preference", "--pairs", "upvotes", "-d", "qa:q.jsonl"]
    assert execute(command) == 0
    (item,) = [json.loads(line) for line in (tmp_path / "s.items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert item["candidates"] == [
        {"system": "human", "text": "high"},
        {"system": "human-fewer-upvotes", "text": "low"},
    ]


def write_votes(folder: Path, *, voted: int, tied: int) -> str:
    scores = [[2, 9]] * voted + [[3, 3]] * tied
    lines = [
        {"id": str(n), "question": f"Why {n}?", "references": ["low", "high"], "meta": {"scores": pair}}
        for n, pair in enumerate(scores)
    ]
    (folder / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return "qa:q.jsonl"


def test_a_limit_is_of_questions_that_make_a_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    votes = ["--form", "eli5-preference", "--pairs", "upvotes", "-d", write_votes(tmp_path, voted=10, tied=30)]
    assert execute(["study", "new", "s.toml", *votes, "--limit", "8"]) == 0
    assert said(capsys).startswith("s.toml: 8 items")
    assert execute(["study", "new", "t.toml", *votes, "--limit", "30"]) == 0
    assert (
        said(capsys).splitlines()[0]
        == "qa:q.jsonl has 10 questions for this form, not 30: all of them are in the study"
    )
    assert len((tmp_path / "t.items.jsonl").read_text(encoding="utf-8").splitlines()) == 10


def test_answers_that_all_have_the_same_votes_make_no_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    dataset = write_votes(tmp_path, voted=0, tied=3)
    command = ["study", "new", "s.toml", "--form", "eli5-preference", "--pairs", "upvotes", "-d", dataset]
    assert execute(command) == 2
    assert said(capsys) == "error: qa:q.jsonl has no question whose answers differ in votes"


def test_power_says_how_many_items_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["study", "power", "--share", "0.75"]) == 0
    assert capsys.readouterr().out.startswith("35 items: a share of 0.75")


MISTAKES = [
    (["--form", "asqa-pairwize"], "no form named 'asqa-pairwize'; did you mean 'asqa-pairwise'?"),
    (["--pairs", "best"], "--pairs best: choose one of random, all, upvotes"),
    (["--items", "missing.jsonl"], "no such file: missing.jsonl"),
    (["--training", "zebra.json"], "zebra.json, line 1: not an item of a study (no 'id')"),
]


@pytest.mark.parametrize(("more", "expected"), MISTAKES)
def test_a_mistake_is_one_clear_line(
    new: Callable[..., int], capsys: pytest.CaptureFixture[str], more: list[str], expected: str
) -> None:
    assert new(*more) == 2
    assert said(capsys) == f"error: {expected}"
    assert not Path("study.toml").exists()


def test_prediction_files_must_answer_the_same_questions(
    new: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quokka.json").write_text('{"q1": "only one"}', encoding="utf-8")
    assert new() == 2
    assert "quokka.json has no answer to 'q2', which zebra.json has (2 such ids)" in said(capsys)


def test_an_id_that_the_dataset_does_not_have_is_named(
    new: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quokka.json").write_text('{"q9": "lost"}', encoding="utf-8")
    assert new() == 2
    assert "quokka.json: the id 'q9' is not in qa:" in said(capsys)


def test_one_system_cannot_be_compared(new: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert new(predictions=("zebra.json",)) == 2
    assert "give two or more prediction files" in said(capsys)


def test_a_study_is_never_overwritten(new: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert new() == 0
    capsys.readouterr()
    assert new() == 2
    assert said(capsys) == "error: study.toml exists already; give the new study another name"


def test_items_that_change_under_a_study_stop_it(new: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    new()
    assert execute(["study", "status", "study.toml"]) == 0
    with Path("study.items.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "late", "question": "?"}\n')
    capsys.readouterr()
    assert execute(["study", "status", "study.toml"]) == 2
    assert "changed after the study began" in said(capsys)


PLANS = [
    ("overlap = 0", "study.toml: overlap must be at least 1, found 0"),
    ('overlap = "three"', "study.toml: overlap must be a whole number, found 'three'"),
    ("overlab = 3", "study.toml: no setting named 'overlab'; did you mean 'overlap'?"),
    ('database = "mysql://x/y"', "database = 'mysql://x/y': give a path for SQLite, or postgresql://"),
    ("[options]\nties = true", "the form asqa-pairwise has no option 'ties'; it has: none"),
    ("[[", "study.toml cannot be read as TOML"),
]


@pytest.mark.parametrize(("line", "expected"), PLANS)
def test_a_mistake_in_the_plan_is_named(
    new: Callable[..., int], capsys: pytest.CaptureFixture[str], line: str, expected: str
) -> None:
    new()
    Path("study.toml").write_text(f'form = "asqa-pairwise"\n{line}\n', encoding="utf-8")
    capsys.readouterr()
    assert execute(["study", "status", "study.toml"]) == 2
    assert expected in said(capsys)


def test_a_missing_study_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert execute(["study", "serve", "nothing.toml"]) == 2
    assert said(capsys).startswith("error: no such study: nothing.toml; make one with: expound study new nothing.toml")


def test_a_database_of_a_newer_version_is_not_touched(
    new: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    new()
    execute(["study", "status", "study.toml"])
    with sqlite3.connect("study.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    capsys.readouterr()
    assert execute(["study", "status", "study.toml"]) == 2
    assert "version 9999, newer than this expound knows" in said(capsys)


def test_a_file_that_is_no_database_is_said_to_be_none(
    new: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    new()
    Path("study.db").write_text("hello " * 1000, encoding="utf-8")
    capsys.readouterr()
    assert execute(["study", "status", "study.toml"]) == 2
    assert "study.db cannot be opened: file is not a database" in said(capsys)


def test_a_folder_that_cannot_be_written_is_named(new: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    new()
    Path("study.toml").write_text('form = "asqa-pairwise"\ndatabase = "/proc/nowhere/study.db"\n', encoding="utf-8")
    capsys.readouterr()
    assert execute(["study", "status", "study.toml"]) == 1
    assert "cannot be written" in said(capsys)


def test_a_port_in_use_is_one_clear_line(new: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    new()
    capsys.readouterr()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert execute(["study", "serve", "study.toml", "--port", str(port)]) == 2
    assert said(capsys) == f"error: port {port} is in use: stop the other server, or give another --port"


def test_nothing_to_analyze_yet_is_said(new: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    new()
    capsys.readouterr()
    assert execute(["study", "analyze", "study.toml"]) == 2
    assert "no judgments to analyze yet" in said(capsys)


def test_the_server_prints_its_links_and_stops_on_request(new: Callable[..., int]) -> None:
    new()
    command = [sys.executable, "-m", "expound", "study", "serve", "study.toml", "--port", "0"]
    # A shell starts background jobs deaf to Ctrl-C, and these tests may run in one.
    hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=hears) as server:
        assert server.stdout is not None
        links = dict(server.stdout.readline().split() for _ in range(2))
        assert set(links) == {"admin", "join"}
        try:
            with urllib.request.urlopen(links["join"].partition("/join/")[0] + "/health", timeout=600) as answer:
                assert answer.status == 200
            server.send_signal(signal.SIGINT)
            assert server.wait(600) == 130
        finally:
            server.kill()
