"""A home that cannot be written to, on a shared disk or in a container, can be asked all the same."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from expound.corpus import library
from expound.testing import write_toy_folder

QUESTION = "Which countries does the Danube flow through?"
MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


@pytest.fixture
def read_only(expound_home: Path, tmp_path: Path) -> Iterator[list[str]]:
    """A home with two corpora, and the command before a command that makes it read-only: root needs a mount."""
    library.add([write_toy_folder(tmp_path / "toys")], name="toys")[0].close()
    library.open_corpus("sampler").close()
    yield from closed(expound_home)


@pytest.fixture
def read_only_and_empty(expound_home: Path) -> Iterator[list[str]]:
    """The same for a home in which nothing was ever kept."""
    expound_home.mkdir()
    yield from closed(expound_home)


def closed(expound_home: Path) -> Iterator[list[str]]:
    if os.geteuid() != 0:
        _set_writable(expound_home, False)
        yield []
        _set_writable(expound_home, True)
        return
    before = ["unshare", "-m", "sh", "-c", MOUNT, str(expound_home)]
    if not shutil.which("unshare") or subprocess.run([*before, "true"], capture_output=True).returncode:
        pytest.skip("root may write everywhere, and cannot mount a folder here")
    yield before


def _set_writable(folder: Path, is_writable: bool) -> None:
    for path in [folder, *folder.rglob("*")]:
        mode = path.stat().st_mode
        path.chmod(mode | stat.S_IWUSR if is_writable else mode & ~0o222)


def run(before: Sequence[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*before, sys.executable, "-P", "-m", "expound", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_read_only_home_can_be_asked(read_only: list[str], tmp_path: Path) -> None:
    for arguments in (
        ["ask", QUESTION],
        ["ask", "Who was the ruler of France in 1830?", "--corpus", "sampler"],
        ["ask", QUESTION, "--corpus", str(tmp_path / "toys")],
        ["search", "Danube"],
        ["corpus", "list"],
        ["corpus", "show", "toys"],
        ["index", "info"],
    ):
        done = run(read_only, *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
    assert "ten countries" in run(read_only, "ask", QUESTION).stdout


@pytest.mark.parametrize("arguments", [["corpus", "add"], ["corpus", "remove"], ["index", "build"]])
def test_what_would_change_it_is_refused_in_one_line(
    read_only: list[str], arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(read_only, *arguments, "toys")
    [line] = done.stderr.splitlines()
    assert (done.returncode, "cannot be written" in line) == (1, True)


@pytest.mark.usefixtures("embedder_files")
def test_what_was_computed_before_is_read_there(read_only: list[str], expound_home: Path) -> None:
    if not read_only:
        pytest.skip("the cache is filled while the home can be written to")
    run([], "ask", QUESTION)
    before = (expound_home / "cache" / "vectors.sqlite").read_bytes()
    assert run(read_only, "ask", QUESTION).returncode == 0
    assert (expound_home / "cache" / "vectors.sqlite").read_bytes() == before


def test_the_bundled_articles_can_be_asked_in_a_home_that_is_empty_and_stays_so(
    read_only_and_empty: list[str], expound_home: Path
) -> None:
    for arguments in (["ask", "Why do contrails form?"], ["search", "contrails"], ["corpus", "show", "sampler"]):
        done = run(read_only_and_empty, *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        assert "ontrail" in done.stdout or "167" in done.stdout
    assert list(expound_home.iterdir()) == []
