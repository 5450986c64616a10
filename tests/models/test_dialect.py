"""What a server refuses is asked for in other words, from then on at once."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from expound.errors import ContextTooLong, EndpointRefused
from expound.models.dialect import Dialect
from expound.models.endpoint import Endpoint
from expound.models.engine import Sampling
from expound.models.server import Patience
from expound.testing.fake_endpoint import Behaviour, FakeEndpoint
from expound.types import Prompt

NEW_LIMIT = {
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model. "
    "Use 'max_completion_tokens' instead."
}
ONLY_DEFAULT = {
    "temperature": "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) is.",
    "top_p": "Unsupported parameter: 'top_p' is not supported with this model.",
}
SCHEMA = '{"type": "object"}'


def engine(server: FakeEndpoint) -> Endpoint:
    return Endpoint(server.url, "m", Patience(tries=3, first_wait_seconds=0.001))


def ask(asked: Endpoint, text: str = "text", **options: str) -> str:
    return asked.complete(Prompt(text, max_tokens=9, **options), Sampling()).text


def test_the_limit_has_another_name_after_a_refusal_also_in_the_next_process(expound_home: Path) -> None:
    with FakeEndpoint(refuses=NEW_LIMIT) as server:
        first = engine(server)
        assert [ask(first), ask(first)] == ["TEXT", "TEXT"]
        assert [("max_tokens" in request.body) for request in server.chats] == [True, False, False]
        assert server.chats[1].body["max_completion_tokens"] == 9
        ask(engine(server))
        assert len(server.chats) == 4
    assert (expound_home / "cache" / "dialects.json").stat().st_mode & 0o777 == 0o600


def test_settings_that_a_model_does_not_take_are_left_out() -> None:
    with FakeEndpoint(refuses=NEW_LIMIT | ONLY_DEFAULT) as server:
        asked = engine(server)
        assert [ask(asked), ask(asked)] == ["TEXT", "TEXT"]
        assert not {"max_tokens", "temperature", "top_p"} & server.chats[-1].body.keys()
        assert server.chats[-1].body["seed"] == 0


def test_a_server_that_knows_no_schemas_is_asked_for_json_in_words() -> None:
    with FakeEndpoint(refuses={"response_format": "'json_schema' is not supported"}) as server:
        ask(engine(server), schema=SCHEMA)
        assert server.chats[-1].prompt == f"text\n\nReply with JSON of this schema: {SCHEMA}"
        ask(engine(server), "no schema")
        assert server.chats[-1].prompt == "no schema"


def test_several_calls_at_once_find_it_out_together() -> None:
    with FakeEndpoint(refuses=NEW_LIMIT) as server:
        asked, texts = engine(server), {}

        def work(number: int) -> None:
            texts[number] = ask(asked, f"text {number}")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert texts == {number: f"TEXT {number}" for number in range(6)}


@pytest.mark.parametrize("words", ["max_tokens is too large: the context has 8192 tokens", "the context is full"])
def test_a_limit_that_is_too_high_is_not_renamed(words: str) -> None:
    with FakeEndpoint(Behaviour("status", 400, text=words)) as server:
        asked = engine(server)
        with pytest.raises(ContextTooLong):
            ask(asked)
        ask(asked)
        assert ["max_tokens" in request.body for request in server.chats] == [True, True]


def test_what_did_not_help_is_not_remembered(expound_home: Path) -> None:
    words = "seed is wrong"
    with FakeEndpoint(*[Behaviour("status", 400, text=words)] * 2) as server:
        asked = engine(server)
        with pytest.raises(EndpointRefused, match=words):
            ask(asked)
        assert len(server.chats) == 2
        ask(asked)
        assert "seed" in server.chats[-1].body
    assert not (expound_home / "cache" / "dialects.json").exists()


@pytest.mark.parametrize("content", ["", "[]", '{"URL#m": 3}', '{"URL#m": {"limit": "max_tokens"}}', "\ud800"])
def test_a_damaged_memory_is_no_memory(expound_home: Path, content: str) -> None:
    with FakeEndpoint(refuses=NEW_LIMIT) as server:
        (expound_home / "cache").mkdir(parents=True)
        known = content.replace("URL", f"{server.url}/v1").encode("utf-8", "surrogatepass")
        (expound_home / "cache" / "dialects.json").write_bytes(known)
        assert ask(engine(server)) == "TEXT"
        assert json.loads((expound_home / "cache" / "dialects.json").read_text())[f"{server.url}/v1#m"]


def test_the_usual_dialect_changes_nothing() -> None:
    payload = {"max_tokens": 9, "messages": [{"role": "user", "content": "x"}], "seed": 3}
    assert Dialect().translated(payload) == payload
