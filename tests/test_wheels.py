"""pip as the way to a wheel, and what is said when it fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from expound import wheels
from expound.errors import ExpoundError, FetchFailed, StorageFull


def answer_with(monkeypatch: pytest.MonkeyPatch, code: int, output: str) -> list[list[str]]:
    """Let every child process end with this code and output; the commands that were run."""
    commands: list[list[str]] = []

    def run(command: list[str], *_: object) -> tuple[int, str]:
        commands.append(command)
        return code, output

    monkeypatch.setattr(wheels, "_run", run)
    return commands


@pytest.mark.parametrize(
    ("output", "error", "line"),
    [
        ("ERROR: No matching distribution found for toy==1", FetchFailed, "is the package index reachable"),
        ("OSError: [Errno 28] No space left on device", StorageFull, "the disk is full"),
    ],
)
def test_a_failure_is_said_in_our_own_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, output: str, error: type[ExpoundError], line: str
) -> None:
    answer_with(monkeypatch, 1, output)
    with pytest.raises(error, match=line) as caught:
        wheels.pip_download("toy==1", tmp_path, lambda _count: None)
    assert output not in str(caught.value)


def test_a_python_without_pip_gets_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands = answer_with(monkeypatch, 0, "")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    wheels.pip_download("toy==1", tmp_path, lambda _count: None)
    assert [command[3] for command in commands] == ["ensurepip", "pip"]


def test_a_python_that_cannot_have_pip_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer_with(monkeypatch, 1, "ensurepip is disabled")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(FetchFailed, match="has no pip"):
        wheels.pip_download("toy==1", tmp_path, lambda _count: None)


def test_an_interrupted_child_is_not_left_running() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    started: list[subprocess.Popen[bytes]] = []
    with pytest.MonkeyPatch.context() as patch:
        real = subprocess.Popen

        def popen(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
            started.append(real(*arguments, **options))  # type: ignore[call-overload]  # passes on what it was given
            return started[0]

        patch.setattr(subprocess, "Popen", popen)
        with pytest.raises(KeyboardInterrupt):
            wheels._run([sys.executable, "-c", "import time; time.sleep(60)"], {}, interrupt)
    assert started[0].returncode is not None
