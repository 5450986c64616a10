"""`expound judge` against a server: judgments as a study's, nothing paid twice, a forecast, a limit, and going on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from commands import Capture, as_json, succeed
from datasets.test_preferences import RAG, write
from expound.cli import execute
from expound.models import endpoint
from expound.models.server import Patience
from expound.records import manifest_path, read_judgments
from expound.study import analyze_source
from expound.testing import write_jsonl
from expound.testing.fake_endpoint import Behaviour, FakeEndpoint
from judge.judge_world import PAIRS, by_rule, longer, read_lines, right, write_people, write_world


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(endpoint, "PATIENT", replace(Patience(), tries=2, first_wait_seconds=0.001))


def words(folder: Path, server: FakeEndpoint, *more: str) -> list[str]:
    good, bad = write_world(folder)
    out = str(folder / "judged.jsonl")
    return ["judge", str(good), str(bad), "--model", f"{server.url}#m", "--out", out, *more]


def test_judgments_are_those_of_a_study(capsys: Capture, tmp_path: Path) -> None:
    with FakeEndpoint(reply=by_rule(right)) as server:
        printed = as_json(capsys, *words(tmp_path, server))
    assert printed["rows"][0]["share"] == 1.0
    judged = list(read_judgments(tmp_path / "judged.jsonl"))
    assert len(judged) == PAIRS
    assert {(one.a, one.b, one.choice, one.form) for one in judged} == {("good", "bad", "a", "judge")}
    assert judged[0].rater.startswith("Pairwise() by m")
    assert analyze_source(str(tmp_path / "judged.jsonl")).systems == ("bad", "good")
    manifest = json.loads(manifest_path(tmp_path / "judged.jsonl").read_text(encoding="utf-8"))
    assert manifest["spec"]["judge"] == "Pairwise()"
    assert read_lines(tmp_path / "judged.items.jsonl")[0]["candidates"]
    audit = json.loads((tmp_path / "judged.audit.json").read_text(encoding="utf-8"))
    assert audit["spent"]["calls"] == len(server.chats)


def test_a_page_that_cannot_be_written_is_told_before_anything_is_asked(capsys: Capture, tmp_path: Path) -> None:
    with FakeEndpoint(reply=by_rule(right)) as server:
        assert execute(words(tmp_path, server, "--html", str(tmp_path))) == 2
    assert f"{tmp_path} is a folder; name a file" in capsys.readouterr().err
    assert not server.chats
    assert not (tmp_path / "judged.jsonl").exists()


def test_judgments_that_cannot_be_written_are_told_before_anything_is_asked(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "judged.jsonl"
    with FakeEndpoint(reply=by_rule(right)) as server:
        assert execute(words(tmp_path, server, "--out", str(out))) == 2
    assert f"{out} cannot be written" in capsys.readouterr().err
    assert not server.chats


def test_meta_reads_judgments_as_people_and_as_a_metric(capsys: Capture, tmp_path: Path) -> None:
    with FakeEndpoint(reply=by_rule(longer)) as server:
        succeed(capsys, *words(tmp_path, server))
    judged, people = tmp_path / "judged.jsonl", write_people(tmp_path)
    rows = as_json(capsys, "meta", "--people", people, "--metric", f"JudgedBy(file={str(judged)!r})")
    [accuracy] = [row for row in rows if (row["metric"].startswith("JudgedBy"), row["measure"], row["setting"]) ==
                  (True, "accuracy", "all")]  # fmt: skip
    assert (accuracy["value"], accuracy["n"]) == (0.5, PAIRS)
    rows = as_json(capsys, "meta", "--people", f"judgments:{judged}", "--metric", "Sentences()")
    [length] = [row for row in rows if (row["metric"], row["measure"], row["setting"]) == ("Length", "accuracy", "all")]
    assert length["value"] == 1.0
    table = succeed(capsys, "meta", "--people", people, "--metric", f"JudgedBy(file={str(judged)!r})")
    assert "(fails: " in table
    assert "answer said twice chosen" in table


def test_a_judge_is_held_against_people_by_the_texts_it_judged(capsys: Capture, tmp_path: Path) -> None:
    """Some files do not say which system wrote what, or have one system twice."""
    people = f"ragchecker:{write(tmp_path, [RAG], 'rag.jsonl')}"
    with FakeEndpoint(reply=by_rule(longer)) as server:
        out = tmp_path / "judged.jsonl"
        succeed(capsys, "judge", "--people", people, "--model", f"{server.url}#m", "--out", str(out))
    rows = as_json(capsys, "meta", "--people", people, "--metric", f"JudgedBy(file={str(out)!r})")
    [ours, length] = [
        next(row["value"] for row in rows if row["metric"].startswith(name) and row["measure"] == "accuracy")
        for name in ("JudgedBy", "Length")
    ]
    assert ours == length


def test_a_report_reads_a_judge_as_a_judge(capsys: Capture, tmp_path: Path) -> None:
    with FakeEndpoint(reply=by_rule(right)) as server:
        command = words(tmp_path, server)
        succeed(capsys, *command)
    rows = [
        {"id": f"q{number}", "question": f"What is number {number}?", "references": ["It is."]}
        for number in range(PAIRS)
    ]
    dataset = f"qa:{write_jsonl(tmp_path / 'qa.jsonl', rows)}"
    options = ["--dataset", dataset, "--metric", "Length()", "--samples", "20", "--format", "json"]
    printed = succeed(capsys, "report", *command[1:3], *options, "--people", str(tmp_path / "judged.jsonl"))
    told = json.loads(printed)
    assert told["judges"]
    assert "people" not in told


def test_nothing_is_paid_twice(capsys: Capture, tmp_path: Path) -> None:
    with FakeEndpoint(reply=by_rule(right)) as server:
        command = words(tmp_path, server)
        first = succeed(capsys, *command)
        asked = len(server.chats)
        # Both orders of every pair, and three probes of each.
        assert asked == 5 * PAIRS
        assert succeed(capsys, *command) == first
        assert len(server.chats) == asked


def test_a_dry_run_forecasts_and_asks_nothing(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_PRICE_PROMPT", "1000000")
    with FakeEndpoint(reply=by_rule(right)) as server:
        forecast = as_json(capsys, *words(tmp_path, server), "--dry-run")
        assert server.chats == []
        assert not (tmp_path / "judged.jsonl").exists()
        assert forecast["calls"] == 5 * PAIRS
        assert forecast["cost"] == forecast["prompt_tokens"] > 1000
        succeed(capsys, *words(tmp_path, server))
        assert len(server.chats) == forecast["calls"]
        again = as_json(capsys, *words(tmp_path, server), "--dry-run")
        assert again["from_cache"] >= 4 * PAIRS


def test_a_dry_run_needs_no_server_and_says_what_the_cost_hangs_on(capsys: Capture, tmp_path: Path) -> None:
    with FakeEndpoint(reply=by_rule(right)) as server:
        command = words(tmp_path, server)
        alive = as_json(capsys, *command, "--dry-run")
    # Nobody is there any more, and the address names no model.
    gone = [word.removesuffix("#m") for word in command]
    assert execute([*gone, "--dry-run"]) == 0
    printed = capsys.readouterr()
    assert "cost unknown: set EXPOUND_PRICE_PROMPT and EXPOUND_PRICE_COMPLETION" in printed.out
    assert "forecast as if it had judged nothing yet" in printed.err
    dead = as_json(capsys, *gone, "--dry-run")
    assert dead["cost"] is None
    assert dead == alive


def test_three_samples_are_drawn_as_in_the_paper(capsys: Capture, tmp_path: Path) -> None:
    with FakeEndpoint(reply=by_rule(right)) as server:
        succeed(capsys, *words(tmp_path, server, "--judge", "TwoShot(examples=2)", "--people", write_people(tmp_path),
                               "--limit", "2", "--probes", "0"))  # fmt: skip
        drawn = [(request.body["temperature"], request.body["top_p"], request.body["seed"]) for request in server.chats]
    assert sorted(set(drawn)) == [(0.7, 1.0, 0), (0.7, 1.0, 1), (0.7, 1.0, 2)]
    assert len(drawn) == 6
    assert len(read_lines(tmp_path / "judged.votes.jsonl")) == 6


def test_a_judge_stops_before_it_costs_too_much_and_goes_on_with_more(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPOUND_PRICE_PROMPT", "1000")
    with FakeEndpoint(reply=by_rule(right), prompt_tokens=100) as server:
        command = words(tmp_path, server)
        assert execute([*command, "--most-cost", "1"]) == 1  # a call costs 0.1
        assert "of at most 1 is spent" in capsys.readouterr().err
        assert 0 < len(server.chats) <= 10
        assert not (tmp_path / "judged.jsonl").exists()
        succeed(capsys, *command, "--most-cost", "1000")
        assert len(server.chats) == 5 * PAIRS


def test_a_server_that_fails_loses_nothing(capsys: Capture, tmp_path: Path) -> None:
    good = [Behaviour()] * 7
    with FakeEndpoint(*good, *[Behaviour("status", 500)] * 40, reply=by_rule(right)) as server:
        assert execute(words(tmp_path, server)) == 1
        server.script.clear()
        answered = set(server.answered)
        succeed(capsys, *words(tmp_path, server))
        assert sum(prompt in answered for prompt in server.answered) == len(answered) > 0


def test_a_judge_that_is_killed_goes_on(capsys: Capture, tmp_path: Path) -> None:
    asked: list[str] = []
    running: list[subprocess.Popen[bytes]] = []

    def reply(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) == 20 and running:
            running[0].kill()  # in the middle of its work, without a word
        return by_rule(right)(prompt)

    with FakeEndpoint(reply=reply) as server:
        command = words(tmp_path, server)
        running.append(subprocess.Popen([sys.executable, "-m", "expound", *command], stderr=subprocess.DEVNULL))
        assert running[0].wait() == -9
        assert not (tmp_path / "judged.jsonl").exists()
        before = len(asked)
        succeed(capsys, *command)
        # What was on its way when it was killed is asked again, and nothing else.
        assert len(asked) - before <= 5 * PAIRS - before + 16
    assert len(list(read_judgments(tmp_path / "judged.jsonl"))) == PAIRS


@pytest.mark.slow
def test_a_real_small_model_judges(capsys: Capture, tmp_path: Path, use_resources: Callable[..., object]) -> None:
    use_resources("smollm2-135m")
    good, bad = write_world(tmp_path, pairs=2)
    printed = as_json(capsys, "judge", str(good), str(bad), "--judge", "TwoShot(examples=0)", "--model", "smollm2-135m",
                      "--probes", "1", "--out", str(tmp_path / "judged.jsonl"))  # fmt: skip
    assert printed["spent"]["calls"] >= 6
    assert len(list(read_judgments(tmp_path / "judged.jsonl"))) == 2
    assert all(line["comment"] for line in read_lines(tmp_path / "judged.votes.jsonl"))
