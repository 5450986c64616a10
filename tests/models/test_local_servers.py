"""A server on this machine is found, told about, and asked only after a line that says so."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from expound import cli, resources
from expound.errors import UserError
from expound.models import local_servers as module
from expound.models import text as text_models
from expound.models.local_servers import LocalServer, local_servers
from expound.models.text import choose_model
from expound.testing import write_toy_folder
from expound.testing.fake_endpoint import FakeEndpoint

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def patiently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS", 60.0)  # the machine may be busy


def llama(*models: str) -> FakeEndpoint:
    return FakeEndpoint(models=models or ("qwen2.5-7b",), owner="llamacpp")


def test_a_server_that_runs_is_found_with_its_models(monkeypatch: pytest.MonkeyPatch) -> None:
    with llama("qwen2.5-7b") as one, FakeEndpoint(models=("a", "nomic-embed-text"), owner="library") as other:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", f"{one.url}, {other.url}/")
        assert local_servers() == [
            LocalServer(one.url, "llama.cpp", ("qwen2.5-7b",)),
            LocalServer(other.url, "Ollama", ("a",)),  # vectors are not text
        ]
        assert [request.path for request in (*one.requests, *other.requests)] == ["/v1/models"] * 2


def test_another_program_at_the_port_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeEndpoint(models=("a",), owner="") as server:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", server.url)
        assert local_servers() == []


def test_where_nobody_listens_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", "http://127.0.0.1:9")
    assert local_servers() == []


def test_who_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(module, "_SECONDS", 0.05)
    monkeypatch.setattr(module, "_get", lambda *_: release.wait(60) and b"")
    monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", "http://127.0.0.1:9")
    assert local_servers() == []
    assert not release.is_set()
    release.set()


@pytest.mark.parametrize(
    "address", ["http://example.org:11434", "http://10.0.0.1:8080", "https://127.0.0.1.example.org"]
)
def test_only_this_machine_is_looked_at(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", address)
    with pytest.raises(UserError, match="not on this machine"):
        local_servers()


def test_a_server_of_another_person_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with llama() as server:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", server.url)
        port = int(server.url.rpartition(":")[2])
        for uid, is_taken in ((os.getuid(), True), (113, True), (os.getuid() + 4321, False)):
            line = f"0: 0100007F:{port:04X} 00000000:0000 0A 00000000:00000000 00:00000000 00000000 {uid} 0 1065"
            (tmp_path / "tcp").write_text(f"a heading\n{line}\n")
            monkeypatch.setattr(module, "_SOCKETS", (tmp_path / "tcp", tmp_path / "missing"))
            assert bool(local_servers()) == is_taken


def test_auto_asks_it_after_a_line_that_says_so_also_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    with llama() as server:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", server.url)

        def reply(prompt: str) -> str:
            # When a document arrives, the line stands on the screen.
            told.append(capsys.readouterr().err)
            return "none"

        told: list[str] = []
        server.reply = reply
        assert cli.execute(["--quiet", "ask", "Where does the Danube end?", "--corpus", str(folder)]) == 0
    line = f"asking qwen2.5-7b of llama.cpp, which runs on this machine ({server.url}); --model none asks no model\n"
    assert line in told[0]


@pytest.mark.parametrize("model", ["none", "NAMED"])
def test_with_another_choice_nobody_looks(monkeypatch: pytest.MonkeyPatch, capsys: Capture, model: str) -> None:
    with llama() as server, FakeEndpoint() as named:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", server.url)
        choose_model(model.replace("NAMED", named.url))
        assert server.requests == []
    assert "runs on this machine" not in capsys.readouterr().err


def test_what_the_user_has_set_up_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with llama() as server:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", server.url)
        (tmp_path / "mine.gguf").write_bytes(b"GGUF")
        monkeypatch.setenv(resources.override_variable("qwen2.5-coder-0.5b"), str(tmp_path / "mine.gguf"))
        model = choose_model("auto")
        assert model
        assert model.name == "qwen2.5-coder-0.5b"
        assert server.requests == []


def test_of_several_models_one_has_to_be_named(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    with llama("a-7b", "b-7b") as server:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", server.url)
        assert choose_model("auto") is None
        assert f"name one of its models, as in --model {server.url}#a-7b" in capsys.readouterr().err
        monkeypatch.setenv("EXPOUND_MODEL", "b-7b")
        model = choose_model("auto")
        assert model
        assert model.name == f"b-7b at {server.url}/v1"
        assert server.chats == []


def test_without_the_library_for_it_the_server_is_told_about_and_not_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(text_models, "find_spec", lambda _name: None)
    with llama() as server:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", server.url)
        assert choose_model("auto") is None
    assert "pip install 'expound[llm]'" in capsys.readouterr().err


def test_the_list_of_models_has_it(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    with llama("big-7b", "tiny-135m") as server:
        monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", server.url)
        assert cli.execute(["models", "list"]) == 0
        out, err = capsys.readouterr()
    rows = {line.split()[0]: line.split() for line in out.splitlines()}
    assert rows[f"{server.url}#big-7b"][1:5] == ["running", "-", "-", "writer"]
    assert rows[f"{server.url}#tiny-135m"][1:5] == ["running", "-", "-", "reader"]
    assert "llama.cpp runs on this machine; it is asked when you name it" in err
