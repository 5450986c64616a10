"""A page of a PDF as a picture with a sentence marked, drawn by a process of its own within bounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from expound.corpus.read.raw import name_of
from expound.errors import BadInput

_COMMAND = ("-P", "-m", "expound.corpus.read.pdf_picture_process")
# The process bounds its own work; this is for one that waits for a disk.
_PATIENCE_SECONDS = 120


def draw_page(path: Path, page: int, quoted: str = "") -> bytes:
    """The page of this number as PNG, or the next one, if only that has what is quoted."""
    # The same modules as here and none from the user's folder.
    modules = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
    try:
        done = subprocess.run(
            [sys.executable, *_COMMAND],
            input=json.dumps({"path": os.path.abspath(path), "page": page, "quoted": quoted}).encode(),
            capture_output=True,
            env={**os.environ, "PYTHONPATH": modules},
            timeout=_PATIENCE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise BadInput(f"{name_of(path)}: page {page} took too long to draw; open the file itself") from error
    # Whatever a hostile file does to its process, it does not become a picture.
    if done.returncode or not done.stdout.startswith(b"\x89PNG"):
        raise BadInput(f"{name_of(path)}: page {page} cannot be drawn; open the file itself")
    return done.stdout
