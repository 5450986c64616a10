"""A call has an end, whatever the server does, and nobody waits without knowing for what."""

from __future__ import annotations

import threading
import time
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import EndpointFailed, UserError
from expound.models.endpoint import Endpoint, open_endpoint
from expound.models.engine import Sampling
from expound.models.server import Patience
from expound.models.stream import _lines
from expound.testing.fake_endpoint import Behaviour, FakeEndpoint
from expound.types import Prompt

SHORT = Prompt("text", max_tokens=24)
PATIENT = Patience(tries=3, first_wait_seconds=0.001)
HASTY = replace(PATIENT, whole_seconds=0.5, silent_seconds=60.0)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits that a user would notice; none of them is waited for."""
    waits: list[float] = []
    real = time.sleep

    def sleep(seconds: float) -> None:
        if seconds >= 1:
            waits.append(seconds)
        else:
            real(seconds)

    monkeypatch.setattr(time, "sleep", sleep)
    return waits


def complete(server: FakeEndpoint, patience: Patience = PATIENT) -> str:
    return Endpoint(server.url, "m", patience).complete(SHORT, Sampling()).text


def test_a_text_without_end_is_cut_off() -> None:
    with FakeEndpoint(Behaviour("endless")) as server:
        reply = Endpoint(server.url, "m", PATIENT).complete(SHORT, Sampling())
        assert reply.text.startswith("TEXTTEXT")
        assert len(reply.text) < 1000
        assert reply.is_cut
        assert len(server.chats) == 1


@pytest.mark.parametrize("kind", ["comments", "flood"])
def test_a_server_that_sends_too_much_is_hung_up_on_and_not_asked_again(kind: str) -> None:
    with FakeEndpoint(Behaviour(kind, text="x" * 50_000)) as server:
        tracemalloc.start()
        with pytest.raises(EndpointFailed, match=r"sent more than 4\.2 MB for a reply of at most 24 tokens"):
            complete(server)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(server.chats) == 1
        assert peak < 30_000_000


@pytest.mark.parametrize("kind", ["drip", "slow_head", "comments", "stall"])
def test_a_server_that_never_ends_is_hung_up_on(kind: str) -> None:
    with FakeEndpoint(Behaviour(kind, seconds=100.0 if kind == "stall" else 0.01)) as server:
        with pytest.raises(EndpointFailed, match=r"did not finish a reply within 0\.5 s; EXPOUND_CALL_SECONDS"):
            complete(server, HASTY)
        assert len(server.chats) == 1


def test_the_time_of_a_call_is_that_of_all_its_tries(slept: list[float]) -> None:
    with FakeEndpoint(Behaviour("status", 429, headers={"Retry-After": "100"})) as server:
        with pytest.raises(EndpointFailed, match="within 50 s"):
            complete(server, replace(PATIENT, whole_seconds=50.0))
        assert slept == []


def test_the_server_says_how_long_to_wait_and_the_user_is_told(slept: list[float]) -> None:
    said: list[str] = []
    later = Behaviour("status", 429, text="quota", headers={"Retry-After": "100"})
    with FakeEndpoint(later) as server:
        engine = Endpoint(server.url, "m", PATIENT, say=said.append)
        assert engine.complete(SHORT, Sampling()).text == "TEXT"
        assert said == [f"{server.url}/v1 cannot answer now (429 quota); asking again in 100 s"]
    assert slept == [100.0]


def test_calls_that_wait_at_the_same_time_tell_it_once(slept: list[float]) -> None:
    said: list[str] = []
    waits = [Behaviour("status", 429, headers={"Retry-After": seconds}) for seconds in ("100", "90")]
    with FakeEndpoint(*waits) as server:
        engine = Endpoint(server.url, "m", PATIENT, say=said.append)
        threads = [threading.Thread(target=engine.complete, args=(SHORT, Sampling())) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(slept) == [90.0, 100.0]
    assert 1 <= len(said) <= 2  # the shorter one is told if it came first
    assert "in 100 s" in said[-1]


def test_a_wait_of_a_moment_is_not_worth_a_line(slept: list[float]) -> None:
    said: list[str] = []
    with FakeEndpoint(Behaviour("status", 503)) as server:
        Endpoint(server.url, "m", PATIENT, say=said.append).complete(SHORT, Sampling())
    assert said == []


def test_who_waits_long_is_told_once_for_what() -> None:
    said: list[str] = []
    told = threading.Event()

    def say(text: str) -> None:
        said.append(text)
        told.set()

    def reply(prompt: str) -> str:
        assert told.wait(60)
        return prompt

    with FakeEndpoint(reply=reply) as server:
        engine = Endpoint(server.url, "m", replace(PATIENT, remark_seconds=0.01), say=say)
        assert [engine.complete(SHORT, Sampling()).text for _ in range(2)] == ["text", "text"]
        assert said == [f"waiting for {server.url}/v1: no whole reply after 0.01 s; 900 s are the most"]


def test_a_server_that_failed_for_good_is_asked_once_until_it_is_back() -> None:
    with FakeEndpoint(*[Behaviour("status", 500)] * 4) as server:
        engine = Endpoint(server.url, "m", PATIENT)
        for chats in (3, 4):
            with pytest.raises(EndpointFailed):
                engine.complete(SHORT, Sampling())
            assert len(server.chats) == chats
        assert engine.complete(SHORT, Sampling()).text == "TEXT"
        server.script.append(Behaviour("status", 500))
        assert engine.complete(SHORT, Sampling()).text == "TEXT"


def test_how_long_a_call_may_take_is_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_CALL_SECONDS", "12.5")
    assert open_endpoint("http://host#m").server.patience.whole_seconds == 12.5
    for value in ("soon", "0", "-1", "nan", "inf"):
        monkeypatch.setenv("EXPOUND_CALL_SECONDS", value)
        with pytest.raises(UserError, match="EXPOUND_CALL_SECONDS"):
            open_endpoint("http://host#m")


def test_a_reply_may_not_come_packed() -> None:
    with FakeEndpoint() as server:
        complete(server)
        assert server.chats[0].headers["Accept-Encoding"] == "identity"


@given(st.lists(st.sampled_from([b"a", b"\n", b"b\nc", b"", b"\r\n\n", "\u2028".encode()])))
def test_lines_are_the_same_however_they_are_cut(chunks: list[bytes]) -> None:
    assert list(_lines(chunks)) == b"".join(chunks).split(b"\n")
