"""Addresses of text models, as servers and people write them."""

from __future__ import annotations

import pytest

from expound.errors import UserError
from expound.models.address import parse_address
from expound.models.endpoint import Endpoint, open_endpoint
from expound.models.engine import Sampling
from expound.testing.fake_endpoint import FakeEndpoint
from expound.types import Prompt

SECRET = "sk-very-secret-0123456789"


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("http://host:8000", "http://host:8000/v1"),
        ("http://host:8000/", "http://host:8000/v1"),
        ("http://host:8000/v1/", "http://host:8000/v1"),
        ("https://host/v1/chat/completions#m", "https://host/v1"),
        ("https://host/openai/v1", "https://host/openai/v1"),
        ("https://host/v1beta/openai", "https://host/v1beta/openai"),
        ("https://host/proxy", "https://host/proxy/v1"),
        ("https://host/openai/deployments/mine?api-version=1", "https://host/openai/deployments/mine"),
        ("https://host/openai/deployments/d/chat/completions?api-version=1", "https://host/openai/deployments/d"),
    ],
)
def test_an_address_may_end_before_or_after_its_version(address: str, url: str) -> None:
    assert parse_address(address).url == url


@pytest.mark.parametrize(
    "address",
    [
        "http://",
        "http://host:port",
        "http://[::1",
        "ftp://host",
        f"http://u:{SECRET}@h",
        f"http://h?key={SECRET}",
        f"http://h/v1?api-version=1&subscription-key={SECRET}",
        f"http://h?access_token={SECRET}",
    ],
)
def test_what_is_no_address_or_holds_a_key_is_said(address: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_address(address)
    assert SECRET not in str(caught.value)


def test_a_query_goes_with_every_request_and_the_key_into_azure_s_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_API_KEY", SECRET)
    with FakeEndpoint() as server:
        engine = open_endpoint(f"{server.url}/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21")
        assert engine.complete(Prompt("text"), Sampling()).text == "TEXT"
        (request,) = server.requests  # the deployment is the model: no list is asked for
        assert request.path == "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21"
        assert request.headers["api-key"] == SECRET
        assert "Authorization" not in request.headers
        assert engine.model == "my-gpt"
        assert engine.identity.endswith("/deployments/my-gpt?api-version=2024-10-21#my-gpt")
        assert SECRET not in engine.identity + engine.name


def test_another_query_is_no_sign_of_azure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_API_KEY", SECRET)
    with FakeEndpoint() as server:
        Endpoint(f"{server.url}?route=fast", "m").complete(Prompt("text"), Sampling())
        assert server.chats[0].path == "/v1/chat/completions?route=fast"
        assert server.chats[0].headers["Authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize(
    ("address", "is_loopback"),
    [
        ("http://127.0.0.1:1", True),
        ("http://localhost", True),
        ("http://[::1]:2", True),
        ("http://127.0.0.1.nip", False),
    ],
)
def test_what_is_on_this_machine_is_known(address: str, is_loopback: bool) -> None:
    assert parse_address(address).is_loopback == is_loopback
