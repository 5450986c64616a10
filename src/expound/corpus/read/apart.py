"""Read a document in a process of its own, whose memory and time are bounded: one hostile file cannot stop the others.

Libraries that read PDF, HTML and XML are native code that takes what a file asks for; a few kilobytes can ask for
gigabytes. The process is kept for the next file, and a new one is started after one that did not survive.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from expound.corpus.read.document import Block, Document, PartlyRead
from expound.corpus.read.limits import MOST_MEMORY, seconds_for
from expound.corpus.read.raw import name_of
from expound.errors import BadInput
from expound.types import Part, Passage, Source

_COMMAND = ("-P", "-m", "expound.corpus.read.apart_process")
# Kept between files: starting Python and its libraries takes longer than most documents.
_idle: list[ReadingProcess] = []


def read_apart(path: Path) -> Iterator[Document | Passage | PartlyRead]:
    """What a file holds, read by another process; what goes wrong there is a BadInput."""
    process = _idle.pop() if _idle else ReadingProcess()
    try:
        yield from process.read(path)
    finally:
        if process.is_ready:
            _idle.append(process)
        else:
            process.close()


class ReadingProcess:
    """Takes a path a line and gives back what the file holds, a block a line."""

    def __init__(self) -> None:
        # The same modules as here and none from the user's folder.
        path = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
        self._process = subprocess.Popen(
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.is_ready = True

    def read(self, path: Path) -> Iterator[Document | Passage | PartlyRead]:
        """The items of one file."""
        # Until it has answered to the end: whatever breaks off in between, this process is not used again.
        self.is_ready = False
        with suppress(BrokenPipeError):  # it is gone, and the empty answer says why
            # Relative names mean this process's folder, and it may have moved since the other one was started.
            self._send({"path": str(path), "folder": os.sep if path.is_absolute() else str(Path.cwd())})
        blocks: list[Block] = []
        refused = ""
        while "is_last" not in (answer := self._answer(path)):
            if "block" in answer:
                blocks.append(_block(answer["block"]))
            elif "document" in answer:
                yield Document(blocks=tuple(blocks), **answer["document"])
                blocks = []
            elif "passage" in answer:
                yield _passage(answer["passage"])
            elif "remark" in answer:
                yield PartlyRead(answer["remark"])
            else:
                refused = answer["refused"]
        self.is_ready = not answer["is_last"]
        if refused:
            raise BadInput(refused)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with suppress(BrokenPipeError):
                    stream.close()

    def _send(self, request: dict[str, str]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()

    def _answer(self, path: Path) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        # Half a line, or none: it was killed, by its bounds or by the system.
        if not line.endswith(b"\n"):
            raise BadInput(f"{name_of(path)}: {self._why_it_ended(path)}; save its text as a .txt file instead")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _why_it_ended(self, path: Path) -> str:
        # The kernel's own signal for spent time tells this case from all others.
        if self._process.wait() == -signal.SIGXCPU:
            return f"not read after {seconds_for(path)} seconds of work"
        return f"not read: it takes more than {MOST_MEMORY >> 20} MB of memory, or breaks its reader"


def _block(values: list[Any]) -> Block:
    text, kind, path, mark, level, page = values
    return Block(text=text, kind=kind, path=tuple(path), mark=mark, level=level, page=page)


def _passage(values: dict[str, Any]) -> Passage:
    source, parts = Source(**values.pop("source")), tuple(Part(**part) for part in values.pop("parts"))
    return Passage(source=source, parts=parts, **values)
