"""Models that think first: nobody hears their thoughts, and these do not take the answer's place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.models.endpoint import Endpoint
from expound.models.engine import Completion, Sampling
from expound.models.server import Patience
from expound.models.text import CachedModel
from expound.models.thoughts import THOUGHT_TOKENS, Pieces, Room, without_thoughts
from expound.testing.fake_endpoint import Behaviour, FakeEndpoint
from expound.types import Prompt


def engine(server: FakeEndpoint) -> Endpoint:
    return Endpoint(server.url, "m", Patience(tries=2, first_wait_seconds=0.001))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<think>Who?</think>Charles X.", "Charles X."),
        ("\n<think>\nWho?\n</think>\n\nCharles X.", "Charles X."),
        ("The template began it.</think> Charles X.", "Charles X."),
        ("<think>cut off", ""),
        ("Charles X <think> later", "Charles X <think> later"),
        ("", ""),
    ],
)
def test_thoughts_are_left_out(raw: str, text: str) -> None:
    assert without_thoughts(raw) == text


@given(st.lists(st.integers(1, 5)), st.sampled_from(["<think>Hm.</think> Yes, it is.", "<think", "<b>bold</b>", " x"]))
def test_nobody_hears_a_thought_however_the_reply_is_cut(cuts: list[int], raw: str) -> None:
    heard: list[str] = []
    pieces = Pieces(heard.append)
    rest = raw
    for cut in [*cuts, len(raw)]:
        pieces.add(rest[:cut])
        rest = rest[cut:]
    pieces.finish()
    assert "".join(heard) == pieces.text == ("Yes, it is." if "Hm." in raw else raw)


def test_a_server_s_thoughts_are_no_part_of_the_reply() -> None:
    with FakeEndpoint(Behaviour(thoughts="Hm."), Behaviour("whole", thoughts="Hm.")) as server:
        heard: list[str] = []
        replies = [engine(server).complete(Prompt("text"), Sampling(), heard.append) for _ in range(2)]
        assert [reply.text for reply in replies] == ["TEXT", "TEXT"]
        assert all(reply.has_thoughts for reply in replies)
        assert "".join(heard) == "TEXTTEXT"


def test_a_model_that_thinks_gets_room_after_the_first_time_at_once() -> None:
    with FakeEndpoint(thinks=500) as server:
        model = CachedModel(engine(server))
        assert model.complete([Prompt("one", max_tokens=24), Prompt("two", max_tokens=24)]) == ["ONE", "TWO"]
        assert [request.most_tokens for request in server.chats] == [24, 24 + THOUGHT_TOKENS, 24 + THOUGHT_TOKENS]
        assert (model.ledger.calls, model.ledger.prompt_tokens) == (3, 21)


def test_the_room_is_what_the_context_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_CONTEXT", "600")
    with FakeEndpoint(thinks=500) as server:
        assert engine(server).complete(Prompt("x" * 35, max_tokens=50), Sampling()).text == "X" * 35
        assert server.chats[-1].most_tokens == 600 - 10


def test_a_thinking_model_s_choice_is_weighed_by_what_it_answers() -> None:
    with FakeEndpoint(thinks=500, reply=lambda _prompt: '{"choice": "No"}', logprobs={"Hm": -0.1}) as server:
        assert engine(server).weigh(Prompt("Is it?"), ["Yes", "No"]).weights == (0.0, 1.0)


def completion(text: str, **options: Any) -> Completion:
    return Completion(text, 5, 2, 0.5, **options)


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        (completion("", finish="length"), [24, 124]),
        (completion("Char", finish="length", has_thoughts=True), [24, 124]),
        (completion("Char", finish="length"), [24]),
        (completion("Charles X.", has_thoughts=True), [24]),
        (completion(""), [24]),
    ],
)
def test_only_a_reply_that_thoughts_have_cut_is_asked_for_again(first: Completion, asked: list[int]) -> None:
    replies, limits = [first, completion("Charles X.")], list[int]()

    def call(most_tokens: int) -> Completion:
        limits.append(most_tokens)
        return replies[len(limits) - 1]

    reply = Room().ask(24, 100, call)
    assert limits == asked
    assert (reply.calls, reply.prompt_tokens) == (len(asked), 5 * len(asked))
