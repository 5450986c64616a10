"""A program that stays open: lines in, lines out, little memory whatever it prints, and gone when we are."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

MOST_BYTES = 8_000_000
"""The longest answer: an answer with twenty long passages has a hundredth of it."""

_BLOCK = 1 << 16
# A traceback or two; whatever else a program prints to its error output is forgotten as it comes.
_TAIL = 2000
# A program that has closed its output mostly ends at once, and how it ended is worth this wait.
_SECONDS_TO_END = 5.0
# Ends the program's whole group when its own input ends: when we are gone, however we went.
_WATCH = 'read -r line; kill -s KILL -- "-$1"'


class TooMuch(Exception):
    """A line is longer than anyone will read."""


class Silent(Exception):
    """Nothing was printed in time."""


class Program:
    """A running program; whoever starts it ends it."""

    def __init__(self, words: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        # A session of its own: Ctrl-C is for us to act on, and what the program starts is ended with it.
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self._watcher = _watch(self._process.pid)
        self._ended = threading.Event()
        # Written by a thread: the program may fill its output before it reads, and both would wait for each other.
        self._requests: queue.Queue[bytes | None] = queue.Queue()
        # One line at a time: a program that prints more than is asked for has to wait.
        self._lines: queue.Queue[bytes | None] = queue.Queue(maxsize=1)
        self._tail = b""
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        _start(self._write, self._process.stdin)
        _start(self._read, self._process.stdout)
        self._listener = _start(self._listen, self._process.stderr)

    def send(self, line: str) -> None:
        """Give the program a line; without waiting, since it may not read before it has written."""
        self._requests.put(line.encode("utf-8", errors="replace") + b"\n")

    def line(self, *, seconds: float) -> bytes | None:
        """The next line that is not empty; None when there are no more."""
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise Silent from None
        if line is not None and len(line) > MOST_BYTES:
            raise TooMuch
        return line

    def last_words(self) -> str:
        """The end of what it wrote to its standard error."""
        return " ".join(self._tail.decode("utf-8", errors="replace").split())

    def exit_code(self) -> int | None:
        """How it ended by itself after its output did; None if it goes on without one."""
        try:
            return self._process.wait(timeout=_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.end()
            self._listener.join(timeout=_SECONDS_TO_END)  # the last words are still on their way

    def end(self) -> None:
        """End the program and everything it started; once, since another may get its number."""
        if self._ended.is_set():
            return
        self._ended.set()
        self._requests.put(None)
        # Gone already, or a number that is not ours any more.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._watcher.kill()
        self._watcher.wait()  # without it a finished program stays in the process table
        self._process.wait()

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError), stream:  # a program that has ended is noticed by its output
            while (request := self._requests.get()) is not None:
                stream.write(request)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(MOST_BYTES + 1):
                if line.strip():
                    self._put(line)
                # What follows an overlong line is the rest of it, and no line of its own.
                if len(line) > MOST_BYTES or self._ended.is_set():
                    return
        self._put(None)

    def _put(self, line: bytes | None) -> None:
        # Not for ever: a reader that nobody listens to must notice that the program was ended.
        while not self._ended.is_set():
            with suppress(queue.Full):
                return self._lines.put(line, timeout=0.5)
        return None

    def _listen(self, stream: IO[bytes]) -> None:
        # Read all the time: a program that fills this pipe would wait for us for ever.
        with stream:
            while block := stream.read1(_BLOCK):  # type: ignore[attr-defined] # a pipe is a BufferedReader
                self._tail = (self._tail + block)[-_TAIL:]


def _watch(group: int) -> subprocess.Popen[bytes]:
    """A shell that sleeps on a pipe which only we hold open, and ends the group when the pipe is closed."""
    # A shell: it needs no Python of its own, and dies with a closed pipe even when we were killed.
    quiet = subprocess.DEVNULL
    words = ["/bin/sh", "-c", _WATCH, "sh", str(group)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True)


def _start(work: Callable[[IO[bytes]], None], stream: IO[bytes]) -> threading.Thread:
    thread = threading.Thread(target=work, args=(stream,), daemon=True)
    thread.start()
    return thread
