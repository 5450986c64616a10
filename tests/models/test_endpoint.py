from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

from expound.errors import ContextTooLong, EndpointFailed, EndpointRefused, ExpoundError, NotAnEndpoint, UserError
from expound.models.connection import MayPass
from expound.models.endpoint import Endpoint, open_endpoint
from expound.models.engine import Sampling
from expound.models.server import Patience
from expound.models.stream import event_in, is_well_formed
from expound.testing.fake_endpoint import Behaviour, FakeEndpoint
from expound.types import Prompt

SECRET = "sk-very-secret-0123456789"
QUICK = Patience(tries=3, connect_seconds=60.0, silent_seconds=60.0, first_wait_seconds=0.001)
# Silence must be waited for; long enough that a server on a busy machine is not taken for a silent one.
UNEASY = Patience(tries=3, connect_seconds=60.0, silent_seconds=3.0, first_wait_seconds=0.001)
PASSING = {
    "429": Behaviour("status", 429),
    "429 with Retry-After": Behaviour("status", 429, headers={"Retry-After": "0"}),
    "500": Behaviour("status", 500),
    "503": Behaviour("status", 503),
    "malformed JSON": Behaviour("malformed"),
    "half a stream": Behaviour("half"),
    "stall": Behaviour("stall", seconds=300.0),
    "disconnect": Behaviour("disconnect"),
    "error in the stream": Behaviour("error"),
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("EXPOUND_API_KEY", SECRET)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def fake() -> Iterator[FakeEndpoint]:
    with FakeEndpoint() as server:
        yield server


def engine(server: FakeEndpoint, patience: Patience = QUICK) -> Endpoint:
    stalls = any(behaviour.kind == "stall" for behaviour in server.script)
    return Endpoint(server.url, "fake-model", UNEASY if stalls else patience)


def test_a_reply_comes_in_pieces_that_make_up_the_text(fake: FakeEndpoint) -> None:
    pieces: list[str] = []
    reply = engine(fake).complete(Prompt("who reigned?"), Sampling(), pieces.append)
    assert reply.text == "WHO REIGNED?" == "".join(pieces)
    assert len([piece for piece in pieces if piece]) == 3
    assert (reply.prompt_tokens, reply.completion_tokens) == (7, 3)


def test_the_request_has_model_messages_and_sampling(fake: FakeEndpoint) -> None:
    schema = '{"type": "object"}'
    prompt = Prompt("text", system="be brief", schema=schema, max_tokens=9)
    engine(fake).complete(prompt, Sampling(0.6, 0.9, 7))
    (request,) = fake.chats
    assert request.path == "/v1/chat/completions"
    assert request.body["model"] == "fake-model"
    assert request.body["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "text"},
    ]
    named = ("max_tokens", "temperature", "top_p", "seed", "stream")
    assert [request.body[name] for name in named] == [9, 0.6, 0.9, 7, True]
    assert request.body["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert request.headers["Authorization"] == f"Bearer {SECRET}"


def test_without_a_key_none_is_sent(fake: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXPOUND_API_KEY")
    engine(fake).complete(Prompt("text"), Sampling())
    assert "Authorization" not in fake.chats[0].headers


def test_a_server_that_does_not_stream_will_do() -> None:
    with FakeEndpoint(Behaviour("whole")) as server:
        assert engine(server).complete(Prompt("whole"), Sampling()).text == "WHOLE"


@pytest.mark.parametrize("text", ["", "a\u2028b\x85c", "日本語", "tab\tand\nline", "\U0001f600"])
def test_any_text_comes_through(text: str) -> None:
    with FakeEndpoint(reply=lambda _prompt: text) as server:
        assert engine(server).complete(Prompt("text"), Sampling()).text == text


def test_half_a_surrogate_pair_does_not_come_through() -> None:
    with FakeEndpoint(Behaviour("whole"), reply=lambda _prompt: "a\ud800b") as server:
        assert engine(server).complete(Prompt("text \udfff"), Sampling()).text == "a\ufffdb"


@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
def test_a_failure_that_may_pass_is_tried_again(failure: Behaviour) -> None:
    with FakeEndpoint(failure) as server:
        pieces: list[str] = []
        reply = engine(server).complete(Prompt("who reigned?"), Sampling(), pieces.append)
        assert reply.text == "WHO REIGNED?" == "".join(pieces)
        assert len(server.chats) == 2
        assert server.answered == ["who reigned?"]


@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
def test_a_failure_that_stays_is_one_clear_line(failure: Behaviour) -> None:
    with FakeEndpoint(*[failure] * 3) as server:
        with pytest.raises(EndpointFailed) as caught:
            engine(server).complete(Prompt("text"), Sampling())
        assert len(server.chats) == 3
        assert str(caught.value).startswith(f"{server.url}/v1 failed 3 times, at last with: ")
        assert "\n" not in str(caught.value)


def test_nobody_at_the_address_is_one_clear_line() -> None:
    with pytest.raises(EndpointFailed, match=r"http://127\.0\.0\.1:9/v1 failed 3 times"):
        Endpoint("http://127.0.0.1:9", "m", QUICK).complete(Prompt("text"), Sampling())


REFUSALS = {
    "401": (Behaviour("status", 401, text=f"Incorrect API key provided: {SECRET}"), EndpointRefused, "EXPOUND_API_KEY"),
    "403": (Behaviour("status", 403), EndpointRefused, "403"),
    "404": (Behaviour("status", 404, text="no model fake-model"), EndpointRefused, "no model fake-model"),
    "400": (Behaviour("status", 400, text=f"bad request of {SECRET}"), EndpointRefused, "bad request of …"),
    "a web page": (Behaviour("html"), NotAnEndpoint, "web page"),
}


@pytest.mark.parametrize(("failure", "error", "part"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_is_not_tried_again(failure: Behaviour, error: type[ExpoundError], part: str) -> None:
    with FakeEndpoint(failure) as server:
        with pytest.raises(error) as caught:
            engine(server).complete(Prompt("text"), Sampling())
        assert len(server.chats) == 1
        assert server.url in str(caught.value)
        assert part in str(caught.value)
        assert SECRET not in str(caught.value)


def test_a_wait_of_hours_is_not_waited_for() -> None:
    later = Behaviour("status", 429, text="quota", headers={"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"})
    with FakeEndpoint(later) as server, pytest.raises(EndpointFailed, match="left alone"):
        engine(server).complete(Prompt("text"), Sampling())


def test_the_waits_double_and_differ() -> None:
    waits = [[Patience().wait(attempt, None) for _ in range(50)] for attempt in range(5)]
    for attempt, drawn in enumerate(waits):
        assert 0.25 * 2**attempt <= min(drawn) < max(drawn) <= 0.5 * 2**attempt


@pytest.mark.parametrize("failure", [*PASSING.values(), *(refusal for refusal, _, _ in REFUSALS.values())])
def test_the_key_is_in_no_error_and_no_attribute(failure: Behaviour) -> None:
    with FakeEndpoint(
        *[Behaviour(failure.kind, failure.status, f"key {SECRET}", seconds=failure.seconds)] * 3
    ) as server:
        asked = engine(server)
        with pytest.raises(ExpoundError) as caught:
            asked.complete(Prompt("text"), Sampling())
        chain = [str(caught.value), repr(caught.value), str(caught.value.__cause__)]
        assert SECRET not in " ".join([*chain, repr(vars(asked)), asked.name, asked.identity])


def test_a_key_with_a_line_break_inside_is_refused_unseen(fake: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_API_KEY", f"{SECRET}\nmore")
    with pytest.raises(UserError) as caught:
        engine(fake).complete(Prompt("text"), Sampling())
    assert "EXPOUND_API_KEY" in str(caught.value)
    assert SECRET not in str(caught.value)


def test_the_model_is_named_behind_the_address(fake: FakeEndpoint) -> None:
    opened = open_endpoint(f"{fake.url}/v1#org/other:7b")
    assert opened.model == "org/other:7b"
    assert opened.identity == f"{fake.url}/v1#org/other:7b"
    assert fake.requests == []


def test_the_model_is_named_in_the_environment(fake: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_MODEL", "named")
    assert open_endpoint(fake.url).model == "named"


def test_the_only_model_of_a_server_need_not_be_named(fake: FakeEndpoint) -> None:
    assert open_endpoint(fake.url).name == f"fake-model at {fake.url}/v1"


@pytest.mark.parametrize(("models", "listed"), [(("one", "two"), "one, two"), ((), "none")])
def test_a_server_with_several_models_lists_them(models: tuple[str, ...], listed: str) -> None:
    with FakeEndpoint(models=models) as server, pytest.raises(EndpointRefused, match=f"has: {listed}$"):
        open_endpoint(server.url)


def test_a_web_site_is_not_an_endpoint(fake: FakeEndpoint) -> None:
    with pytest.raises(NotAnEndpoint, match="web page"):
        open_endpoint(f"{fake.url}/v1/somewhere")


@pytest.mark.parametrize("host", ["ho st", "a" * 300, "\u2028", "host..name", "%00", "xn--"])
def test_a_host_that_cannot_be_is_one_clear_line(host: str) -> None:
    with pytest.raises(ExpoundError):
        Endpoint(f"http://{host}", "m", QUICK).complete(Prompt("text"), Sampling())


HOSTILE = [
    b"[]",
    b"null",
    b"3",
    b'{"choices": 3}',
    b'{"choices": [3]}',
    b'{"choices": [{"delta": {"content": 3}}]}',
    b'{"choices": [], "usage": 3}',
    b'{"choices": [{"logprobs": {"content": [{"top_logprobs": [{"token": "a", "logprob": 9999}]}]}}]}',
    b"[" * 100_000,
    b"\xff\xfe",
]


@pytest.mark.parametrize("data", HOSTILE)
def test_an_event_of_another_shape_is_a_failure_that_may_pass(data: bytes) -> None:
    with pytest.raises(MayPass), is_well_formed():
        event_in(data)


def test_impossible_counts_are_not_believed() -> None:
    event = event_in(
        b'{"choices": [], "usage": {"prompt_tokens": -1, "completion_tokens": 1e400, "x": 99999999999999999}}'
    )
    assert event.usage == {}


def test_options_are_weighed_by_the_first_token() -> None:
    with FakeEndpoint(logprobs={"Yes": -0.2231, " No": -2.3026, "Perhaps": -4.0}) as server:
        weights = engine(server).weigh(Prompt("Is it?"), ["Yes", "No"]).weights
        assert weights == pytest.approx((0.8, 0.1), abs=1e-3)
        assert server.chats[0].body["max_tokens"] == 1


@pytest.mark.parametrize("answer", ['{"choice": "No"}', "No"])
def test_a_server_without_probabilities_chooses(answer: str) -> None:
    with FakeEndpoint(reply=lambda _prompt: answer) as server:
        asked = engine(server)
        assert asked.weigh(Prompt("Is it?"), ["Yes", "No"]).weights == (0.0, 1.0)
        assert server.chats[1].body["response_format"]["type"] == "json_schema"
        asked.weigh(Prompt("Is that?"), ["Yes", "No"])
        assert len(server.chats) == 3


def test_a_server_that_refuses_to_give_probabilities_chooses() -> None:
    with FakeEndpoint(Behaviour("status", 400), reply=lambda _prompt: json.dumps({"choice": "Yes"})) as server:
        assert engine(server).weigh(Prompt("Is it?"), ["Yes", "No"]).weights == (1.0, 0.0)


def test_a_prompt_that_is_too_long_for_the_server_is_said() -> None:
    too_long = Behaviour("status", 400, text="This model's maximum context length is 8192 tokens")
    with FakeEndpoint(too_long) as server, pytest.raises(ContextTooLong, match="maximum context length"):
        engine(server).complete(Prompt("text"), Sampling())


def test_who_stops_listening_ends_the_stream() -> None:
    def stop(piece: str) -> None:
        if piece:
            raise KeyboardInterrupt

    with FakeEndpoint(reply=lambda _prompt: "word " * 1000) as server:
        with pytest.raises(KeyboardInterrupt):
            engine(server).complete(Prompt("text"), Sampling(), stop)
        assert len(server.chats) == 1


def test_a_listener_that_fails_is_not_taken_for_the_server() -> None:
    def fail(piece: str) -> None:
        if piece:
            raise ValueError("mine")

    with FakeEndpoint() as server:
        with pytest.raises(ValueError, match="mine"):
            engine(server).complete(Prompt("text"), Sampling(), fail)
        assert len(server.chats) == 1


def test_one_engine_serves_several_threads(fake: FakeEndpoint) -> None:
    asked, texts = engine(fake, Patience()), {}

    def ask(number: int) -> None:
        texts[number] = asked.complete(Prompt(f"number {number}"), Sampling()).text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == {number: f"NUMBER {number}" for number in range(8)}


def test_the_context_is_an_option(fake: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_CONTEXT", "32768")
    assert engine(fake).context == 32768
    monkeypatch.setenv("EXPOUND_CONTEXT", "much")
    with pytest.raises(UserError, match="EXPOUND_CONTEXT"):
        engine(fake)
