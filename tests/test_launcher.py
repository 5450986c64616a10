"""`./expound`: sets itself up once, repairs what was interrupted, and stays out of the way.

The shell script and tools/set_up.py are the real ones; venv, pip and expound are small fakes that write a log.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOG = "import os, sys; print({name!r}, *sys.argv[1:], file=open(os.environ['LOG'], 'a'))\n"
FAKES = {
    "venv": "from pathlib import Path\n"
    "folder = Path(sys.argv[-1], 'bin'); folder.mkdir(parents=True, exist_ok=True)\n"
    "(folder / 'python').unlink(missing_ok=True); (folder / 'python').symlink_to(os.path.realpath(sys.executable))\n",
    "pip": "import time\nwhile os.path.exists(os.environ.get('PIP_WAITS_FOR', '')): time.sleep(0.01)\n"
    "print('ERROR: No matching distribution found'); sys.exit(int(os.environ.get('PIP_CODE', 0)))\n",
    "expound": "import json; print(json.dumps(sys.argv[1:])); print('from expound', file=sys.stderr)\n",
}

PATIENCE_SECONDS = 600
"""After so long something is wrong, however busy the machine."""


class Checkout:
    """A copy of the launcher in a folder of its own, with fakes on PYTHONPATH."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder / "check out", folder / "log"
        self.tools, self.fakes = folder / "tools", folder / "fakes"
        (self.folder / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "expound", self.folder)
        shutil.copy(ROOT / "tools/set_up.py", self.folder / "tools")
        (self.folder / "pyproject.toml").write_text("[project]\n")
        for name, body in FAKES.items():
            (self.fakes / name).mkdir(parents=True)
            (self.fakes / name / "__init__.py").touch()
            (self.fakes / name / "__main__.py").write_text(LOG.format(name=name) + body)
        self.tools.mkdir()
        (self.tools / "python3").symlink_to(sys.executable)

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        environment = self._environment(variables)
        return subprocess.Popen(
            [self.folder / "expound", *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A shell starts background jobs deaf to Ctrl-C, and these tests may run in one.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        child = self.start(*arguments, **variables)
        out, err = child.communicate(timeout=PATIENCE_SECONDS)
        return subprocess.CompletedProcess(child.args, child.returncode, out, err)

    def steps(self) -> list[str]:
        return [line.split()[0] for line in self.lines()]

    def lines(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def wait_for(self, step: str) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while step not in self.steps():
            assert time.monotonic() < until, f"{step} never started"
            time.sleep(0.02)

    def _environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        path = f"{self.tools}{os.pathsep}{os.environ['PATH']}"
        return os.environ | {"PATH": path, "PYTHONPATH": str(self.fakes), "LOG": str(self.log)} | dict(variables)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_first_run_sets_up_and_answers(checkout: Checkout) -> None:
    done = checkout.run("ask", "who is it?", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == ["ask", "who is it?", "--json"]
    assert checkout.steps() == ["venv", "pip", "expound"]


def test_only_stderr_shows_the_set_up(checkout: Checkout) -> None:
    said = checkout.run("x").stderr.splitlines()
    assert said[0].startswith("expound: first use: setting up")
    assert said[1].startswith("expound: making the environment … ")
    assert said[2].startswith("expound: installing expound and the packages it needs … ")
    assert all(line.endswith(" s") for line in said[1:3])


def test_later_runs_start_nothing_but_expound(checkout: Checkout) -> None:
    checkout.run("one")
    (checkout.tools / "python3").unlink()
    (checkout.tools / "python3").write_text("#!/bin/sh\necho python3 >>$LOG\n")
    (checkout.tools / "python3").chmod(0o755)
    done = checkout.run("two")
    assert json.loads(done.stdout) == ["two"]
    assert done.stderr == "from expound\n"
    assert checkout.steps() == ["venv", "pip", "expound", "expound"]


def test_arguments_pass_untouched(checkout: Checkout) -> None:
    hard = ["", "a b", "it's", '"', "$HOME", "*", "\\", "é", "--", "-x", "two\nlines"]
    checkout.run()
    assert json.loads(checkout.run(*hard).stdout) == hard


def test_it_can_be_called_through_a_link(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run()
    link = tmp_path / "link"
    link.symlink_to(checkout.folder / "expound")
    subprocess.run([link, "x"], env=checkout._environment({}), check=True, capture_output=True)
    assert checkout.steps() == ["venv", "pip", "expound", "expound"]


def test_a_changed_project_is_installed_again(checkout: Checkout) -> None:
    checkout.run()
    (checkout.folder / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    checkout.run()
    checkout.run()
    assert checkout.steps() == ["venv", "pip", "expound", "pip", "expound", "expound"]


def test_a_moved_checkout_sets_itself_up_again(checkout: Checkout) -> None:
    checkout.run()
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("moved"))
    checkout.run()
    assert checkout.steps() == ["venv", "pip", "expound"] * 2


def test_a_lost_python_is_replaced(checkout: Checkout) -> None:
    checkout.run()
    (checkout.folder / ".venv/bin/python").unlink()
    assert checkout.run().returncode == 0
    assert checkout.steps() == ["venv", "pip", "expound"] * 2


def test_offline_is_said_in_one_line_and_the_next_run_goes_on(checkout: Checkout) -> None:
    failed = checkout.run("x", PIP_CODE="1")
    assert failed.returncode == 1
    assert failed.stdout == ""
    last = failed.stderr.splitlines()[-1]
    assert last.startswith("expound: cannot install: is the package index reachable? pip says: No matching")
    assert last.endswith("run the same command again to go on")
    assert checkout.run("x").returncode == 0


def test_a_failed_update_keeps_the_environment(checkout: Checkout) -> None:
    checkout.run()
    (checkout.folder / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert checkout.run(PIP_CODE="1").returncode == 1
    (checkout.folder / "pyproject.toml").write_text("[project]\n")
    assert checkout.run().returncode == 0
    assert checkout.steps() == ["venv", "pip", "expound", "pip", "expound"]


@pytest.fixture
def slow_pip(tmp_path: Path) -> Iterator[Path]:
    """While this file is there, pip is at work."""
    file = tmp_path / "pip-is-at-work"
    file.touch()
    yield file
    file.unlink(missing_ok=True)


def test_a_killed_set_up_is_started_anew(checkout: Checkout, slow_pip: Path) -> None:
    child = checkout.start("x", PIP_WAITS_FOR=str(slow_pip))
    checkout.wait_for("pip")
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate(timeout=PATIENCE_SECONDS)
    assert checkout.run("x").returncode == 0
    assert checkout.steps() == ["venv", "pip", "venv", "pip", "expound"]


@pytest.mark.parametrize("polite", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_set_up_says_how_to_go_on(checkout: Checkout, slow_pip: Path, polite: signal.Signals) -> None:
    child = checkout.start("x", PIP_WAITS_FOR=str(slow_pip))
    checkout.wait_for("pip")
    os.kill(child.pid, polite)
    _, said = child.communicate(timeout=PATIENCE_SECONDS)
    assert child.returncode == 130
    assert said.endswith("expound: stopped; run the same command again to go on\n")


def test_two_first_runs_at_once_set_up_once(checkout: Checkout, slow_pip: Path) -> None:
    first = checkout.start("one", PIP_WAITS_FOR=str(slow_pip))
    checkout.wait_for("pip")
    second = checkout.start("two")
    assert second.stderr is not None
    assert "waiting for another set-up" in second.stderr.readline()
    slow_pip.unlink()
    ends = [child.communicate(timeout=PATIENCE_SECONDS) for child in (first, second)]
    assert [json.loads(out) for out, _ in ends] == [["one"], ["two"]]
    assert sorted(checkout.steps()) == ["expound", "expound", "pip", "venv"]


def test_extras_stay_installed(checkout: Checkout) -> None:
    checkout.run()
    checkout.run(EXPOUND_EXTRAS="dev")
    checkout.run(EXPOUND_EXTRAS="dev")
    (checkout.folder / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    checkout.run()
    installs = [line for line in checkout.lines() if line.startswith("pip")]
    assert [line.partition("[")[2] for line in installs] == ["llm]", "dev,llm]", "dev,llm]"]


def test_an_old_python_gets_one_clear_line(checkout: Checkout) -> None:
    _only_tools(checkout, "sh", "dirname", "readlink", "cmp")
    (checkout.tools / "python3").unlink()
    (checkout.tools / "python3").write_text("#!/bin/sh\nexit 1\n")
    (checkout.tools / "python3").chmod(0o755)
    done = checkout.run("x", PATH=str(checkout.tools))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("expound: needs Python 3.11 or newer")
    assert done.stderr.count("\n") == 1


def test_a_newer_python_beside_an_old_one_is_found(checkout: Checkout) -> None:
    _only_tools(checkout, "sh", "dirname", "readlink", "cmp")
    (checkout.tools / "python3").rename(checkout.tools / "python3.12")
    assert checkout.run("x", PATH=str(checkout.tools)).returncode == 0


@pytest.mark.slow
def test_a_fresh_checkout_runs_for_real(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "runs")
    shutil.copytree(ROOT, fresh, ignore=ignored)
    done = subprocess.run([fresh / "expound", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("expound ")
    direct: list[str | Path] = [fresh / ".venv/bin/python", "-P", "-m", "expound", "--version"]
    rounds = [(_cpu_seconds([fresh / "expound", "--version"]), _cpu_seconds(direct)) for _ in range(3)]
    assert min(ours for ours, _ in rounds) < min(theirs for _, theirs in rounds) + 0.3


def _cpu_seconds(command: Sequence[str | Path]) -> float:
    before = os.times()
    subprocess.run(command, capture_output=True, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _only_tools(checkout: Checkout, *names: str) -> None:
    """Prepare a PATH that has these programs and no Python but the checkout's own."""
    for name in names:
        (checkout.tools / name).symlink_to(_which(name))


def _which(name: str, places: Sequence[str] = ("/bin", "/usr/bin")) -> str:
    return next(f"{place}/{name}" for place in places if os.access(f"{place}/{name}", os.X_OK))
