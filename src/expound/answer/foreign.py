"""Answers of foreign systems: any command that reads and writes lines, any address that takes and gives JSON.

What goes in is `{"id", "question", "evidence": […], "interpretations": […]}`; what comes out is a prediction record, or
just `{"answer": "text"}`.
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from expound.errors import ForeignSystemFailed, UserError
from expound.records import evidence_record, interpretation_record, prediction_from, question_id
from expound.types import Answer, Evidence, Interpretation

_TAIL = 300


@dataclass(eq=False)
class Command:
    """A program that stays open: a question is a line to its standard input, an answer a line from its output."""

    line: str
    seconds: float = 120.0
    _process: subprocess.Popen[str] | None = field(default=None, init=False, repr=False)
    _lines: queue.Queue[str] = field(default_factory=queue.Queue, init=False, repr=False)
    _errors: list[str] = field(default_factory=list, init=False, repr=False)

    def __repr__(self) -> str:
        return f"Command({self.line!r})" if self.seconds == 120.0 else f"Command({self.line!r}, seconds={self.seconds})"

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """What the program answers; an error if it dies, is silent for too long or prints something else."""
        self._send(json.dumps(request_record(question, evidence, interpretations), ensure_ascii=False))
        try:
            said = self._lines.get(timeout=self.seconds)
        except queue.Empty:
            self.close()
            raise ForeignSystemFailed(f"{self!r} gave no answer within {self.seconds:g} s; raise seconds=") from None
        if not said:
            raise self._died()
        return answer_from(said, repr(self))

    def close(self) -> None:
        """End the program."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _send(self, request: str) -> None:
        process = self._process or self._start()
        assert process.stdin
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise self._died() from error

    def _start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        try:
            words = shlex.split(self.line)
            process = subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8", bufsize=1
            )
        except (OSError, ValueError, IndexError) as error:
            raise UserError(f"{self!r} cannot be started: {error}") from error
        threading.Thread(target=self._read, args=(process,), daemon=True).start()
        threading.Thread(target=self._read_errors, args=(process,), daemon=True).start()
        self._process = process
        return process

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout
        try:
            for line in process.stdout:
                if line.strip():
                    self._lines.put(line)
        except UnicodeDecodeError:
            self._lines.put("(not UTF-8)")
        self._lines.put("")

    def _read_errors(self, process: subprocess.Popen[str]) -> None:
        # Read all the time: a program that fills this pipe would wait for us for ever.
        assert process.stderr
        for line in process.stderr:
            self._errors[:] = [*self._errors[-20:], line]

    def _died(self) -> ForeignSystemFailed:
        process, self._process = self._process, None
        code = process.wait(timeout=5) if process else "?"
        time.sleep(0.05)  # the last words are still on their way
        last = " ".join("".join(self._errors).split())[-_TAIL:]
        return ForeignSystemFailed(f"{self!r} ended with exit code {code}{': ' + last if last else ''}")


@dataclass(frozen=True)
class Http:
    """An address that takes a question by POST and gives an answer."""

    url: str
    seconds: float = 120.0
    retries: int = 2

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise UserError(f"{self.url!r} is not an address; it starts with http:// or https://")

    def __repr__(self) -> str:
        return f"Http({self.url!r})"

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """What the address answers; a failure that may pass is tried again."""
        body = json.dumps(request_record(question, evidence, interpretations), ensure_ascii=False).encode()
        for attempt in range(self.retries + 1):
            try:
                return answer_from(self._post(body), repr(self))
            except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
                may_pass = not isinstance(error, urllib.error.HTTPError) or error.code in (429, 500, 502, 503, 504)
                if not may_pass or attempt == self.retries:
                    raise ForeignSystemFailed(f"{self!r} failed: {error}") from error
                time.sleep(2**attempt * 0.2)
        raise AssertionError("unreachable")

    def _post(self, body: bytes) -> str:
        request = urllib.request.Request(self.url, data=body, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=self.seconds) as response:
            return str(response.read().decode("utf-8", errors="replace"))


def request_record(
    question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation]
) -> dict[str, Any]:
    """What a foreign system is asked."""
    return {
        "id": question_id(question),
        "question": question,
        "evidence": [evidence_record(item) for item in evidence],
        "interpretations": [interpretation_record(item) for item in interpretations],
    }


def answer_from(said: str, who: str) -> Answer:
    """The answer in what a foreign system said."""
    try:
        record = json.loads(said)
        answer = record["answer"]
        if isinstance(answer, Mapping):
            return prediction_from({"id": "", **record}).answer
        if not isinstance(answer, str):
            raise TypeError(f"expected text, found {answer!r:.40}")
        return Answer(answer)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        shown = " ".join(said.split())[:80]
        raise ForeignSystemFailed(f'{who} did not print {{"answer": …}} but: {shown}') from error
