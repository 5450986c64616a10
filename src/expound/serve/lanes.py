"""Lanes of work: jobs in the order in which they came, so many at a time; who waits is told how many are before."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

from expound.errors import UserError


@dataclass(frozen=True, slots=True)
class Waiting:
    """So many others come first."""

    ahead: int


@dataclass(frozen=True, slots=True)
class Begun:
    """The job is being worked on."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the job says on its way."""

    value: Any


@dataclass(frozen=True, slots=True)
class Finished:
    """What the job gave."""

    value: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """Why the job gave nothing."""

    error: BaseException


Event: TypeAlias = Waiting | Begun | Told | Finished | Failed
Tell: TypeAlias = Callable[[Event], None]
Job: TypeAlias = Callable[[Tell], Any]


class LaneFull(UserError):
    """So many wait already that one more would wait for nothing."""


@dataclass(frozen=True, eq=False)
class Ticket:
    """A job in a lane: whose it is, and who hears of it."""

    job: Job
    tell: Tell
    whose: str


class Lane:
    """A queue with a few threads; each thread keeps what it opens."""

    def __init__(self, workers: int, *, most: int, most_each: int) -> None:
        self._workers, self._most, self._most_each = workers, most, most_each
        self._pool = ThreadPoolExecutor(workers)
        # One lock for the list and the count: who is told a place must have been given it.
        self._guard = threading.Lock()
        self._waiting: list[Ticket] = []
        self._running = 0

    def submit(self, job: Job, *, tell: Tell, whose: str) -> Ticket:
        """Put a job behind all others; refused where too many wait, in all or of one visitor."""
        ticket = Ticket(job, tell, whose)
        with self._guard:
            self._refuse_if_full(whose)
            self._waiting.append(ticket)
            if self._running == self._workers:
                # Under the lock, so that no later news can overtake this one.
                tell(Waiting(len(self._waiting) - 1 + self._running))
        # Not this job but "the next one": when somebody leaves, the thread finds whoever is first by then.
        self._pool.submit(self._run_next)
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give a place up; a job that has begun goes on."""
        with self._guard:
            # Tickets are equal only to themselves: two jobs of one visitor must not be taken for each other.
            if ticket in self._waiting:
                self._waiting.remove(ticket)
                self._tell_places()

    def close(self) -> None:
        # Without waiting: a text model may be at work for minutes, and Ctrl-C means now.
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _refuse_if_full(self, whose: str) -> None:
        if len(self._waiting) >= self._most:
            raise LaneFull(f"{len(self._waiting)} questions wait already; ask again in a minute")
        if sum(ticket.whose == whose for ticket in self._waiting) >= self._most_each:
            raise LaneFull(f"{self._most_each} of your questions wait already; wait for one of them")

    def _run_next(self) -> None:
        with self._guard:
            if not self._waiting:  # somebody has left
                return
            ticket = self._waiting.pop(0)
            self._running += 1
            self._tell_places()
        ticket.tell(Begun())
        try:
            event: Event = Finished(ticket.job(ticket.tell))
        except BaseException as error:  # a panic of a native library is no Exception, and somebody waits for an answer
            event = Failed(error)
        with self._guard:
            self._running -= 1
            self._tell_places()
        # After the count went down: whoever hears of the end and asks again must find the place free.
        ticket.tell(event)

    def _tell_places(self) -> None:
        for place, ticket in enumerate(self._waiting):
            ticket.tell(Waiting(place + self._running))


async def follow(lane: Lane, job: Job, *, whose: str) -> AsyncIterator[Event]:
    """All that is heard of a job; whoever stops listening gives the place up."""
    loop = asyncio.get_running_loop()
    heard: asyncio.Queue[Event] = asyncio.Queue()

    def tell(event: Event) -> None:
        # The loop is gone when the server stops while a job is still at work.
        if not loop.is_closed():
            loop.call_soon_threadsafe(heard.put_nowait, event)

    ticket = lane.submit(job, tell=tell, whose=whose)
    try:
        while True:
            event = await heard.get()
            yield event
            if isinstance(event, Finished | Failed):
                return
    finally:
        lane.leave(ticket)


async def result_of(lane: Lane, job: Job, *, whose: str) -> Any:
    """What a job gives, for those who need not know of the way there."""
    async for event in follow(lane, job, whose=whose):
        if isinstance(event, Failed):
            raise event.error
        if isinstance(event, Finished):
            return event.value
    raise AssertionError("a job ends")
