"""Make `.venv` in the checkout and install expound into it, then run expound with the given arguments.

The launcher `./expound` starts this when the environment is missing, unfinished or out of date. Everything it says goes
to stderr. Local text models are always installed with it; EXPOUND_EXTRAS=dev installs the tools for development too.
What is installed once stays.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "pyproject.toml"
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
MARKER = ENVIRONMENT / "expound-ready"
INSTALLED_PROJECT = ENVIRONMENT / "expound-pyproject.toml"
LOG = ENVIRONMENT / "expound-set-up.log"
ALWAYS = frozenset({"llm"})
SPINNER = "|/-\\"


@dataclass(frozen=True)
class Marker:
    """What a finished set-up left: written last, so its presence means finished. The launcher reads it as well."""

    root: str
    python: str
    extras: frozenset[str]


def main() -> None:
    """Set up what is missing and hand over to expound."""
    extras = ALWAYS.union(filter(None, os.environ.get("EXPOUND_EXTRAS", "").split(",")))
    try:
        with locked() as lock:
            if not is_ready(extras):
                set_up(extras, lock)
    except KeyboardInterrupt:
        fail("stopped; run the same command again to go on", code=130)
    except OSError as error:
        fail(f"set-up failed: {error}; run the same command again to go on")
    os.execv(PYTHON, [str(PYTHON), "-P", "-m", "expound", *sys.argv[1:]])


@contextmanager
def locked() -> Iterator[IO[bytes]]:
    """One set-up of a checkout at a time."""
    # A polite kill must stop pip as well, as Ctrl-C does.
    previous = signal.signal(signal.SIGTERM, signal.default_int_handler)
    with Path(__file__).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up of this checkout to finish\n")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock
    signal.signal(signal.SIGTERM, previous)


def is_ready(extras: frozenset[str]) -> bool:
    marker = read_marker()
    return marker is not None and extras <= marker.extras and INSTALLED_PROJECT.read_bytes() == PROJECT.read_bytes()


def read_marker() -> Marker | None:
    """The marker of a finished set-up of this very checkout with the Python that is still there."""
    try:
        root, python, extras = MARKER.read_text(encoding="utf-8").split("\n")[:3]
    except (OSError, ValueError):
        return None
    is_valid = (
        root == str(ROOT) and python == os.path.realpath(PYTHON) and PYTHON.exists() and INSTALLED_PROJECT.exists()
    )
    return Marker(root, python, frozenset(filter(None, extras.split(",")))) if is_valid else None


def set_up(extras: frozenset[str], lock: IO[bytes]) -> None:
    """Make the environment unless a finished one is there, install into it, and write the marker last."""
    before = read_marker()
    if before is None:
        say(f"first use: setting up {ENVIRONMENT} with Python {sys.version.split()[0]}\n")
        make_environment(lock)
    # No marker while pip works: if it is killed half way, the next run starts from an empty environment.
    MARKER.unlink(missing_ok=True)
    extras |= before.extras if before else frozenset()
    project = PROJECT.read_bytes()
    install(extras, before, lock)
    INSTALLED_PROJECT.write_bytes(project)
    write_marker(Marker(str(ROOT), os.path.realpath(PYTHON), extras))


def make_environment(lock: IO[bytes]) -> None:
    code, output = run(
        "making the environment", [sys.executable, "-P", "-m", "venv", "--clear", str(ENVIRONMENT)], lock
    )
    if code:
        reason = "install your system's python3-venv package" if "ensurepip" in output else last_line(output)
        fail(f"cannot make the environment: {reason}; then run the same command again")


def install(extras: frozenset[str], before: Marker | None, lock: IO[bytes]) -> None:
    target = f"{ROOT}[{','.join(sorted(extras))}]"
    options = ["-qq", "--disable-pip-version-check", "--retries", "2"]
    command = [str(PYTHON), "-P", "-m", "pip", "install", *options, "-e", target]
    code, output = run("installing expound and the packages it needs", command, lock)
    if not code:
        return
    if before:  # pip gave up by itself, so the environment is as usable as it was
        write_marker(before)
    LOG.write_text(output, encoding="utf-8")
    full = "No space left on device" in output
    reason = "the disk is full" if full else f"is the package index reachable? pip says: {last_line(output)}"
    fail(f"cannot install: {reason} (all of it in {LOG}); run the same command again to go on")


def run(title: str, command: list[str], lock: IO[bytes]) -> tuple[int, str]:
    """Run a command with a line of progress; its exit code and everything it printed."""
    start = time.monotonic()
    say(f"{title} … ")
    with tempfile.TemporaryFile() as output:
        # The child holds the lock too: should this process be killed, no set-up starts beside an orphaned pip.
        # Neither it nor what it starts may import a file of the user's folder that is named like a module.
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=[lock.fileno()],
            env={**os.environ, "PYTHONSAFEPATH": "1"},
        )
        try:
            wait(child, title, start)
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
                sys.stderr.write("\n")
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    if sys.stderr.isatty():
        say(f"{title} … ", start="\r\x1b[K")
    sys.stderr.write(f"{time.monotonic() - start:.1f} s\n")
    return child.returncode, text


def wait(child: subprocess.Popen[bytes], title: str, start: float) -> None:
    """Wait for the child; on a terminal with a sign of life."""
    while True:
        try:
            child.wait(0.1 if sys.stderr.isatty() else None)
        except subprocess.TimeoutExpired:
            seconds = time.monotonic() - start
            say(f"{title} … {SPINNER[int(seconds * 10) % 4]} {seconds:.0f} s", start="\r")
        else:
            return


def write_marker(marker: Marker) -> None:
    part = MARKER.with_suffix(".part")
    part.write_text(f"{marker.root}\n{marker.python}\n{','.join(sorted(marker.extras))}\n", encoding="utf-8")
    part.replace(MARKER)


def last_line(output: str) -> str:
    """The line of pip's or venv's output that says most: its last error, without the prefix."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["no reason given"])[-1][:200]


def say(text: str, *, start: str = "") -> None:
    sys.stderr.write(f"{start}expound: {text}")
    sys.stderr.flush()


def fail(text: str, *, code: int = 1) -> NoReturn:
    say(f"{text}\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
