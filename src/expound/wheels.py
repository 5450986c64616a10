"""One wheel from the package index, fetched with pip by the running interpreter; nothing is installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from expound.errors import FetchFailed, StorageFull

_SAFE = {"PYTHONSAFEPATH": "1"}


def pip_download(requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> None:
    """Put the wheel of a requirement into a folder, telling now and then how many bytes have arrived there."""
    _need_pip()
    # Quietly, without the packages it asks for, and without a second
    # copy in pip's cache. One retry fails fast offline.
    options = ["-qq", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--retries", "1", "-d", str(folder)]
    # -P: a file of the user's that is named like a module is not imported. TMPDIR: the bytes can be counted there.
    command = [sys.executable, "-P", "-m", "pip", "download", "--disable-pip-version-check", *options, requirement]
    environment = os.environ | _SAFE | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    code, output = _run(command, environment, lambda: on_bytes(_bytes_in(folder)))
    if code:
        raise _download_error(requirement, output)


def _run(command: list[str], environment: Mapping[str, str], tick: Callable[[], None]) -> tuple[int, str]:
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment)
        try:
            while child.poll() is None:
                tick()
                # Ten times a second, for a bar that moves.
                _wait(child, seconds=0.1)
        finally:
            # Ctrl-C: pip is not left behind.
            if child.poll() is None:
                child.kill()
                child.wait()
        return child.returncode, _text_of(output)


def _wait(child: subprocess.Popen[bytes], *, seconds: float) -> None:
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def _text_of(output: IO[bytes]) -> str:
    output.seek(0)
    return output.read().decode("utf-8", "replace")


def _download_error(requirement: str, output: str) -> Exception:
    # pip says "no matching distribution" when the index is out of reach, so its words are kept for --debug only.
    if "No space left on device" in output:
        return StorageFull(f"the disk is full: {requirement} could not be fetched; free some space and run again")
    error = FetchFailed(f"cannot fetch {requirement}: is the package index reachable? then run the command again")
    error.add_note(output.strip())
    return error


def _need_pip() -> None:
    """Some environments are made without pip: bring Python's own."""
    if importlib.util.find_spec("pip"):
        return
    code, output = _run([sys.executable, "-P", "-m", "ensurepip"], os.environ | _SAFE, lambda: None)
    if code:
        error = FetchFailed(f"{sys.executable} has no pip to fetch files with; install pip for it and run again")
        error.add_note(output.strip())
        raise error


def _bytes_in(folder: Path) -> int:
    return sum(_size(Path(base, name)) for base, _, files in os.walk(folder) for name in files)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # pip moves and removes its files while they are counted
        return 0
