"""Lanes: order, places, limits, and what becomes of those who leave."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from expound.serve.lanes import Begun, Event, Failed, Finished, Lane, LaneFull, Tell, Told, Waiting, follow, result_of

_PATIENCE_SECONDS = 60


class Gate:
    """A job that waits until it is let on."""

    def __init__(self) -> None:
        self.begun, self.opened = threading.Event(), threading.Event()

    def __call__(self, tell: Tell) -> str:
        self.begun.set()
        assert self.opened.wait(_PATIENCE_SECONDS)
        return "through"


class Heard:
    """What was told of a job; one can wait for its end."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.over = threading.Event()

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, Finished | Failed):
            self.over.set()


@pytest.fixture
def lane() -> Iterator[Lane]:
    opened = Lane(2, most=4, most_each=2)
    yield opened
    opened.close()


def test_two_are_at_work_and_the_others_know_how_many_are_before(lane: Lane) -> None:
    gates = [Gate(), Gate()]
    for gate in gates:
        lane.submit(gate, tell=Heard(), whose="x")
        assert gate.begun.wait(_PATIENCE_SECONDS)
    third, fourth = Heard(), Heard()
    lane.submit(lambda _tell: 3, tell=third, whose="a")
    lane.submit(lambda _tell: 4, tell=fourth, whose="b")
    assert third.events == [Waiting(2)]
    assert fourth.events == [Waiting(3)]
    gates[0].opened.set()
    assert third.over.wait(_PATIENCE_SECONDS)
    assert fourth.over.wait(_PATIENCE_SECONDS)
    assert third.events[-2:] == [Begun(), Finished(3)]
    assert Waiting(2) in fourth.events
    gates[1].opened.set()


def test_too_many_are_refused_in_all_and_of_one(lane: Lane) -> None:
    gates = [Gate(), Gate()]
    for gate in gates:
        lane.submit(gate, tell=Heard(), whose="x")
        assert gate.begun.wait(_PATIENCE_SECONDS)
    for _ in range(2):
        lane.submit(lambda _tell: 0, tell=Heard(), whose="a")
    with pytest.raises(LaneFull, match="2 of your questions wait already"):
        lane.submit(lambda _tell: 0, tell=Heard(), whose="a")
    for _ in range(2):
        lane.submit(lambda _tell: 0, tell=Heard(), whose="b")
    with pytest.raises(LaneFull, match="4 questions wait already"):
        lane.submit(lambda _tell: 0, tell=Heard(), whose="c")
    for gate in gates:
        gate.opened.set()


def test_whoever_leaves_gives_the_place_up(lane: Lane) -> None:
    gates = [Gate(), Gate()]
    for gate in gates:
        lane.submit(gate, tell=Heard(), whose="x")
        assert gate.begun.wait(_PATIENCE_SECONDS)
    leaver, stayer = Heard(), Heard()
    ticket = lane.submit(lambda _tell: "never", tell=leaver, whose="a")
    lane.submit(lambda _tell: "done", tell=stayer, whose="b")
    lane.leave(ticket)
    assert stayer.events[-1] == Waiting(2)
    for gate in gates:
        gate.opened.set()
    assert stayer.over.wait(_PATIENCE_SECONDS)
    assert leaver.events == [Waiting(2)]


def test_a_job_that_breaks_is_told_and_the_lane_goes_on(lane: Lane) -> None:
    class Panic(BaseException):
        """What a native library throws."""

    def broken(_tell: Tell) -> None:
        raise Panic

    heard, next_one = Heard(), Heard()
    lane.submit(broken, tell=heard, whose="a")
    assert heard.over.wait(_PATIENCE_SECONDS)
    assert isinstance(heard.events[-1], Failed)
    lane.submit(lambda _tell: 1, tell=next_one, whose="a")
    assert next_one.over.wait(_PATIENCE_SECONDS)
    assert next_one.events[-1] == Finished(1)


def test_what_a_job_says_is_heard_in_order(lane: Lane) -> None:
    def say(tell: Tell) -> str:
        for number in range(3):
            tell(Told(number))
        return "end"

    async def listen() -> list[Event]:
        return [event async for event in follow(lane, say, whose="a")]

    assert asyncio.run(listen()) == [Begun(), Told(0), Told(1), Told(2), Finished("end")]
    assert asyncio.run(result_of(lane, say, whose="a")) == "end"
