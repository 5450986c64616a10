"""Answers of foreign systems: any command that reads and writes lines, any address that takes and gives JSON.

What goes in is `{"id", "question", "evidence": […], "interpretations": […]}`; what comes out is a prediction record, or
just `{"answer": "text"}`.
"""

from __future__ import annotations

import http.client
import json
import shlex
import time
import urllib.error
import urllib.request
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from expound.answer.program import MOST_BYTES, Program, Silent, TooMuch
from expound.errors import ForeignSystemFailed, UserError
from expound.records import evidence_record, interpretation_record, prediction_from, question_id, without_surrogates
from expound.types import Answer, Evidence, Interpretation

# Characters of its last words: the end of a traceback, with the error itself, in one message.
_TAIL = 300
_BLOCK = 1 << 16
_LIMIT = f"{MOST_BYTES // 1_000_000} MB"


@dataclass(eq=False)
class Command:
    """A program that stays open: a question is a line to its standard input, an answer a line from its output.

    Lines that are no JSON objects, such as "Loading model…", are skipped; the answer's notes tell the last of them.
    """

    line: str
    # A system that loads a model of its own before the first answer needs a minute or two.
    seconds: float = 120.0
    _program: Program | None = field(default=None, init=False, repr=False)

    def __repr__(self) -> str:
        return f"Command({self.line!r})" if self.seconds == 120.0 else f"Command({self.line!r}, seconds={self.seconds})"

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """What the program answers; an error if it dies, is silent for too long or prints something else."""
        program = self._program or self._start()
        program.send(json.dumps(request_record(question, evidence, interpretations), ensure_ascii=False))
        stray = ""
        try:
            for line in self._lines(program):
                if is_object(line):
                    answer = answer_from(line, repr(self))
                    return replace(answer, notes={**answer.notes, "skipped": stray}) if stray else answer
                stray = _quote_start(line)
        except Silent:
            # The time is over, but the program may be sound: the message says how to give it more.
            raise self._failed(f"gave no answer within {self.seconds:g} s{_advice(stray)}") from None
        except TooMuch:
            raise self._failed(f"printed more than {_LIMIT} for one answer") from None
        raise self._died(stray)

    def close(self) -> None:
        """End the program, and what it has started."""
        if self._program:
            self._program.end()
            self._program = None

    def _start(self) -> Program:
        try:
            program = Program(shlex.split(self.line))
        except (OSError, ValueError, IndexError) as error:
            raise UserError(f"{self!r} cannot be started: {error}") from error
        # Also when nobody calls `close`: a program must not outlive the object that started it.
        weakref.finalize(self, program.end)
        self._program = program
        return program

    def _lines(self, program: Program) -> Iterator[str]:
        """What it prints about one question, as long as there is time and room."""
        # For the whole answer: a program that prints a line every second would never be silent.
        until, room = time.monotonic() + self.seconds, MOST_BYTES
        while (line := program.line(seconds=until - time.monotonic())) is not None:
            room -= len(line)
            if room < 0:
                raise TooMuch
            yield self._decode_line(line)

    def _decode_line(self, line: bytes) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ForeignSystemFailed(f"{self!r} printed something that is not UTF-8") from error

    def _failed(self, what: str) -> ForeignSystemFailed:
        """What it prints from now on would be taken for the answer to another question, so it is ended."""
        self.close()
        return ForeignSystemFailed(f"{self!r} {what}")

    def _died(self, stray: str) -> ForeignSystemFailed:
        program, self._program = self._program, None
        assert program  # a program that was never started cannot have died
        code = program.exit_code()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        last = program.last_words()[-_TAIL:] or stray
        return ForeignSystemFailed(f"{self!r} {how}{': ' + last if last else ''}")


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
            except TooMuch:
                raise ForeignSystemFailed(f"{self!r} sent more than {_LIMIT} for one answer") from None
            except (OSError, http.client.HTTPException) as error:
                # Too many requests, and what servers and proxies say while they
                # start again; other codes mean the question itself.
                may_pass = not isinstance(error, urllib.error.HTTPError) or error.code in (429, 500, 502, 503, 504)
                if not may_pass or attempt == self.retries:
                    raise ForeignSystemFailed(f"{self!r} failed: {error or type(error).__name__}") from error
                # 0.2 s, 0.4 s: for a hiccup of the network. A service that
                # needs longer pauses has them in its own client.
                time.sleep(2**attempt * 0.2)
        raise AssertionError("unreachable")

    def _post(self, body: bytes) -> str:
        request = urllib.request.Request(self.url, data=body, headers={"Content-Type": "application/json"})
        # `timeout` bounds each read; an address that drips a byte a minute is bounded by the clock.
        until = time.monotonic() + self.seconds
        with urllib.request.urlopen(request, timeout=self.seconds) as response:
            return _read_whole(response, until).decode("utf-8", errors="replace")


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
    """The answer in what a foreign system said; half characters, which no file can hold, are replaced."""
    try:
        record = without_surrogates(json.loads(said))
        # An answer beside an error is still an answer.
        if "error" in record and "answer" not in record:
            raise ForeignSystemFailed(f"{who} reported: {_quote_start(str(record['error']))}")
        answer = record["answer"]
        if isinstance(answer, Mapping):
            return prediction_from({"id": "", **record}).answer
        if not isinstance(answer, str):
            raise TypeError(f"expected text, found {answer!r:.40}")
        return Answer(answer)
    # Everything that JSON of a stranger can do to us: no object, missing fields, huge numbers, nesting without end.
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ForeignSystemFailed(f'{who} did not print {{"answer": …}} but: {_quote_start(said)}') from error


def is_object(line: str) -> bool:
    """Whether a line begins like a JSON object; one that turns out to be broken is a bad answer, not a remark."""
    return line.lstrip().startswith("{")


def _read_whole(response: http.client.HTTPResponse, until: float) -> bytes:
    """What an address sends, as long as there is time and room for it."""
    content = bytearray()
    # `read1` gives what has come: `read` would wait for a full block, and the time could not be watched.
    while block := response.read1(_BLOCK):
        content += block
        if len(content) > MOST_BYTES:
            raise TooMuch
        if time.monotonic() > until:
            raise TimeoutError("the answer was not complete in time")
    return bytes(content)


def _advice(stray: str) -> str:
    if stray:
        return f', only other lines, such as: {stray}; an answer is a line {{"answer": "…"}}'
    return "; raise seconds="


def _quote_start(said: str) -> str:
    return " ".join(said.split())[:80]
