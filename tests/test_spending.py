"""A run says what its text model took, stops before it costs too much, and loses nothing when the server is gone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound import experiment
from expound.cli import execute
from expound.datasets.predictions import read_predictions
from expound.errors import EndpointFailed
from expound.experiment import run
from expound.models import endpoint
from expound.models.server import Patience
from expound.models.unreached import Unreached
from expound.runs.plan import Plan, plan_from
from expound.testing import write_toy_folder
from expound.testing.fake_endpoint import Behaviour, FakeEndpoint
from expound.testing.scripted import ScriptedModel
from expound.types import Prompt

QUESTIONS = (
    "Who was the King of France in 1830?",
    "How many countries does the Danube flow through?",
    "Where does the Danube end?",
    "Who was called the Citizen King?",
)


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "PATIENT", replace(Patience(), tries=2, first_wait_seconds=0.001))
    experiment._close_systems()


def plan_file(folder: Path, server: FakeEndpoint, **changes: Any) -> Path:
    rows = [{"id": f"q{n}", "question": text, "references": ["It is so."]} for n, text in enumerate(QUESTIONS)]
    (folder / "qa.jsonl").write_text("\n".join(map(json.dumps, rows)))
    plan = {
        "dataset": f"qa:{folder / 'qa.jsonl'}",
        "corpus": str(write_toy_folder(folder / "docs")),
        "clarify": "AnswersFirst",
        "answer": "Written",
        "model": f"{server.url}#m",
        "score": ["eli5"],
        **changes,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in plan.items()]
    (folder / "plan.toml").write_text("\n".join(lines))
    return folder / "plan.toml"


def plan_of(file: Path) -> Plan:
    import tomllib

    return plan_from({"name": "test", **tomllib.loads(file.read_text())}, where="test")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_records_what_its_text_model_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setenv("EXPOUND_PRICE_PROMPT", "1000000")
    with FakeEndpoint(reply=lambda _prompt: "none") as server:
        record = run(plan_of(plan_file(tmp_path, server)), tmp_path / "run", jobs=jobs).record
        spent = record["spent"]
        assert spent["calls"] == len(server.chats) > 4
        assert spent["prompt_tokens"] == spent["cost"] == 7 * len(server.chats)
        assert json.loads((tmp_path / "run" / "scores.json").read_text())["spent"] == spent


def test_a_run_prints_what_its_text_model_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EXPOUND_PRICE_COMPLETION", "1000000")
    with FakeEndpoint(reply=lambda _prompt: "none") as server:
        plan = plan_file(tmp_path, server)
        assert execute(["run", str(plan), "--out", str(tmp_path / "run")]) == 0
        calls = len(server.chats)
        assert f"text model: {calls} calls and 0 from the cache" in capsys.readouterr().err
        assert execute(["run", str(plan), "--out", str(tmp_path / "again")]) == 0
        again = capsys.readouterr().err
        assert f"text model: 0 calls and {calls} from the cache" in again
        assert "cost" not in again


def test_a_run_without_a_text_model_says_nothing_of_one(tmp_path: Path) -> None:
    with FakeEndpoint() as server:
        changes = {"model": "none", "answer": "Composed", "clarify": "EvidenceOnly"}
        assert "spent" not in run(plan_of(plan_file(tmp_path, server, **changes)), tmp_path / "run").record


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_stops_before_it_costs_too_much_and_goes_on_with_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    monkeypatch.setenv("EXPOUND_PRICE_PROMPT", "1000")
    with FakeEndpoint(reply=lambda _prompt: "none", prompt_tokens=50) as server:
        command = ["run", str(plan_file(tmp_path, server)), "--out", str(tmp_path / "run"), "--jobs", jobs]
        assert execute([*command, "--most-cost", "0.5"]) == 1  # a call costs 0.05
        stopped = capsys.readouterr().err
        assert "of at most 0.5 is spent" in stopped
        assert 1 < len(server.chats) <= 10
        assert "with a higher --most-cost the same command goes on" in stopped
        asked, kept = len(server.chats), (tmp_path / "run" / "predictions.jsonl").read_bytes()
        assert not (tmp_path / "run" / "scores.json").exists()
        assert execute([*command, "--most-cost", "100"]) == 0
        assert (tmp_path / "run" / "predictions.jsonl").read_bytes().startswith(kept)
        assert len(server.chats) > asked
        assert len({request.prompt for request in server.chats}) == len(server.chats)  # nothing is paid twice
        record = json.loads((tmp_path / "run" / "scores.json").read_text())
        assert record["spent"]["calls"] == len(server.chats)


def test_a_limit_without_prices_is_told_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeEndpoint() as server:
        assert execute(["run", str(plan_file(tmp_path, server)), "--out", str(tmp_path / "r"), "--most-cost", "1"]) == 2
        assert "EXPOUND_PRICE_PROMPT" in capsys.readouterr().err
        assert server.requests == []


def test_when_the_server_is_gone_the_answers_without_it_stand_in_and_say_so(tmp_path: Path) -> None:
    with FakeEndpoint(*[Behaviour("status", 500)] * 1000) as server:
        plan = plan_of(plan_file(tmp_path, server))
        finished = run(plan, tmp_path / "run")
        changes = {"model": "none", "answer": "Composed", "clarify": "EvidenceOnly"}
        plain = run(plan_of(plan_file(tmp_path, server, **changes)), tmp_path / "plain")
        # Two tries for the first call; after that it is only looked whether the server is back.
        assert len(server.chats) < 20
    texts = [prediction.answer.text for prediction in read_predictions(plain.predictions)]
    predictions = list(read_predictions(finished.predictions))
    assert [prediction.answer.text for prediction in predictions] == texts
    for prediction in predictions:
        assert "failed" in prediction.meta["stand_in_for"]
        assert prediction.meta["model"].startswith("m at ")


def test_a_server_that_is_gone_before_it_names_its_model_loses_nothing_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeEndpoint() as server:
        file = plan_file(tmp_path, server, model=server.url)
    finished = run(plan_of(file), tmp_path / "run")
    for prediction in read_predictions(finished.predictions):
        assert prediction.answer.text
        assert server.url in prediction.meta["stand_in_for"]
    assert execute(["ask", QUESTIONS[1], "--corpus", str(tmp_path / "docs"), "--model", server.url]) == 0
    shown = capsys.readouterr()
    assert "Danube" in shown.out
    assert f"{server.url}/v1 failed 2 times" in shown.err


def test_a_server_that_comes_back_says_its_model_s_name() -> None:
    asked: list[int | None] = []

    def reach(*, tries: int | None) -> ScriptedModel:
        asked.append(tries)
        if len(asked) < 3:
            raise EndpointFailed("nobody is there")
        return ScriptedModel(lambda _prompt: "none", name="m")

    model = Unreached(reach)
    for _ in range(2):
        with pytest.raises(EndpointFailed):
            model.complete([Prompt("Who?")])
    assert model.complete([Prompt("Who?")]) == ["none"]
    assert (model.name, model.capability) == ("m", "reader")
    # Waited for once; after that it is only looked whether the server is back, and then never again.
    assert asked == [None, 1, 1]


def test_a_server_that_comes_back_is_asked_again(tmp_path: Path) -> None:
    with FakeEndpoint(*[Behaviour("status", 500)] * 1000, reply=lambda _prompt: "none") as server:
        plan = plan_of(plan_file(tmp_path, server))
        finished = run(plan, tmp_path / "run", report=lambda *_progress: server.script.clear())
        reasons = [prediction.meta.get("stand_in_for", "") for prediction in read_predictions(finished.predictions)]
    assert "failed 2 times" in reasons[0]
    assert not any("500" in reason for reason in reasons[1:])
