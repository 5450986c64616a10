"""Open a file, or a page by its address, in the program that the system has for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from expound.errors import ExpoundError

_LONGEST_REFUSAL_SECONDS = 2.0
"""An opener without a program for a file says so in a tenth of that, on an idle machine."""


def open_file(path: Path) -> None:
    """Start the system's own opener and leave it to itself; no shell sees the name of the file."""
    if not path.exists():
        raise ExpoundError(f"{path} is no longer there: add the documents again to bring the corpus up to date")
    if sys.platform == "win32":
        os.startfile(path)
        return
    name = "open" if sys.platform == "darwin" else "xdg-open"
    opener = shutil.which(name)
    if opener is None:
        raise ExpoundError(f"this system has no {name} to open files with; the file is {path}")
    nothing = subprocess.DEVNULL
    started = subprocess.Popen(
        [opener, str(path)], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    )
    if _has_failed(started):
        raise ExpoundError(f"{name} found no program to open it with; the file is {path}")


def _has_failed(started: subprocess.Popen[bytes]) -> bool:
    """Whether an opener gives up at once; some stay until their window is closed, so it is not waited for longer."""
    try:
        return started.wait(timeout=_LONGEST_REFUSAL_SECONDS) != 0
    except subprocess.TimeoutExpired:
        return False


def open_address(address: str) -> None:
    """Show a page where the user reads pages: our copy of it would run its scripts as a file of this machine."""
    import webbrowser

    if not webbrowser.open(address):
        raise ExpoundError(f"this system has no browser to open pages with; the page is {address}")
