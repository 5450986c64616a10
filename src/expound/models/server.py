"""A server that is asked patiently: again after failures that may pass, but not without end, and never in silence."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from expound.errors import EndpointFailed
from expound.models.address import Address, short
from expound.models.alarm import Alarm
from expound.models.connection import Connection, MayPass, without_key
from expound.models.remarks import Say, to_stderr

if TYPE_CHECKING:
    import httpx

# Who asks for a longer pause has a quota by the hour: the user should know rather than wait.
LONGEST_WAIT_SECONDS = 120.0
# A shorter wait is over before its line is read.
_WORTH_A_REMARK_SECONDS = 2.0

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a server, and how often to ask it again."""

    tries: int = 6
    connect_seconds: float = 10.0
    silent_seconds: float = 300.0
    """Between two pieces: a server without a graphics card reads a long prompt for minutes before it writes."""
    first_wait_seconds: float = 0.5
    whole_seconds: float = 900.0
    """A call with all its tries: 4,000 tokens of thoughts and answer at the five a second of a slow machine."""
    remark_seconds: float = 10.0
    """After which the user is told what is waited for."""

    def wait(self, attempt: int, asked_for: float | None) -> float:
        """Twice as long every time, not in step with others; what the server asks for, if it says so."""
        if asked_for is not None:
            return asked_for
        doubled: float = self.first_wait_seconds * 2**attempt
        # Not in step: many calls that failed together would come back together.
        return min(LONGEST_WAIT_SECONDS, doubled) * random.uniform(0.5, 1.0)


PATIENT = Patience()


class Server:
    """Where requests go; `say` gets a line about every wait that can be noticed."""

    def __init__(self, address: Address, patience: Patience = PATIENT, *, say: Say | None = None) -> None:
        self.address, self.url, self.patience = address, address.url, patience
        self._connection = Connection(
            address, connect_seconds=patience.connect_seconds, silent_seconds=patience.silent_seconds
        )
        self._say, self._has_remarked, self._is_down = say or to_stderr, False, False
        self._told_until = 0.0

    def patiently(self, attempt: Callable[[float], Result]) -> Result:
        """What the attempt gives, tried again after failures that may pass; it gets the seconds that are left."""
        end, reason = time.monotonic() + self.patience.whole_seconds, ""
        # After it has failed for good, the next calls find out whether it is back, but do not wait for it.
        tries = 1 if self._is_down else self.patience.tries
        for number in range(tries):
            try:
                # All tries share one time: a server that fails slowly must not take six times as long.
                result = attempt(max(0.0, end - time.monotonic()))
            except MayPass as failure:
                reason = short(without_key(str(failure)))
                # After the last try there is nothing to wait for.
                if number + 1 < tries:
                    self._wait(self.patience.wait(number, failure.wait), reason, end)
            else:
                self._is_down = False
                return result
        raise self._failed(f"failed {tries} times, at last with: {reason}" if tries > 1 else f"still fails: {reason}")

    @contextmanager
    def answer(
        self, method: str, path: str, payload: Mapping[str, Any] | None = None, *, seconds: float
    ) -> Iterator[httpx.Response]:
        """The server's answer to a request, within so many seconds; a failure is an `ExpoundError`, or `MayPass`."""
        with Alarm(seconds, remark_seconds=self.patience.remark_seconds, remark=self._remark) as alarm:
            try:
                with self._connection.answer(method, path, payload, alarm.watch) as response:
                    yield response
            # The alarm's hanging up looks like a lost connection.
            except MayPass:
                if alarm.has_rung:
                    raise self._too_slow() from None
                raise

    def _wait(self, seconds: float, reason: str, end: float) -> None:
        """Let the server rest, and say so when it takes a while."""
        if seconds > LONGEST_WAIT_SECONDS:
            raise self._failed(f"wants to be left alone for {seconds:.0f} s: {reason}")
        if time.monotonic() + seconds >= end:
            raise self._too_slow()
        # One line for all calls that wait at the same time.
        if seconds >= _WORTH_A_REMARK_SECONDS and time.monotonic() + seconds > self._told_until:
            self._told_until = time.monotonic() + seconds
            self._say(f"{self.url} cannot answer now ({reason}); asking again in {seconds:.0f} s")
        time.sleep(seconds)

    def _remark(self) -> None:
        """Say once what takes so long."""
        if not self._has_remarked:
            self._has_remarked = True
            waited, most = self.patience.remark_seconds, self.patience.whole_seconds
            self._say(f"waiting for {self.url}: no whole reply after {waited:g} s; {most:g} s are the most")

    def _too_slow(self) -> EndpointFailed:
        seconds = self.patience.whole_seconds
        return self._failed(f"did not finish a reply within {seconds:g} s; EXPOUND_CALL_SECONDS allows more")

    def _failed(self, how: str) -> EndpointFailed:
        self._is_down = True
        return EndpointFailed(f"{self.url} {how}")
